import { maxPatches } from '../../../contract/interface/limits.ts'
import { withTouchingJoined } from '../../../text/correction-set.ts'
import { parseOptions } from '../../orders/file/progress.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { putTextRight } from '../transcripts/render-transcript.ts'
import { vocabularyFor } from '../vocabulary/entries.ts'
import { writePlaces } from '../vocabulary/places.ts'
import { writeFirstCorrections } from './change-corrections.ts'

/**
 * Corrects an automated transcript by the account's vocabulary: reads its stored words, and returns the writes for the
 * transaction that completes the order, so that both exist or neither. The service's own text stays as it is.
 * @returns undefined if there is nothing to correct
 */
export async function vocabularyWrite(
  platform: Platform,
  file: FileRow,
): Promise<((trx: AccountTrx) => Promise<void>) | undefined> {
  if (parseOptions(file).transcript_type !== 'automated') return undefined
  const { forms } = await vocabularyFor(platform.db, file)
  if (forms.length === 0) return undefined
  const { fingerprint, names, patches, places } = await putTextRight(platform, file, forms)
  if (patches.length === 0) return undefined
  const put = withTouchingJoined(patches.slice(0, maxPatches))
  const label = 'Words of the vocabulary'
  return async (trx) => {
    const change = { fingerprint, baseNames: names, names, remove: [], put, label }
    await writeFirstCorrections(trx, file.id, change, platform.clock())
    await writePlaces(trx, file, places.slice(0, maxPatches))
  }
}
