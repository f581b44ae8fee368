import type { Insertable } from 'kysely'
import {
  maxForms,
  maxVocabulary,
  type NewVocabularyEntry,
  type VocabularyEntry,
} from '../../../contract/account/vocabulary.ts'
import type { HeardForm } from '../../../text/vocabulary.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { readKeyName } from '../../accounts/auth/keys.ts'
import { notifyAccount } from '../../accounts/notify-account.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { savedByWord } from './places.ts'

type Row = { id: string; preset: string; written: string; heard: string[] }

/** Forms are equal if they differ only in case: that is how they are compared with a text. */
const compared = (form: string): string => form.toLowerCase()

async function selectEntries(db: Db | Trx, accountId: string) {
  const rows = await db
    .selectFrom('vocabulary')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ heard_json, ...row }) => ({ ...row, heard: JSON.parse(heard_json) as string[] }))
}

/** All entries of an account, newest first. */
export async function listEntries(db: Db, accountId: string): Promise<VocabularyEntry[]> {
  const [rows, saved] = await Promise.all([selectEntries(db, accountId), savedByWord(db, accountId)])
  return rows.map(({ id, written, heard, preset, key_name, created_at }) => {
    const added = iso(created_at)
    return { id, written, heard, preset: preset || null, saved: saved.get(written) ?? 0, added, key: key_name }
  })
}

/**
 * The vocabulary for an order's transcript: replacements, those of its preset first, and words for hints, most used
 * first.
 */
export async function vocabularyFor(
  db: Db,
  { account_id, preset }: { account_id: string; preset: string | null },
): Promise<{ forms: HeardForm[]; words: string[] }> {
  const all = (await listEntries(db, account_id)).filter((entry) => entry.preset === null || entry.preset === preset)
  const presetFirst = [...all.filter((entry) => entry.preset !== null), ...all.filter((entry) => entry.preset === null)]
  const mostUsedFirst = presetFirst.toSorted((one, two) => two.saved - one.saved)
  return {
    forms: presetFirst.flatMap(({ heard, written }) => heard.map((form) => ({ heard: form, written }))),
    words: [...new Set(mostUsedFirst.map(({ written }) => written))],
  }
}

async function write<Result>(
  platform: Platform,
  accountId: string,
  work: (trx: AccountTrx, rows: Row[]) => Promise<Result>,
): Promise<Result> {
  return await notifyAccount(platform, accountId, async (trx) => {
    const done = await work(trx, await selectEntries(trx, accountId))
    await appendLog(trx, { action: 'vocabulary', detail: 'changed' }, platform.clock())
    return done
  })
}

/**
 * Adds entries, all or none; forms of an existing entry are added to it.
 * @throws ServiceError 409 if there would be too many, or one form would have two spellings
 */
export async function addEntries(
  platform: Platform,
  { account, keyId }: Caller,
  added: readonly NewVocabularyEntry[],
): Promise<void> {
  await write(platform, account.id, async (trx, rows) => {
    const keyName = await readKeyName(trx, keyId)
    const all = [...rows]
    const made: Insertable<Database['vocabulary']>[] = []
    const known = new Map(rows.map((row) => [`${row.preset}\n${row.written}`, row]))
    const changed = new Set<Row>()
    for (const { written, heard, preset } of added) {
      const row = { id: mintId('w'), preset: preset ?? '', written, heard: distinct(heard, written) }
      const same = known.get(`${row.preset}\n${written}`)
      if (same !== undefined) {
        same.heard = distinct([...same.heard, ...row.heard], written)
        requireFewForms(same)
        changed.add(same)
        continue
      }
      known.set(`${row.preset}\n${written}`, row)
      changed.add(row)
      all.push(row)
    }
    if (all.length > maxVocabulary) throw new ServiceError(409, `A vocabulary can have at most ${maxVocabulary} words.`)
    requireUnambiguous(all)
    const by = { account_id: account.id, key_name: keyName, created_at: platform.clock() }
    for (const { heard, ...row } of changed) made.push({ ...row, ...by, heard_json: JSON.stringify(heard) })
    for (const values of made) {
      const { heard_json } = values
      await trx
        .insertInto('vocabulary')
        .values(values)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ heard_json }))
        .execute()
    }
  })
}

/** @throws ServiceError 404, 409 as `addEntries`, or if the word exists already */
export async function changeEntry(
  platform: Platform,
  accountId: string,
  id: string,
  { written, heard, preset }: NewVocabularyEntry,
): Promise<void> {
  await write(platform, accountId, async (trx, rows) => {
    if (!rows.some((row) => row.id === id)) throw noEntry()
    const changed = { id, preset: preset ?? '', written, heard: distinct(heard, written) }
    const others = rows.filter((row) => row.id !== id)
    if (others.some((row) => row.preset === changed.preset && row.written === written)) {
      throw new ServiceError(409, `“${written}” is in the vocabulary already.`)
    }
    requireUnambiguous([...others, changed])
    const values = { preset: changed.preset, written, heard_json: JSON.stringify(changed.heard) }
    await trx.updateTable('vocabulary').set(values).where('id', '=', id).execute()
  })
}

/** Moves the words of a preset to its new name. @throws ServiceError 409 if that already has one of the words */
export async function renamePreset(platform: Platform, accountId: string, from: string, to: string): Promise<void> {
  await write(platform, accountId, async (trx, rows) => {
    const taken = new Set(rows.filter(({ preset }) => preset === to).map(({ written }) => written))
    const twice = rows.find(({ preset, written }) => preset === from && taken.has(written))
    if (twice !== undefined) throw new ServiceError(409, `“${twice.written}” is in the vocabulary of ${to} already.`)
    requireUnambiguous(rows.map((row) => (row.preset === from ? { ...row, preset: to } : row)))
    const ofPreset = trx.updateTable('vocabulary').set({ preset: to }).where('account_id', '=', accountId)
    await ofPreset.where('preset', '=', from).execute()
  })
}

/** @throws ServiceError 404 */
export async function removeEntry(platform: Platform, accountId: string, id: string): Promise<void> {
  await write(platform, accountId, async (trx, rows) => {
    if (!rows.some((row) => row.id === id)) throw noEntry()
    await trx.deleteFrom('vocabulary').where('id', '=', id).execute()
  })
}

function noEntry(): ServiceError {
  return new ServiceError(404, 'The vocabulary has no such word. It may have been removed.')
}

/** Distinct forms, without the word itself: there is nothing to correct. */
function distinct(heard: readonly string[], written: string): string[] {
  const forms = heard.map(compared)
  return heard.filter((form, index) => form !== written && forms.indexOf(compared(form)) === index)
}

/** @throws ServiceError 409 if a word has more forms than can be changed again */
function requireFewForms({ written, heard }: Pick<Row, 'written' | 'heard'>): void {
  if (heard.length <= maxForms) return
  throw new ServiceError(409, `“${written}” would have ${heard.length} heard forms; at most ${maxForms} are possible.`)
}

/** @throws ServiceError 409 if the same form belongs to two words of the same orders */
function requireUnambiguous(rows: readonly Row[]): void {
  const seen = new Map<string, string>()
  for (const { preset, written, heard } of rows) {
    for (const form of heard) {
      const other = seen.get(`${preset}\n${compared(form)}`)
      if (other !== undefined) throw new ServiceError(409, `“${form}” is written “${other}” already.`)
      seen.set(`${preset}\n${compared(form)}`, written)
    }
  }
}
