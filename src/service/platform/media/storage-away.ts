import { ServiceError } from '../service-error.ts'

/**
 * Remote blobs are unavailable at the moment. It says nothing about the recordings: no order fails permanently or is
 * refunded for it. The cause has the sentence for operators.
 */
export class StorageAwayError extends ServiceError {
  constructor(cause: unknown) {
    const words =
      'The storage of recordings cannot be used at the moment. Nothing was charged; try again in a few seconds.'
    super(503, words, { 'retry-after': '10' }, { cause })
  }
}
