import { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import type { reopening, submission } from '../../contract/work/parts.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import { type WordRange, withRanges } from '../../text/word-ranges.ts'
import { changeFile, patchFile, writeFile } from '../orders/file/change-file.ts'
import { finishFile, parseOptions, raised } from '../orders/file/progress.ts'
import type { Db, Trx } from '../platform/db/open.ts'
import { enqueueJob } from '../platform/db/outbox.ts'
import type { FileRow, Staff, WorkPart } from '../platform/db/schema.ts'
import type { AccountTrx } from '../platform/db/write-account.ts'
import { mintId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import type { JobKind } from '../platform/queue/worker.ts'
import { ServiceError } from '../platform/service-error.ts'
import {
  correctedText,
  correctionsTo,
  countBlanks,
  fingerprintWords,
  joinTexts,
  type PartText,
  toStoredWords,
} from '../text/transcripts/part-text.ts'
import { storedWordsJson } from '../text/transcripts/stored-words.ts'
import { endClaim, freePart, type Held, requireHeld } from './claims.ts'
import { buildSheet, keptText } from './desk.ts'
import { changedWords, findUnheard, partsOfFile, partsProgress, payCents } from './parts.ts'
import { isSandboxStaff } from './sandbox-staff.ts'

/** Share of a part's audio to be played; below it a reason is required. */
export const heardShare = 0.95

/** The step that follows each one, and the number of completed steps then. */
const after: Readonly<Record<WorkStep, { step: WorkStep | null; reached: number }>> = {
  type: { step: 'review', reached: 1 },
  review: { step: null, reached: 2 },
  check: { step: null, reached: 3 },
}
/** After the re-review of a delivered transcript. */
const reReviewed = 4

type Claimed = readonly [partId: string, claim: number]
type Submission = z.infer<typeof submission>

/** @throws ServiceError 409 if requirements of the step are unmet */
function requireDone(part: Held, file: FileRow, { ticked, unheard_reason }: Submission): void {
  const open = buildSheet(parseOptions(file)).filter(({ id }) => !ticked.includes(id))
  if (open.length > 0) throw new ServiceError(409, `Not ticked off yet: ${open.map(({ text }) => text).join('; ')}.`)
  const { share } = findUnheard(part.heard_json, part.start_ms / 1_000, part.end_ms / 1_000)
  if (share >= heardShare || unheard_reason !== undefined) return
  throw new ServiceError(
    409,
    `Only ${Math.floor(100 * share)} % of the sound was heard. Hear the rest, or say why not.`,
  )
}

/**
 * Completes a step of a part: the next one waits for somebody else, and the order's progress is updated. Once all parts
 * are reviewed, the check of the whole opens; after it, the order is delivered.
 * @throws ServiceError as `requireHeld`; 409 if requirements are unmet, 412 if the text is of another revision
 */
export async function submitPart(platform: Platform, staff: Staff, claimed: Claimed, done: Submission): Promise<void> {
  const { db, clock, changes, config } = platform
  const { file_id, account_id: accountId } = await requireHeld(db, staff, ...claimed, clock())
  await writeFile(db, file_id, async (trx, file) => {
    const part = await requireHeld(trx, staff, ...claimed, clock())
    requireDone(part, file, done)
    const pay_cents = isSandboxStaff(staff)
      ? null
      : payCents(config.workPay, part.step ?? 'check', part.end_ms - part.start_ms)
    await finishStep(trx, part, { revision: done.revision, pay_cents }, clock())
    await moveOn(trx, file, part, clock())
  })
  changes.notify({ kind: 'file', accountId, fileId: file_id })
  changes.notify({ kind: 'delivery', accountId })
  changes.notify({ kind: 'job' })
}

async function finishStep(
  trx: Trx,
  part: Held,
  { revision, pay_cents }: { revision: number; pay_cents: number | null },
  now: number,
): Promise<void> {
  const text = await keptText(trx, part.id)
  if (text.revision !== revision) {
    const message = 'The text was saved once more since. Read it again before you submit it.'
    throw new ServiceError(412, message, { etag: `"${text.revision}"` })
  }
  const wordsOf = (set: typeof text.set) => correctedText(text.base, set).words
  const words = wordsOf(text.set)
  const texts = [wordsOf(text.stepSet), words].map((each) => each.map(({ word }) => word)) as [string[], string[]]
  const changed_words = changedWords(...texts)
  await endClaim(trx, part.id, 'submitted', now, { words: words.length, changed_words, pay_cents })
  await freePart(trx, part)
  const isAgain = part.step === 'check' && part.reached >= 3
  const { step, reached } = isAgain ? { step: null, reached: reReviewed } : after[part.step ?? 'check']
  const rest = part.step === 'type' ? { heard_json: '[]' } : {}
  await trx
    .updateTable('work_parts')
    .set({ step, reached: Math.max(part.reached, reached), waiting_since: now, blanks: countBlanks(words), ...rest })
    .set({ rework_json: '[]', note: '' })
    .where('id', '=', part.id)
    .execute()
  await trx
    .updateTable('work_texts')
    .set((eb) => ({ step_set_json: eb.ref('set_json') }))
    .where('part_id', '=', part.id)
    .execute()
}

async function moveOn(trx: AccountTrx, file: FileRow, { position }: Held, now: number): Promise<void> {
  const all = await partsOfFile(trx, file.id)
  const whole = all.find((part) => part.position === 0)
  const parts = all.filter((part) => part.position > 0)
  if (position > 0 && parts.every(({ step }) => step === null)) await waitForCheck(trx, file, whole, parts, now)
  if (position === 0) await enqueueJob(trx, file.id, 'release', now)
  const counted = parts.map(({ start_ms, end_ms, reached }) => ({ ms: end_ms - start_ms, reached }))
  const progress = raised(file, partsProgress(counted, (whole?.reached ?? 0) >= 3), now)
  if (progress !== null) await patchFile(trx, file, progress, now)
}

async function textOfPart(trx: Db, { id }: Pick<WorkPart, 'id'>): Promise<PartText> {
  const { base, set } = await keptText(trx, id)
  return correctedText(base, set)
}

/** Once all parts are reviewed, opens the check of the joined whole. Stretches played in the parts count for it. */
async function waitForCheck(
  trx: AccountTrx,
  file: FileRow,
  whole: WorkPart | undefined,
  parts: WorkPart[],
  now: number,
) {
  const texts: PartText[] = []
  for (const part of parts) texts.push(await textOfPart(trx, part))
  const { words, names } = joinTexts(texts)
  const heard_json = JSON.stringify(
    parts.reduce<WordRange[]>((sum, part) => withRanges(sum, JSON.parse(part.heard_json)), []),
  )
  const id = whole?.id ?? mintId('p')
  const waits = { step: 'check', waiting_since: now, heard_json } as const
  const of = {
    file_id: file.id,
    account_id: file.account_id,
    position: 0,
    start_ms: 0,
    end_ms: parts.at(-1)?.end_ms ?? 0,
  }
  await trx
    .insertInto('work_parts')
    .values({ id, ...of, ...waits })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(waits))
    .execute()
  const names_json = JSON.stringify(names)
  const text = {
    names_json,
    words_json: JSON.stringify(words),
    fingerprint: fingerprintWords(words),
    words: words.length,
  }
  const anew = { ...text, set_json: null, step_set_json: null }
  await trx
    .insertInto('work_texts')
    .values({ part_id: id, ...anew })
    .onConflict((conflict) =>
      conflict.column('part_id').doUpdateSet((eb) => ({ ...anew, revision: eb('work_texts.revision', '+', 1) })),
    )
    .execute()
}

/**
 * Sends a part back to typing. If the whole was being checked, the checker's changes move back into the parts, and the
 * check waits until all are reviewed again.
 * @throws ServiceError 403, 404, 409
 */
export async function reopenPart(
  platform: Platform,
  staff: Staff,
  partId: string,
  claim: number | null,
  { reasons, note = '' }: z.infer<typeof reopening>,
): Promise<void> {
  const { db, clock } = platform
  const asked = await db.selectFrom('work_parts').selectAll().where('id', '=', partId).executeTakeFirst()
  if (asked === undefined || asked.position === 0) throw new ServiceError(404, 'There is no such part.')
  await writeFile(db, asked.file_id, async (trx, file) => {
    const all = await partsOfFile(trx, file.id)
    const part = all.find(({ id }) => id === partId) ?? asked
    const whole = all.find(({ position }) => position === 0)
    const mine = [part, whole].find(
      (each) => each?.staff_id === staff.id && each.claim === claim && each.held_until > clock(),
    )
    if (staff.role !== 'manager' && (mine === undefined || mine.step === 'type')) {
      throw new ServiceError(403, 'A part is sent back by a manager, or by whoever reviews it or checks its file.')
    }
    if (part.step === 'type') throw new ServiceError(409, 'This part is being typed.')
    if ((whole?.reached ?? 0) >= 3) throw new ServiceError(409, 'The order is finished.')
    if (whole?.step === 'check') await splitCheckedText(trx, whole, all, clock())
    await endClaim(trx, part.id, mine?.id === part.id ? 'returned' : 'taken', clock(), { reason: 'rework' })
    await freePart(trx, part)
    const again = { step: 'type', waiting_since: clock(), rework_json: JSON.stringify(reasons), note } as const
    await trx
      .updateTable('work_parts')
      .set({ ...again, heard_json: '[]' })
      .where('id', '=', part.id)
      .execute()
  })
}

/** Splits the checked text of a whole order into its parts, and ends the check. */
async function splitCheckedText(trx: Trx, whole: WorkPart, all: readonly WorkPart[], now: number): Promise<void> {
  const checked = await textOfPart(trx, whole)
  for (const part of all.filter(({ position }) => position > 0)) {
    const isLast = part.end_ms === whole.end_ms
    const words = checked.words.filter(({ start }) => {
      const ms = Math.round(start * 1_000)
      return ms >= part.start_ms && (ms < part.end_ms || isLast)
    })
    const { base, set } = await keptText(trx, part.id)
    const [own, wanted] = [correctedText(base, set), { words, names: checked.names }]
    if (correctionsTo(own, wanted) === null) continue
    await trx
      .updateTable('work_texts')
      .set((eb) => ({ set_json: JSON.stringify(correctionsTo(base, wanted)), revision: eb('revision', '+', 1) }))
      .where('part_id', '=', part.id)
      .execute()
  }
  await endClaim(trx, whole.id, 'returned', now, { reason: 'rework' })
  await freePart(trx, whole)
  await trx.updateTable('work_parts').set({ step: null }).where('id', '=', whole.id).execute()
}

/** Job `release`: delivers the checked text, as recognition delivers its own. */
export function releaseJob(platform: Platform): JobKind {
  const { db, blobs, clock, log } = platform
  return {
    parallel: 1,
    async run({ file_id }) {
      const whole = await db
        .selectFrom('work_parts')
        .selectAll()
        .where('file_id', '=', file_id)
        .where('position', '=', 0)
        .where('reached', '>=', 3)
        .executeTakeFirst()
      if (whole === undefined) return { end: 'done' }
      const words = toStoredWords(await textOfPart(db, whole))
      await blobs.write(whole.file_id, 'words.json', Readable.from(storedWordsJson(words)))
      // A re-review replaces the transcript; readers recognize the new version by this time.
      if (whole.reached === reReviewed) await changeFile(platform, whole.file_id, () => ({ ready_at: clock() }))
      else await finishFile(platform, whole.file_id)
      await blobs.remove(whole.file_id, 'sound')
      return { end: 'done' }
    },
    async gaveUp({ file_id }, error) {
      log.error({ err: error, fileId: file_id }, 'a checked transcript could not be delivered')
    },
  }
}
