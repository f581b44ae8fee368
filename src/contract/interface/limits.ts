import type { Environment } from './environment.ts'

/** Limits of spec section 8, and of decisions if the spec is silent. Sizes in bytes, times in milliseconds. */
export const maxFileBytes = 10_000_000_000
export const maxMetadataHeaderBytes = 7_000
export const sandboxRetentionMs = 24 * 60 * 60 * 1_000
/** From here to 99 a file cannot be deleted (spec 3). */
export const deletionLockedFromPercent = 60
export const idempotencyRetentionMs = 24 * 60 * 60 * 1_000

/** Most patches per transcript. */
export const maxPatches = 20_000

/** Maximum length of a section, the part of a recording that one job recognizes. Due date forecasts use it, too. */
export const longestSectionMs = 600_000

/** Most files in one response of the account interface. */
export const maxFilesPerPage = 1_000

/** Lifetime of files in an environment, in milliseconds; null: until they are deleted (spec 1, rule 4). */
export function retentionMs(environment: Environment): number | null {
  return environment === 'sandbox' ? sandboxRetentionMs : null
}
