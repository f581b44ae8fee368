import type { Environment } from './environment.ts'

/** Limits of spec section 8 and of the decisions where the spec is silent. Sizes in bytes, times in milliseconds. */
export const maxFileBytes = 10_000_000_000
export const maxMetadataHeaderBytes = 7_000
export const sandboxRetentionMs = 24 * 60 * 60 * 1_000
/** From here to 99 a file cannot be deleted (spec 3). */
export const deletionLockedFromPercent = 60
export const idempotencyRetentionMs = 24 * 60 * 60 * 1_000

/** Most corrected places that a transcript may have. */
export const maxPatches = 20_000

/** A section of a recording, which one job hears, ends at this length. Due dates are forecast by it, too. */
export const longestSectionMs = 600_000

/** Most files in one answer of the account interface. */
export const maxFilesPerPage = 1_000

/** How long files live in an environment, in milliseconds; null: until they are deleted (spec 1, rule 4). */
export function retentionMs(environment: Environment): number | null {
  return environment === 'sandbox' ? sandboxRetentionMs : null
}
