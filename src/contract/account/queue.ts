import * as z from 'zod/mini'

/**
 * Answer of `GET queue?seconds=` (a recording of this length, if it were ordered now) and of `GET files/:id/queue`: an
 * estimate, which is no promise. `place` null: the file is not recognised and does not wait for that, or nobody recognises
 * anything at present.
 */
export const queueAnswer = z.object({
  place: z.nullable(
    z.object({
      /** of any account, that are ready before it as far as one can tell */
      orders_before: z.int().check(z.gte(0)),
      about_seconds: z.number().check(z.gte(0)),
    }),
  ),
})
export type QueuePlace = z.infer<typeof queueAnswer>['place']
