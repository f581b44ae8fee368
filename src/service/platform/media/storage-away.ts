import { ServiceError } from '../service-error.ts'

/**
 * Blobs that are not on a disk of this machine cannot be had at the moment. It says nothing of the recordings: no order
 * fails for it for good, and none is refunded. The cause has the sentence for operators.
 */
export class StorageAwayError extends ServiceError {
  constructor(cause: unknown) {
    const words =
      'The storage of recordings cannot be used at the moment. Nothing was charged; try again in a few seconds.'
    super(503, words, { 'retry-after': '10' }, { cause })
  }
}
