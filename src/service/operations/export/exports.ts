import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { exportDays } from '../../../contract/account/export.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { AccountExport } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { ExportPlan } from './make-export.ts'
import { localHeader } from './zip-format.ts'

/** When an export is removed, in milliseconds since 1970. */
export function expiryOf({ created_at }: AccountExport): number {
  return created_at + exportDays * dayMs
}

/** Exports of an account, newest first. */
export async function listExports({ db }: Pick<Platform, 'db'>, accountId: string): Promise<AccountExport[]> {
  return await db
    .selectFrom('exports')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .execute()
}

/** Asks for an export, which a chore makes. @throws ServiceError 409 while another one is made */
export async function requestExport(
  platform: Pick<Platform, 'db' | 'blobs' | 'clock' | 'changes'> & { reserve: Pick<Platform['reserve'], 'use'> },
  accountId: string,
  withRecordings: boolean,
): Promise<AccountExport> {
  const { db, clock, changes } = platform
  const former = await listExports(platform, accountId)
  const made = await writeAccount(db, accountId, async (trx) => {
    const making = trx.selectFrom('exports').select('id').where('account_id', '=', accountId)
    if ((await making.where('state', '=', 'making').executeTakeFirst()) !== undefined) {
      throw new ServiceError(409, 'An export is being made already.')
    }
    const { files } = await trx
      .selectFrom('files')
      .select((eb) => eb.fn.countAll<number>().as('files'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    const row = { id: mintId('exp'), account_id: accountId, with_recordings: withRecordings ? 1 : 0, files }
    const times = { created_at: clock(), done_at: null, error: null }
    await appendLog(trx, { action: 'account', detail: `export${withRecordings ? ' with recordings' : ''}` }, clock())
    return await trx
      .insertInto('exports')
      .values({ ...row, ...times, state: 'making' })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  for (const one of former) await removeExport(platform, one.id)
  changes.notify({ kind: 'export' })
  return made
}

/** @throws ServiceError 404 */
export async function findExport({ db }: Pick<Platform, 'db'>, accountId: string, id: string): Promise<AccountExport> {
  const ofAccount = db.selectFrom('exports').selectAll().where('account_id', '=', accountId)
  const found = await ofAccount.where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw new ServiceError(404, 'There is no such export. It may have expired.')
  return found
}

/** Row first: what is being made finds that nobody wants it. */
export async function removeExport(
  { db, blobs, reserve }: Pick<Platform, 'db' | 'blobs'> & { reserve: Pick<Platform['reserve'], 'use'> },
  id: string,
): Promise<void> {
  await db.deleteFrom('exports').where('id', '=', id).execute()
  await reserve.use(() => blobs.remove(id))
}

/** Removes exports that are old, or have a file that was deleted since: it shall be nowhere. */
export async function expireExports(platform: Platform): Promise<void> {
  const { db, clock } = platform
  const old = await db
    .selectFrom('exports')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('created_at', '<=', clock() - exportDays * dayMs),
        eb.exists(
          eb
            .selectFrom('deleted_files')
            .select('deleted_files.id')
            .whereRef('deleted_files.account_id', '=', 'exports.account_id')
            .whereRef('deleted_files.deleted_at', '>', 'exports.created_at'),
        ),
      ]),
    )
    .execute()
  for (const { id } of old) await removeExport(platform, id)
}

type Piece = { bytes: number; read: (start: number, end: number) => Iterable<Buffer> | AsyncIterable<Buffer> }

/** One after the other: an archive has tens of thousands, and most downloads begin at the first. */
function* piecesOf({ blobs }: Pick<Platform, 'blobs'>, id: string, plan: ExportPlan): Generator<Piece> {
  const blob = (fileId: string, part: 'media' | 'export/texts' | 'export/tail', bytes: number): Piece => {
    return { bytes, read: (start, end) => blobs.read(fileId, part, { start, end }) }
  }
  yield blob(id, 'export/texts', plan.textBytes)
  for (const entry of plan.recordings) {
    const header = localHeader(entry)
    yield { bytes: header.length, read: (start, end) => [header.subarray(start, end + 1)] }
    if (entry.bytes > 0) yield blob(entry.fileId, 'media', entry.bytes)
  }
  yield blob(id, 'export/tail', plan.tailBytes)
}

/** Bytes of an export's ZIP, both ends inclusive. The stream fails if a recording was deleted meanwhile. */
export async function readExport(
  platform: Pick<Platform, 'blobs'>,
  { id }: Pick<AccountExport, 'id'>,
  { start, end }: { start: number; end: number },
): Promise<Readable> {
  const plan = (await json(platform.blobs.read(id, 'export/plan'))) as ExportPlan
  async function* bytes() {
    let at = 0
    for (const piece of piecesOf(platform, id, plan)) {
      const [from, to] = [Math.max(start - at, 0), Math.min(end - at, piece.bytes - 1)]
      if (from <= to) yield* piece.read(from, to)
      at += piece.bytes
      if (at > end) return
    }
  }
  return Readable.from(bytes(), { objectMode: false })
}
