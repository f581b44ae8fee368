import * as z from 'zod/mini'

/** Body of every error response (spec 7, rule 2). */
export const errorBody = z.object({ error: z.string() })
export type ErrorBody = z.infer<typeof errorBody>
