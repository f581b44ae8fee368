import type { Environment } from './environment.ts'

/*
 * Resumable uploads by tus 1.0 (creation, creation-with-upload, termination). Same Basic key as elsewhere.
 *
 * `Upload-Metadata` of the creating POST: `filename`, `filetype` (the MIME type), `options` (query string of spec 2.3,
 * without `?`), `idempotency_key`, `preset` (the name of an order page preset), `project` (its id), `over_budget`
 * (`yes`), `sound` (as `Order-Sound`), `batch` (as `Order-Batch`), `known_recording` (as `Known-Recording`); all
 * optional but `filetype`. Key, options, type, size and payment method are checked then, with the statuses of POST files.
 *
 * The PATCH that completes the file creates the order, and responds 204 with its id in `X-Service-File`, or with the
 * status and `{"error"}` that POST files would give. HEAD responds with `X-Service-File` too. If an order was refused
 * for a temporary reason (402, 5xx) or the response was lost, `POST <upload>/order` retries without resending the file:
 * 201 with `fileId`, the same id every time.
 */

/** Header with the file id of a completed upload. */
export const uploadedFileHeader = 'X-Service-File'

/** An unfinished upload is removed this long after its last byte. */
export const unfinishedUploadRetentionMs = 24 * 60 * 60 * 1_000

/** Base path of an environment's resumable uploads. */
export function uploadsBasePath(environment: Environment): string {
  return environment === 'live' ? '/uploads/' : '/sandbox/uploads/'
}
