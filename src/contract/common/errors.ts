import * as z from 'zod/mini'

/** Body of every answer that is not a success (spec 7, rule 2). */
export const errorBody = z.object({ error: z.string() })
export type ErrorBody = z.infer<typeof errorBody>
