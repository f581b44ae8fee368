import * as z from 'zod/mini'

/**
 * Response of `GET queue?seconds=` (a recording of this length, if it were ordered now) and of `GET files/:id/queue`:
 * an estimate, not a promise. `place` null: the file is neither being recognized nor waiting for it, or no recognizer
 * is available.
 */
export const queueAnswer = z.object({
  /** null: it is not waiting */
  place: z.nullable(
    z.object({
      /** orders of any account that are expected to be ready before it */
      orders_before: z.int().check(z.gte(0)),
      /** about how long until it begins, in seconds; null: not known */
      about_seconds: z.number().check(z.gte(0)),
    }),
  ),
})
export type QueuePlace = z.infer<typeof queueAnswer>['place']
