import { sql } from 'kysely'
import type { CorrectionChange } from '../../../contract/account/corrections.ts'
import { BadChangeError, checkChange } from '../../../text/correction-set.ts'
import { countCorrections, type Place } from '../../../text/patches.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { readKeyName } from '../../accounts/auth/keys.ts'
import { patchFile, writeFile } from '../../orders/file/change-file.ts'
import { fileNotFound } from '../../orders/file/own-file.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { followChange } from '../vocabulary/places.ts'
import { findReplacement } from '../vocabulary/proposals.ts'
import { requireUnlocked } from './review.ts'
import { textIdentity } from './text-identity.ts'
import { thinChanges } from './versions.ts'

/**
 * Changes a file's corrections, all or nothing; an event notifies the account's other dashboards.
 * @param expected the revision that the change was based on (optimistic locking)
 * @throws ServiceError 404, 409 if it is of another text, does not fit or the text is approved, 412 if another change
 *   came first
 * @returns the new revision
 */
export async function changeCorrections(
  platform: Platform,
  caller: Caller,
  file: FileRow,
  expected: number,
  change: CorrectionChange,
): Promise<number> {
  if (file.progress_percent < 100) throw new ServiceError(409, 'The transcript is not ready yet.')
  const text = await textIdentity(platform, file)
  const revision = await writeFile(platform.db, file.id, async (trx, now) => {
    if (now.account_id !== caller.account.id) throw fileNotFound()
    if (now.ready_at !== file.ready_at || text.fingerprint !== change.fingerprint) {
      throw new ServiceError(409, 'The transcript has changed since it was loaded. Load it again to go on correcting.')
    }
    await requireUnlocked(trx, now)
    const head = await readHead(trx, file.id)
    if (head.revision !== expected) throw staleRevision(head.revision)
    const places = await fit(trx, file.id, head.fingerprint, change, text.words)
    const next = head.revision + 1
    await writeSet(trx, file.id, next, change)
    await requireFitting(trx, file.id, text.words)
    await followChange(trx, file.id, change)
    const corrections = countCorrections({ patches: places, baseNames: change.baseNames, names: change.names })
    const by = { key_id: caller.keyId, key_name: await readKeyName(trx, caller.keyId) }
    await writeChange(trx, { file_id: file.id, revision: next, corrections, ...by }, change, platform.clock())
    await thinChanges(trx, file.id, platform.clock())
    await showCount(trx, now, corrections, platform.clock())
    await appendEvent(trx, 'corrections', { id: file.id, revision: next }, platform.clock())
    await appendLog(trx, { action: 'corrected', file }, platform.clock())
    return next
  })
  if (revision === null) throw fileNotFound()
  platform.changes.notify({ kind: 'file', accountId: caller.account.id, fileId: file.id })
  return revision
}

/** Lists show whether a file is corrected: it gets a new version only when that changes. */
async function showCount(trx: AccountTrx, file: FileRow, corrections: number, now: number): Promise<void> {
  if (file.corrections > 0 !== corrections > 0) await patchFile(trx, file, { corrections }, now)
  else await trx.updateTable('files').set({ corrections }).where('id', '=', file.id).execute()
}

function staleRevision(revision: number): ServiceError {
  const message = 'Somebody else has corrected this transcript meanwhile. Read the corrections again and merge.'
  return new ServiceError(412, message, { etag: `"${revision}"` })
}

async function readHead(trx: AccountTrx, fileId: string): Promise<{ revision: number; fingerprint: string | null }> {
  const row = await trx
    .selectFrom('corrections')
    .select(['revision', 'fingerprint'])
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  return row ?? { revision: 0, fingerprint: null }
}

/** @returns the corrected places afterwards @throws ServiceError 409 if the change does not fit */
async function fit(
  trx: AccountTrx,
  fileId: string,
  fingerprint: string | null,
  change: CorrectionChange,
  words: number,
): Promise<Place[]> {
  if (change.anew !== true && fingerprint !== null && fingerprint !== change.fingerprint) {
    throw new ServiceError(409, 'The corrections are of an earlier text; a change must begin anew.')
  }
  const places = await trx
    .selectFrom('correction_patches')
    .select(['from_word as from', 'to_word as to'])
    .where('file_id', '=', fileId)
    .execute()
  try {
    return checkChange(places, change, words)
  } catch (error) {
    if (error instanceof BadChangeError) throw new ServiceError(409, error.message)
    throw error
  }
}

/** Far more than a transcript takes in which every word is replaced; a word with its neighbours is some 300 bytes. */
const setBytes = 100_000
const setBytesOfWord = 4_000

/** @throws ServiceError 413 if a set is out of proportion to its transcript */
async function requireFitting(trx: AccountTrx, fileId: string, words: number): Promise<void> {
  const { bytes } = await trx
    .selectFrom('correction_patches')
    .select(sql<number>`coalesce(sum(length(patch_json)), 0)`.as('bytes'))
    .where('file_id', '=', fileId)
    .executeTakeFirstOrThrow()
  if (Number(bytes) <= setBytes + setBytesOfWord * words) return
  throw new ServiceError(413, 'The corrections are too long for a transcript of this length.')
}

async function writeSet(
  trx: AccountTrx,
  fileId: string,
  revision: number,
  { fingerprint, baseNames, names, anew, remove, put }: CorrectionChange,
): Promise<void> {
  const ofFile = trx.deleteFrom('correction_patches').where('file_id', '=', fileId)
  if (anew === true) await ofFile.execute()
  else for (const [from, to] of remove) await ofFile.where('from_word', '=', from).where('to_word', '=', to).execute()
  for (const patch of put) {
    const place = { file_id: fileId, from_word: patch.from, to_word: patch.to, patch_json: JSON.stringify(patch) }
    await trx
      .insertInto('correction_patches')
      .values({ ...place, ...findReplacement(patch) })
      .execute()
  }
  const values = {
    revision,
    fingerprint,
    base_names_json: JSON.stringify(baseNames),
    names_json: JSON.stringify(names),
  }
  await trx
    .insertInto('corrections')
    .values({ file_id: fileId, account_id: trx.accountId, ...values })
    .onConflict((conflict) => conflict.column('file_id').doUpdateSet(values))
    .execute()
}

async function writeChange(
  trx: AccountTrx,
  at: { file_id: string; revision: number; corrections: number; key_id: string; key_name: string },
  change: CorrectionChange,
  now: number,
): Promise<void> {
  await trx
    .insertInto('correction_changes')
    .values({ ...at, label: change.label, change_json: JSON.stringify(change), created_at: now })
    .execute()
}

/** Author of the vocabulary's corrections: no key has this id. */
const vocabularyAuthor = { key_id: '', key_name: 'Vocabulary' }

/**
 * Writes the vocabulary's replacements as the first corrections of a transcript, in the transaction that completes it.
 */
export async function writeFirstCorrections(
  trx: AccountTrx,
  fileId: string,
  change: CorrectionChange,
  now: number,
): Promise<void> {
  const corrections = change.put.length
  await writeSet(trx, fileId, 1, change)
  // Its own replacements are not proposed to it.
  const ofFile = trx.updateTable('correction_patches').where('file_id', '=', fileId)
  await ofFile.set({ heard: null, written: null }).execute()
  await writeChange(trx, { file_id: fileId, revision: 1, corrections, ...vocabularyAuthor }, change, now)
  await trx.updateTable('files').set({ corrections }).where('id', '=', fileId).execute()
  await appendEvent(trx, 'corrections', { id: fileId, revision: 1 }, now)
}
