import { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import type { submission } from '../../contract/work/parts.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
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
  fingerprintWords,
  joinTexts,
  type PartText,
  toStoredWords,
} from '../text/transcripts/part-text.ts'
import { storedWordsJson } from '../text/transcripts/stored-words.ts'
import { endClaim, freePart, type Held, requireHeld } from './claims.ts'
import { buildSheet, closeStep, type KeptText, keptText } from './desk.ts'
import { partsOfFile, partsProgress } from './parts.ts'
import { isSandboxStaff } from './sandbox-staff.ts'
import { measureStep, readCovered, recordStep, type StepFigures, waitsForManager } from './step-record.ts'

/** Share of a part's audio to be played; below it a reason is required. */
export const heardShare = 0.95

/** The number of completed steps of a whole that was checked, until no odd step of its order waits for a manager. */
export const checkedReached = 2

/** The step that follows each one, and the number of completed steps then. */
const after: Readonly<Record<WorkStep, { step: WorkStep | null; reached: number }>> = {
  type: { step: 'review', reached: 1 },
  review: { step: null, reached: 2 },
  check: { step: null, reached: checkedReached },
}
/** After the re-review of a delivered transcript. */
const reReviewed = 4

type Claimed = readonly [partId: string, claim: number]
type Submission = z.infer<typeof submission>

/** @throws ServiceError 409 if requirements of the step are unmet */
function requireDone(
  file: FileRow,
  { covered, doubts, words, odd }: Pick<StepFigures, 'doubts' | 'words' | 'odd'> & { covered: number },
  { ticked, reason }: Submission,
): void {
  const open = buildSheet(parseOptions(file)).filter(({ id }) => !ticked.includes(id))
  if (open.length > 0) {
    const items = open.map(({ text }) => text.replace(/\.$/, ''))
    throw new ServiceError(409, `Not ticked off yet: ${items.join('; ')}.`)
  }
  if (reason !== undefined) return
  if (covered < heardShare) {
    const heard = `Only ${Math.floor(100 * covered)} % of the sound was heard.`
    throw new ServiceError(409, `${heard} Hear the rest, or say why not.`)
  }
  if (doubts > 0) {
    throw new ServiceError(409, `${doubts} doubtful places were not looked at. Look at them, or say why not.`)
  }
  if (odd.includes('short')) {
    const left = words === 0 ? 'The text is empty.' : `The text has only ${words} ${words === 1 ? 'word' : 'words'}.`
    throw new ServiceError(409, `${left} Type the rest, or say why not.`)
  }
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
    const covered = await readCovered(trx, part)
    const figures = measureStep(part, await textOfRevision(trx, part.id, done.revision), covered)
    // Simulated staff look at no doubts, and type nothing.
    const open = isSandboxStaff(staff) ? { ...figures, doubts: 0, odd: [] } : figures
    requireDone(file, { ...open, covered }, done)
    const record = await recordStep(trx, staff, part, figures, { pay: config.workPay, explanation: done.reason })
    await endClaim(trx, part.id, 'submitted', clock(), record)
    await finishStep(trx, part, figures.blanks, clock())
    await moveOn(trx, file, part, clock())
  })
  changes.notify({ kind: 'file', accountId, fileId: file_id })
  changes.notify({ kind: 'delivery', accountId })
  changes.notify({ kind: 'job' })
}

/** @throws ServiceError 412 if the text is of another revision */
async function textOfRevision(trx: Trx, partId: string, revision: number): Promise<KeptText> {
  const text = await keptText(trx, partId)
  if (text.revision === revision) return text
  const message = 'The text was saved once more since. Read it again before you submit it.'
  throw new ServiceError(412, message, { etag: `"${text.revision}"` })
}

/** A part about which nobody is told anything. */
const unmarked = { rework_json: '[]', note: '', places_json: '[]' } as const

async function finishStep(trx: Trx, part: Held, blanks: number, now: number): Promise<void> {
  await freePart(trx, part)
  const isAgain = part.step === 'check' && part.reached >= 3
  const { step, reached } = isAgain ? { step: null, reached: reReviewed } : after[part.step ?? 'check']
  const rest = part.step === 'type' ? { heard_json: '[]' } : {}
  await trx
    .updateTable('work_parts')
    .set({ step, reached: Math.max(part.reached, reached), waiting_since: now, blanks, ...rest })
    .set(unmarked)
    .where('id', '=', part.id)
    .execute()
  await closeStep(trx, part.id)
}

async function moveOn(trx: AccountTrx, file: FileRow, { position }: Held, now: number): Promise<void> {
  const all = await partsOfFile(trx, file.id)
  const whole = all.find((part) => part.position === 0)
  const parts = all.filter((part) => part.position > 0)
  if (position > 0 && parts.every(({ step }) => step === null)) await waitForCheck(trx, file, whole, parts, now)
  if (position === 0 && whole?.reached === reReviewed) await enqueueJob(trx, file.id, 'release', now)
  await releaseChecked(trx, file, now)
}

/**
 * Releases an order once it is checked and none of its steps waits for a manager, and updates its progress; not one that
 * was given up.
 */
export async function releaseChecked(trx: AccountTrx, file: FileRow, now: number): Promise<void> {
  if (file.given_up === 1) return
  const all = await partsOfFile(trx, file.id)
  const whole = all.find(({ position }) => position === 0)
  const isChecked = whole?.step === null && whole.reached === checkedReached
  const isReleased = isChecked && !(await waitsForManager(trx, file.id, now))
  if (isReleased) {
    await trx.updateTable('work_parts').set({ reached: 3 }).where('id', '=', whole.id).execute()
    await enqueueJob(trx, file.id, 'release', now)
  }
  const counted = all
    .filter(({ position }) => position > 0)
    .map(({ start_ms, end_ms, reached }) => ({ ms: end_ms - start_ms, reached }))
  const progress = raised(file, partsProgress(counted, isReleased || (whole?.reached ?? 0) >= 3), now)
  if (progress !== null) await patchFile(trx, file, progress, now)
}

export async function textOfPart(trx: Db, { id }: Pick<WorkPart, 'id'>): Promise<PartText> {
  const { base, set } = await keptText(trx, id)
  return correctedText(base, set)
}

/** Once all parts are reviewed, opens the check of the joined whole. */
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
  const id = whole?.id ?? mintId('p')
  // Marks of a check that was refused before are of another text.
  const waits = { step: 'check', reached: 0, waiting_since: now, heard_json: '[]', ...unmarked } as const
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
  const anew = { ...text, set_json: null, step_set_json: null, before_set_json: null }
  await trx
    .insertInto('work_texts')
    .values({ part_id: id, ...anew })
    .onConflict((conflict) =>
      conflict.column('part_id').doUpdateSet((eb) => ({ ...anew, revision: eb('work_texts.revision', '+', 1) })),
    )
    .execute()
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
