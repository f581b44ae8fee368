import {
  type CheckChange,
  maxRanges,
  type NewReviewState,
  type Review,
  type ReviewState,
  statesAfter,
} from '../../../contract/account/review.ts'
import { type WordRange, withoutRanges, withRanges } from '../../../text/word-ranges.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { readKeyName } from '../../accounts/auth/keys.ts'
import { patchFile, writeFile } from '../../orders/file/change-file.ts'
import { fileNotFound } from '../../orders/file/own-file.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { TextIdentity } from '../transcripts/rendering.ts'
import { textIdentity } from './text-identity.ts'

/**
 * How much of a finished transcript has been reviewed, and its state. @throws ServiceError 404; 409 if it is not ready
 */
export async function assembleReview(platform: Platform, file: FileRow): Promise<Review> {
  requireReady(file)
  const { db } = platform
  const begun = await db.selectFrom('reviews').select('file_id').where('file_id', '=', file.id).executeTakeFirst()
  // Most have none: that is found out without reading their words.
  if (begun === undefined) return { revision: 0, state: 'draft', checked: [], steps: [] }
  const text = await textIdentity(platform, file)
  const atOneMoment = db.transaction().setIsolationLevel('repeatable read')
  return await atOneMoment.execute((trx) => readReview(trx, file.id, text.fingerprint))
}

/** @throws ServiceError 409 */
export function requireReady(file: FileRow): void {
  if (file.progress_percent < 100) throw new ServiceError(409, 'The transcript is not ready yet.')
}

async function readReview(trx: Trx, fileId: string, fingerprint: string): Promise<Review> {
  const file = await trx.selectFrom('files').select('review').where('id', '=', fileId).executeTakeFirst()
  if (file === undefined) throw fileNotFound()
  const { revision, checked } = await readHead(trx, fileId, fingerprint)
  const steps = await trx
    .selectFrom('review_steps')
    .selectAll()
    .where('file_id', '=', fileId)
    .orderBy('revision')
    .execute()
  return {
    revision,
    state: file.review,
    checked: checked as [number, number][],
    steps: steps.map(({ state, key_name, created_at, corrections, fingerprint: of }) => {
      const time = iso(created_at)
      return { state, key: key_name, time, corrections, is_of_earlier_text: of !== fingerprint }
    }),
  }
}

/** The checks of a text: none if they are of another one. */
async function readHead(
  trx: Db,
  fileId: string,
  fingerprint: string,
): Promise<{ revision: number; checked: readonly WordRange[] }> {
  const row = await trx.selectFrom('reviews').selectAll().where('file_id', '=', fileId).executeTakeFirst()
  if (row === undefined) return { revision: 0, checked: [] }
  return { revision: row.revision, checked: row.fingerprint === fingerprint ? JSON.parse(row.checked_json) : [] }
}

/** @throws ServiceError 409 if a transcript is approved, saying by whom and when */
export async function requireUnlocked(trx: AccountTrx, file: FileRow): Promise<void> {
  if (file.review !== 'approved') return
  const step = await trx
    .selectFrom('review_steps')
    .select(['key_name', 'created_at'])
    .where('file_id', '=', file.id)
    .orderBy('revision', 'desc')
    .executeTakeFirstOrThrow()
  const when = iso(step.created_at).slice(0, 16).replace('T', ' ')
  throw new ServiceError(409, `“${step.key_name}” approved this transcript on ${when} UTC. Reopen it to change it.`)
}

/**
 * Changes a review in a transaction, with its event.
 * @param work gets the newest revision and checks, and returns the checks afterwards
 * @throws ServiceError 404, 409 if the transcript is not ready, or has been replaced
 */
async function writeReview(
  platform: Platform,
  { account }: Caller,
  file: FileRow,
  work: (trx: AccountTrx, file: FileRow, head: Head, text: TextIdentity) => Promise<readonly WordRange[]>,
): Promise<Review> {
  requireReady(file)
  const text = await textIdentity(platform, file)
  const { fingerprint } = text
  const review = await writeFile(platform.db, file.id, async (trx, now) => {
    if (now.account_id !== account.id) throw fileNotFound()
    if (now.ready_at !== file.ready_at) throw changedText()
    const head = await readHead(trx, file.id, fingerprint)
    const checked_json = JSON.stringify(await work(trx, now, head, text))
    const values = { revision: head.revision + 1, fingerprint, checked_json }
    await trx
      .insertInto('reviews')
      .values({ file_id: file.id, account_id: account.id, ...values })
      .onConflict((conflict) => conflict.column('file_id').doUpdateSet(values))
      .execute()
    await appendEvent(trx, 'review', { id: file.id, revision: values.revision }, platform.clock())
    return await readReview(trx, file.id, fingerprint)
  })
  if (review === null) throw fileNotFound()
  platform.changes.notify({ kind: 'file', accountId: account.id, fileId: file.id })
  return review
}

type Head = { revision: number; checked: readonly WordRange[] }

function changedText(): ServiceError {
  return new ServiceError(409, 'The transcript has changed since it was loaded. Load it again.')
}

/**
 * Marks words as checked or not; concurrent checks by others stay.
 * @throws ServiceError 404, 409 if the text is another one, approved, or has no such words
 */
export async function changeChecks(
  platform: Platform,
  caller: Caller,
  file: FileRow,
  { fingerprint, add, remove }: CheckChange,
): Promise<Review> {
  return await writeReview(platform, caller, file, async (trx, now, head, text) => {
    if (text.fingerprint !== fingerprint) throw changedText()
    await requireUnlocked(trx, now)
    for (const [from, to] of [...add, ...remove]) {
      if (from >= to || to > text.words) {
        throw new ServiceError(409, `There are no words ${from} to ${to}: the transcript has ${text.words} words.`)
      }
    }
    const checked = withRanges(withoutRanges(head.checked, remove), add)
    if (checked.length > maxRanges)
      throw new ServiceError(409, `At most ${maxRanges} separate stretches can be checked.`)
    return checked
  })
}

/** What the account log says of a state, after the word Review. */
const logged: Record<ReviewState, string> = { draft: 'reopened', in_review: 'requested', approved: 'approved' }

/**
 * Advances a review. Approval names the approved version of the corrections.
 * @param expected the revision of the review that the change was based on (optimistic locking)
 * @throws ServiceError 404, 409 if the state does not follow or other corrections came in between, 412 if another
 *   change of the review came first
 */
export async function changeReviewState(
  platform: Platform,
  caller: Caller,
  file: FileRow,
  expected: number,
  { state, corrections: wanted }: NewReviewState,
): Promise<Review> {
  return await writeReview(platform, caller, file, async (trx, now, head, { fingerprint }) => {
    if (head.revision !== expected) throw staleReview(head.revision)
    if (!statesAfter[now.review].includes(state)) throw doesNotFollow(now.review, state)
    const corrections = state === 'approved' ? await approvable(trx, file.id, fingerprint, wanted) : null
    const revision = head.revision + 1
    const key = { key_id: caller.keyId, key_name: await readKeyName(trx, caller.keyId) }
    await trx
      .insertInto('review_steps')
      .values({ file_id: file.id, revision, fingerprint, state, ...key, corrections, created_at: platform.clock() })
      .execute()
    const approved = corrections === null ? {} : { approved_revision: corrections }
    await patchFile(trx, now, { review: state, ...approved }, platform.clock())
    await appendLog(trx, { action: 'review', detail: logged[state], file }, platform.clock())
    return head.checked
  })
}

function staleReview(revision: number): ServiceError {
  const message = 'Somebody else has changed the review of this transcript meanwhile. Read it again.'
  return new ServiceError(412, message, { etag: `"${revision}"` })
}

function doesNotFollow(before: ReviewState, state: ReviewState): ServiceError {
  const possible = statesAfter[before].join(' or ')
  return new ServiceError(409, `A transcript in the state ${before} cannot become ${state}, only ${possible}.`)
}

/** @returns the revision of the corrections, which now has a name @throws ServiceError 409 */
async function approvable(
  trx: AccountTrx,
  fileId: string,
  fingerprint: string,
  wanted: number | undefined,
): Promise<number> {
  const head = await trx
    .selectFrom('corrections')
    .select(['revision', 'fingerprint'])
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  const revision = head?.revision ?? 0
  if (wanted !== revision) {
    throw new ServiceError(
      409,
      `The corrections are at revision ${revision}. Say with "corrections" which you approve.`,
    )
  }
  if (head !== undefined && head.fingerprint !== fingerprint) {
    throw new ServiceError(
      409,
      'The transcript is newer than its corrections. Open it in the dashboard to review them.',
    )
  }
  await trx
    .updateTable('correction_changes')
    .set({ name: 'Approved' })
    .where('file_id', '=', fileId)
    .where('revision', '=', revision)
    .where('name', 'is', null)
    .execute()
  return revision
}
