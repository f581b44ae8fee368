import type { ExpressionBuilder } from 'kysely'
import {
  type CorrectionChange,
  type CorrectionVersion,
  replacingLabels,
} from '../../../contract/account/corrections.ts'
import { dayMs, hourMs } from '../../../contract/common/durations.ts'
import { joinChanges } from '../../../text/correction-set.ts'
import { writeFile } from '../../orders/file/change-file.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** Changes of one key with shorter pauses than this form one version. */
const pauseMs = 10 * 60_000

const replacing = Object.values(replacingLabels)

/** True if this change puts another text in the place of the whole. */
function replacesAll({ label }: { label: string }): boolean {
  return replacing.some((begin) => label.startsWith(begin))
}

/**
 * The states of a file's corrections worth restoring, newest first: the last before each pause, before another key took
 * over, before the whole was replaced, and the named ones.
 */
export async function listVersions(db: Db, fileId: string): Promise<CorrectionVersion[]> {
  const changes = await db
    .selectFrom('correction_changes')
    .select(['revision', 'key_id', 'key_name', 'label', 'corrections', 'name', 'created_at'])
    .where('file_id', '=', fileId)
    .orderBy('revision')
    .execute()
  const versions = changes.filter((change, index) => {
    const next = changes[index + 1]
    const isLast = next === undefined || next.key_id !== change.key_id
    return isLast || change.name !== null || replacesAll(next) || next.created_at - change.created_at >= pauseMs
  })
  return versions
    .map(({ revision, key_name, label, corrections, name, created_at }) => {
      return { revision, saved: iso(created_at), key: key_name, label, corrections, name }
    })
    .reverse()
}

/** Changes that are not thinned yet, as somebody may be reading those revisions. */
const keptChanges = 10
/** Changes of a file at most, but for named ones. */
const maxChanges = 200
/** Each write adds one change; more of them shrink an older history. */
const joinsOfWrite = 3

type Listed = { revision: number; key_id: string; label: string; name: string | null; created_at: number }

/** True if a state need not be kept beside the next one: within a version; later one an hour is kept, then one a day. */
function isDispensable(one: Listed, next: Listed, now: number): boolean {
  // A replacement shows that the state before it is worth restoring.
  if (one.name !== null || replacesAll(one)) return false
  if (one.key_id === next.key_id && !replacesAll(next) && next.created_at - one.created_at < pauseMs) return true
  const ageMs = now - next.created_at
  const isSame = (spanMs: number) => Math.floor(one.created_at / spanMs) === Math.floor(next.created_at / spanMs)
  return (ageMs > dayMs && isSame(hourMs)) || (ageMs > 30 * dayMs && isSame(dayMs))
}

/** Joins changes whose states need not be kept with those after them, a few with each write. */
export async function thinChanges(trx: Trx, fileId: string, now: number): Promise<void> {
  const ofFile = trx.selectFrom('correction_changes').where('file_id', '=', fileId)
  const all = await ofFile.select(['revision', 'key_id', 'label', 'name', 'created_at']).orderBy('revision').execute()
  const pairs = all.slice(0, -keptChanges).flatMap((one, index): [Listed, Listed][] => {
    const next = all[index + 1]
    return next === undefined ? [] : [[one, next]]
  })
  const unnamed = pairs.filter(([{ name }]) => name === null)
  const isTooMany = unnamed.length + keptChanges > maxChanges
  const joined = unnamed.filter(([one, next], index) => isDispensable(one, next, now) || (isTooMany && index === 0))
  for (const [one, next] of joined.slice(0, joinsOfWrite)) await joinInto(trx, fileId, one.revision, next.revision)
}

async function joinInto(trx: Trx, fileId: string, from: number, to: number): Promise<void> {
  const rows = await trx
    .selectFrom('correction_changes')
    .select('change_json')
    .where('file_id', '=', fileId)
    .where('revision', 'in', [from, to])
    .orderBy('revision')
    .execute()
  const [first, second] = rows.map(({ change_json }) => JSON.parse(change_json) as CorrectionChange)
  if (first === undefined || second === undefined) return
  const change_json = JSON.stringify(joinChanges(first, second))
  const at = (revision: number) => (eb: ExpressionBuilder<Database, 'correction_changes'>) =>
    eb.and({ file_id: fileId, revision })
  await trx.updateTable('correction_changes').set({ change_json }).where(at(to)).execute()
  await trx.deleteFrom('correction_changes').where(at(from)).execute()
}

/** Names a state, which keeps it in the list. @throws ServiceError 404 */
export async function nameVersion(db: Db, fileId: string, revision: number, name: string): Promise<void> {
  const named = await writeFile(db, fileId, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('correction_changes')
      .set({ name })
      .where('file_id', '=', fileId)
      .where('revision', '=', revision)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })
  if (named !== true) throw noVersion()
}

export function noVersion(): ServiceError {
  return new ServiceError(404, 'The corrections of this file have no such version.')
}
