import type { ReReview, ReReviewState } from '../../contract/account/manual-work.ts'
import { addBusinessDays } from '../../contract/common/business-days.ts'
import { minutesSeconds } from '../../text/clock-time.ts'
import { withoutRanges, withRanges } from '../../text/word-ranges.ts'
import { writeFile } from '../orders/file/change-file.ts'
import { fileNotFound, recordingBytes } from '../orders/file/own-file.ts'
import { appendLog } from '../platform/db/audit-log.ts'
import { enqueueJob } from '../platform/db/outbox.ts'
import type { FileRow, WorkPart } from '../platform/db/schema.ts'
import { iso } from '../platform/iso-time.ts'
import type { Platform } from '../platform/platform.ts'
import { ServiceError } from '../platform/service-error.ts'

/**
 * Requests a free re-review of places in a delivered transcript: the check of the whole reopens. Progress stays 100;
 * the transcript is replaced when it is done.
 * @throws ServiceError 404 if it was not typed by staff, 409 if it is not ready or was requested before, 410 if the
 * recording is gone
 */
export async function askReReview(platform: Platform, file: FileRow, { places }: ReReview): Promise<void> {
  const { db, clock, changes } = platform
  await recordingBytes(platform, file)
  const asked = await writeFile(db, file.id, async (trx) => {
    const ofFile = trx.selectFrom('work_parts').selectAll().where('file_id', '=', file.id)
    const whole = await ofFile.where('position', '=', 0).executeTakeFirst()
    if (whole === undefined || whole.reached < 3) {
      throw new ServiceError(409, 'Only a transcript that people typed and checked can be reviewed once more.')
    }
    if (whole.reached > 3 || whole.step !== null) {
      throw new ServiceError(409, 'This transcript was sent to be reviewed once more before; that can be done once.')
    }
    const seconds = whole.end_ms / 1_000
    const toHear = withRanges(
      [],
      places.filter(({ start, end }) => start < end).map(({ start, end }) => [start, end] as const),
    )
    // One line per place, whatever the customer has pasted.
    const lines = places.map(({ start, note }) => `${minutesSeconds(start)} ${note.replaceAll(/\s+/g, ' ')}`.trim())
    const note = lines.join('\n')
    const heard_json = JSON.stringify(withoutRanges([[0, seconds]], toHear))
    const places_json = JSON.stringify(places.map(({ start, end }) => ({ start, end })))
    const values = { step: 'check', waiting_since: clock(), heard_json, note, places_json } as const
    await trx.updateTable('work_parts').set(values).where('id', '=', whole.id).execute()
    await enqueueJob(trx, file.id, 'parts', clock())
    await appendLog(trx, { action: 'review', detail: 'asked for a re-review', file }, clock())
    return true
  })
  if (asked === null) throw fileNotFound()
  changes.notify({ kind: 'job' })
}

/** Due date of a re-review: a business day after the request. Milliseconds since 1970. */
export function reReviewDue({ waiting_since }: Pick<WorkPart, 'waiting_since'>): number {
  return addBusinessDays(waiting_since, 1)
}

/**
 * Whether a transcript may be, is being, or was re-reviewed.
 * @throws ServiceError 404 if it was not checked by staff
 */
export async function readReReview({ db }: Platform, fileId: string): Promise<ReReviewState> {
  const ofFile = db.selectFrom('work_parts').select(['id', 'reached', 'step', 'note']).where('file_id', '=', fileId)
  const whole = await ofFile.where('position', '=', 0).executeTakeFirst()
  if (whole === undefined || whole.reached < 3) throw new ServiceError(404, 'Nobody has typed this file, or not yet.')
  if (whole.step === 'check') return { state: 'open', places: whole.note.split('\n').length, done: null }
  if (whole.reached === 3) return { state: 'possible', places: 0, done: null }
  const { at } = await db
    .selectFrom('work_claims')
    .select((eb) => eb.fn.max('ended_at').as('at'))
    .where('part_id', '=', whole.id)
    .where('ending', '=', 'submitted')
    .executeTakeFirstOrThrow()
  return { state: 'done', places: 0, done: iso(at) }
}
