import * as z from 'zod/mini'

/** What hears recordings at present, and what that is worth: to be known before an automated order is paid. */
export const recognition = z.object({
  /** null: nothing can at present, and orders wait; `reason` says for what */
  engine: z.nullable(z.enum(['sherpa', 'http', 'pocketsphinx'])),
  reason: z.nullable(z.string()),
  /** the only language it is set up for (BCP 47); null: that is the business of the server that it asks */
  language: z.nullable(z.string()),
  /** `low`: many words come out wrong, as the offline recogniser's do; `unknown`: another server's */
  quality: z.enum(['low', 'good', 'unknown']),
  /** a speech model is on its way, and orders wait for it */
  model_download: z.nullable(z.object({ bytes: z.int(), total_bytes: z.int() })),
})
export type Recognition = z.infer<typeof recognition>
