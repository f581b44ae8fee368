import type { Environment } from './environment.ts'

/*
 * Resumable uploads by tus 1.0 (creation, creation-with-upload, termination). Same Basic key as the rest.
 *
 * `Upload-Metadata` of the creating POST: `filename`, `filetype` (the MIME type), `options` (query string of spec 2.3,
 * without `?`), `idempotency_key`, `preset` (a name of the order page's), `project` (its id), `over_budget` (`yes`); all optional but
 * `filetype`. Key, options, type, size and payment method are checked
 * then, with the statuses of POST files.
 *
 * The PATCH that completes the file makes the order, and answers 204 with its id in `X-Service-File`, or with the
 * status and `{"error"}` that POST files would give. HEAD answers with `X-Service-File` too. Where an order was refused
 * for a reason that passes (402, 5xx) or its answer was lost, `POST <upload>/order` tries again without sending
 * anything: 201 with `fileId`, the same id every time.
 */

/** Header with the id of the file that a completed upload became. */
export const uploadedFileHeader = 'X-Service-File'

/** An unfinished upload is removed this long after its last byte. */
export const unfinishedUploadRetentionMs = 24 * 60 * 60 * 1_000

/** Where resumable uploads of an environment are sent. */
export function uploadsBasePath(environment: Environment): string {
  return environment === 'live' ? '/uploads/' : '/sandbox/uploads/'
}
