import type { Readable } from 'node:stream'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { ServedFormat } from '../../../contract/interface/transcript-formats.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { renderAs } from '../transcripts/render-transcript.ts'
import { parseCaptionRules } from './caption-rules.ts'
import { loadCorrections } from './read-corrections.ts'
import { textIdentity } from './text-identity.ts'

/**
 * A file's currently corrected transcript, and the revision that this is.
 * @throws ServiceError 404 if nothing is corrected, 409 if the corrections are of an earlier text
 */
export async function correctedText(
  platform: Platform,
  file: FileRow,
  format: ServedFormat,
): Promise<{ revision: number; content: Readable }> {
  const { revision, set } = await loadCorrections(platform.db, file.id)
  if (set === null) throw new ServiceError(404, 'Nothing of this transcript is corrected.')
  const { fingerprint } = await textIdentity(platform, file)
  if (fingerprint !== set.fingerprint) {
    throw new ServiceError(
      409,
      'The transcript is newer than its corrections. Open it in the dashboard to review them.',
    )
  }
  return {
    revision,
    content: await renderAs(platform, file, format, { corrections: set, rules: parseCaptionRules(file) }),
  }
}

/** The corrections of a file's current text; those of an earlier one wait for somebody to look at them. */
export async function correctionsNow(platform: Platform, file: FileRow): Promise<CorrectionSet | undefined> {
  const { set } = await loadCorrections(platform.db, file.id)
  if (set === null) return undefined
  return set.fingerprint === (await textIdentity(platform, file)).fingerprint ? set : undefined
}
