import type { CorrectionChange, CorrectionSet, KeptCorrections } from '../../contract/account/corrections.ts'
import { optionTable, staffChecks } from '../../contract/interface/option-table.ts'
import {
  isInForce,
  isValueOption,
  type OptionName,
  type OrderOptions,
  optionNames,
  readStoredOptions,
} from '../../contract/interface/option-values.ts'
import type { DeskPart } from '../../contract/work/parts.ts'
import { applyChange, BadChangeError, checkChange } from '../../text/correction-set.ts'
import { fileById } from '../platform/db/change-files.ts'
import type { Db, Trx } from '../platform/db/open.ts'
import type { Staff } from '../platform/db/schema.ts'
import type { Platform } from '../platform/platform.ts'
import { ServiceError } from '../platform/service-error.ts'
import type { PartText } from '../text/transcripts/part-text.ts'
import { vocabularyFor } from '../text/vocabulary/entries.ts'
import { type Held, partGone, requireHeld, whileHeld } from './claims.ts'
import { isReReview, readHeard } from './parts.ts'
import { listStepsBefore } from './past-steps.ts'
import { listQueue } from './queue.ts'

type Claimed = readonly [partId: string, claim: number]

/** A part's initial words, and its corrections. */
export type KeptText = {
  base: PartText
  fingerprint: string
  set: CorrectionSet | null
  revision: number
  stepSet: CorrectionSet | null
  setBefore: CorrectionSet | null
}

function parseCorrections(json: string | null): CorrectionSet | null {
  return json === null ? null : JSON.parse(json)
}

/** @throws ServiceError 404 if its order was just deleted: every part has a text */
export async function keptText(db: Db, partId: string): Promise<KeptText> {
  const row = await db.selectFrom('work_texts').selectAll().where('part_id', '=', partId).executeTakeFirst()
  if (row === undefined) throw partGone()
  const { fingerprint, revision } = row
  const base = { words: JSON.parse(row.words_json), names: JSON.parse(row.names_json) }
  return {
    base,
    fingerprint,
    revision,
    set: parseCorrections(row.set_json),
    stepSet: parseCorrections(row.step_set_json),
    setBefore: parseCorrections(row.before_set_json),
  }
}

/** The next step begins with the text as it is now: only what it changes counts as its work. */
export async function closeStep(trx: Trx, partId: string): Promise<void> {
  await trx
    .updateTable('work_texts')
    .set((eb) => ({ before_set_json: eb.ref('step_set_json'), step_set_json: eb.ref('set_json') }))
    .where('part_id', '=', partId)
    .execute()
}

/** The end of a sentence, unless it only ends a title, an initial or another abbreviation. */
const sentenceEnd = /(?<=[.!?]["”’)]?)(?<!\b(?:\p{L}|Mrs?|Ms|Dr|St|Prof|Rev|Gen|vs|etc|approx)\.)\s+(?=[\p{Lu}\d"“‘(])/u

/** Splits a text into points, one per sentence, line or list entry. */
function splitPoints(text: string): string[] {
  return text
    .split(/\r?\n|;\s/)
    .flatMap((line) => line.replace(/^[\s\-–•*]+|^\s*\d+[.)]\s+/g, '').split(sentenceEnd))
    .map((point) => point.trim())
    .filter((point) => point !== '')
}

/** Checklist items that an option requires of the typist. */
function listChecks(name: OptionName, options: OrderOptions): DeskPart['sheet'] {
  if (staffChecks[name] === null || !isInForce(name, options)) return []
  const value = options[name]
  if (isValueOption(name)) {
    const words: Readonly<Record<string, string | null>> = staffChecks[name] ?? optionTable[name].values
    const text = words[String(value)] ?? null
    return text === null ? [] : [{ id: name, text }]
  }
  return [value]
    .flat()
    .flatMap(splitPoints)
    .map((text, index) => ({ id: `${name}-${index + 1}`, text }))
}

/** Builds the checklist of a step: every option that affects the text. */
export function buildSheet(options: OrderOptions): DeskPart['sheet'] {
  return optionNames.flatMap((name) => listChecks(name, options))
}

async function knownNames(db: Db, part: Held, options: OrderOptions): Promise<string[]> {
  const others = await db
    .selectFrom('work_texts')
    .innerJoin('work_parts', 'work_parts.id', 'work_texts.part_id')
    .select('set_json')
    .where('file_id', '=', part.file_id)
    .where('set_json', 'is not', null)
    .execute()
  const given = others.flatMap(({ set_json }) => parseCorrections(set_json)?.names ?? [])
  return [...new Set([...options.speaker_names, ...given])].filter((name) => !/^Speaker \d+$/.test(name))
}

/** The parts that the checker of a whole may send back. */
async function partsOfWhole(db: Db, { file_id, step, reached }: Held): Promise<DeskPart['parts']> {
  if (step !== 'check' || reached >= 3) return []
  const parts = await db
    .selectFrom('work_parts')
    .select(['id', 'position', 'start_ms', 'end_ms'])
    .where('file_id', '=', file_id)
    .where('position', '>', 0)
    .orderBy('position')
    .execute()
  return parts.map(({ start_ms, end_ms, ...part }) => ({ ...part, start: start_ms / 1_000, end: end_ms / 1_000 }))
}

/** Whether another step has worked on this text; that of the whole begins without corrections. */
const isAfterOther = ({ step, reached }: Held) => step === 'review' || (step === 'type' && reached > 0)

/** Everything the holder needs to work on a part. @throws ServiceError as `requireHeld`; 404 if its order was just deleted */
export async function openDesk(
  { db, clock, config }: Pick<Platform, 'db' | 'clock' | 'config'>,
  staff: Staff,
  [partId, claim]: Claimed,
): Promise<DeskPart> {
  const part = await requireHeld(db, staff, partId, claim, clock())
  const file = await fileById(db, part.file_id)
  if (file === undefined) throw partGone()
  const options = readStoredOptions(file.options_json)
  const [entry] = await listQueue(db, [part.id], staff.id, config.workPay)
  const { base, fingerprint, setBefore } = await keptText(db, part.id)
  const { words: vocabulary } = await vocabularyFor(db, file)
  if (entry === undefined) throw partGone()
  return {
    part: entry,
    fingerprint,
    words: base.words,
    names: [...base.names],
    known_names: await knownNames(db, part, options),
    sheet: buildSheet(options),
    vocabulary,
    strict_verbatim: options.strict_verbatim === 'on',
    spelling: options.spelling_style,
    house_style: config.houseStyle,
    heard: await readHeard(db, part),
    note: part.note,
    // Those of a re-review are in its note.
    places: isReReview(part) ? [] : JSON.parse(part.places_json),
    set_before: isAfterOther(part)
      ? (setBefore ?? { fingerprint, baseNames: base.names, names: base.names, patches: [] })
      : null,
    parts: await partsOfWhole(db, part),
    before: await listStepsBefore(db, part),
  }
}

/** The corrections of a part. @throws ServiceError as `requireHeld` */
export async function readPartCorrections(
  db: Db,
  staff: Staff,
  [partId, claim]: Claimed,
  now: number,
): Promise<KeptCorrections> {
  await requireHeld(db, staff, partId, claim, now)
  const { revision, set } = await keptText(db, partId)
  return { revision, set }
}

/**
 * Saves typed text: the part's corrections, all or nothing.
 * @param expected the revision that the change is based on (optimistic locking)
 * @throws ServiceError as `requireHeld`; 409 if the change does not fit, 412 if it is based on another revision
 * @returns the new revision
 */
export async function savePart(
  db: Db,
  staff: Staff,
  claimed: Claimed,
  { expected, change }: { expected: number; change: CorrectionChange },
  now: number,
): Promise<number> {
  return await whileHeld(db, staff, claimed, now, async (trx, part) => {
    const columns = ['fingerprint', 'words', 'set_json', 'revision'] as const
    const text = trx.selectFrom('work_texts').select(columns).where('part_id', '=', part.id)
    const { fingerprint, words, set_json, revision } = await text.executeTakeFirstOrThrow()
    if (revision !== expected) {
      const message = 'The text of this part was changed elsewhere. Read its corrections again and merge.'
      throw new ServiceError(412, message, { etag: `"${revision}"` })
    }
    if (fingerprint !== change.fingerprint) {
      throw new ServiceError(409, 'This part begins with other words by now. Load it again.')
    }
    const set = fitted(parseCorrections(set_json), change, words)
    const next = { set_json: JSON.stringify(set), revision: revision + 1 }
    await trx.updateTable('work_texts').set(next).where('part_id', '=', part.id).execute()
    await trx
      .updateTable('work_claims')
      .set((eb) => ({ saves: eb('saves', '+', 1) }))
      .where('part_id', '=', part.id)
      .where('claim', '=', part.claim)
      .execute()
    return revision + 1
  })
}

/** @throws ServiceError 409 if a change does not fit */
function fitted(set: CorrectionSet | null, change: CorrectionChange, words: number): CorrectionSet {
  try {
    checkChange(set?.patches ?? [], change, words)
    return applyChange(set, change)
  } catch (error) {
    if (error instanceof BadChangeError) throw new ServiceError(409, error.message)
    throw error
  }
}
