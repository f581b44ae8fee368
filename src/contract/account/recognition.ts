import * as z from 'zod/mini'

/** The current speech engine and its quality, shown before an automated order is paid. */
export const recognition = z.object({
  /** null: none is available, and orders wait; `reason` says why */
  engine: z.nullable(z.enum(['sherpa', 'http', 'pocketsphinx'])),
  reason: z.nullable(z.string()),
  /** the only language it is configured for (BCP 47); null: the server that it calls decides */
  language: z.nullable(z.string()),
  /** `low`: many words come out wrong, as with the offline recognizer; `unknown`: an external server's */
  quality: z.enum(['low', 'good', 'unknown']),
  /** a speech model is being downloaded, and orders wait for it */
  model_download: z.nullable(z.object({ bytes: z.int(), total_bytes: z.int() })),
})
export type Recognition = z.infer<typeof recognition>
