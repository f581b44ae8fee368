import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import type { Account, AccountExport, FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { accountDocuments } from './account-documents.ts'
import { type Document, fileDocuments, recordingName } from './file-documents.ts'
import { directoryOf, localHeader, type ZipEntry } from './zip-format.ts'

/*
 * An export is a ZIP of which every byte is settled before the first is sent, so that a download goes on in the middle, on
 * any node, also after a restart. Three blobs under its id: `export/texts`, the beginning with all documents; `export/plan`,
 * which recordings follow; `export/tail`, the directory. Recordings are not copied: they are read when they are sent.
 */

/** A recording in the archive: its header is made again of this. */
type PlannedRecording = ZipEntry & { fileId: string }
export type ExportPlan = { textBytes: number; tailBytes: number; recordings: readonly PlannedRecording[] }

const filesAtOnce = 100
/** of the archive's directory */
const headersAtOnce = 1_000
const deflate = promisify(deflateRaw)

/** Documents as entries of a ZIP, and what the directory needs to know of them. */
class Texts {
  readonly entries: ZipEntry[] = []
  bytes = 0

  async *pack({ name, content, changedAt }: Document): AsyncGenerator<Buffer> {
    const plain = typeof content === 'string' ? Buffer.from(content) : content
    const packed = await deflate(plain)
    const method = packed.length < plain.length ? 'deflated' : 'stored'
    const body = method === 'deflated' ? packed : plain
    const sizes = { bytes: plain.length, packedBytes: body.length, offset: this.bytes }
    const entry: ZipEntry = { name, method, crc: crc32(plain), ...sizes, changedAt }
    const header = localHeader(entry)
    this.entries.push(entry)
    this.bytes += header.length + body.length
    yield header
    yield body
  }
}

/** The account's files, oldest first, that do not expire in the meantime. */
async function* filesOf({ db }: Platform, accountId: string): AsyncGenerator<FileRow> {
  for (let last: FileRow | undefined; ; ) {
    let query = db.selectFrom('files').selectAll().where('account_id', '=', accountId)
    if (last !== undefined) query = query.where('id', '>', last.id)
    const rows = await query.orderBy('id').limit(filesAtOnce).execute()
    yield* rows
    last = rows.at(-1)
    if (rows.length < filesAtOnce) return
  }
}

/** The checksum of a recording, which the headers need; null: there is none. */
async function readRecording({ blobs }: Platform, file: FileRow): Promise<{ bytes: number; crc: number } | null> {
  const size = file.recording_deleted_at === null ? await blobs.size(file.id, 'media') : null
  if (size === null) return null
  let crc = 0
  let bytes = 0
  for await (const part of blobs.read(file.id, 'media')) {
    crc = crc32(part, crc)
    bytes += part.length
  }
  return { bytes, crc }
}

/** Everything of the archive but the recordings, in order; notes how far it is. */
async function* textParts(
  platform: Platform,
  account: Account,
  made: AccountExport,
  { texts, recordings }: { texts: Texts; recordings: PlannedRecording[] },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { db } = platform
  const withRecordings = made.with_recordings === 1
  for await (const document of accountDocuments(platform, account, { files: made.files, withRecordings })) {
    yield* texts.pack(document)
  }
  let done = 0
  for await (const file of filesOf(platform, account.id)) {
    signal.throwIfAborted()
    for await (const document of fileDocuments(platform, file)) {
      yield* texts.pack(document)
    }
    const recording = withRecordings ? await readRecording(platform, file) : null
    if (recording !== null) {
      const { crc, bytes } = recording
      const sizes = { bytes, packedBytes: bytes, offset: 0 }
      const entry = { name: recordingName(file), method: 'stored', crc, ...sizes, changedAt: file.created_at } as const
      recordings.push({ ...entry, fileId: file.id })
    }
    done += 1
    if (done % 20 === 0) {
      const kept = await db
        .updateTable('exports')
        .set({ files_done: done })
        .where('id', '=', made.id)
        .executeTakeFirst()
      if (kept.numUpdatedRows === 0n) throw new Error('the export was removed')
    }
  }
  await db.updateTable('exports').set({ files_done: done }).where('id', '=', made.id).execute()
}

async function make(platform: Platform, made: AccountExport, signal: AbortSignal): Promise<void> {
  const { db, blobs, clock } = platform
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', made.account_id).executeTakeFirst()
  if (account === undefined) return
  const [texts, recordings] = [new Texts(), [] as PlannedRecording[]]
  const parts = textParts(platform, account, made, { texts, recordings }, signal)
  // One after the other: what waits for the disk outlives the collector's young generation, by a hundred megabytes.
  await blobs.write(made.id, 'export/texts', Readable.from(parts, { highWaterMark: 1 }))
  let at = texts.bytes
  for (const entry of recordings) {
    entry.offset = at
    at += localHeader(entry).length + entry.bytes
  }
  let tailBytes = 0
  async function* tail() {
    let gathered: Buffer[] = []
    for (const header of directoryOf([...texts.entries, ...recordings], at)) {
      tailBytes += header.length
      if (gathered.push(header) < headersAtOnce) continue
      yield Buffer.concat(gathered)
      gathered = []
      // There are tens of thousands: others' requests come in between.
      await turn()
    }
    yield Buffer.concat(gathered)
  }
  await blobs.write(made.id, 'export/tail', Readable.from(tail()))
  const plan: ExportPlan = { textBytes: texts.bytes, tailBytes, recordings }
  await blobs.write(made.id, 'export/plan', JSON.stringify(plan))
  await db
    .updateTable('exports')
    .set({ state: 'made', bytes: at + tailBytes, done_at: clock() })
    .where('id', '=', made.id)
    .execute()
}

/** Makes the exports that were asked for, one after the other; one that was interrupted from its beginning. */
export async function makeExports(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, log, blobs, changes } = platform
  for (;;) {
    const next = db.selectFrom('exports').selectAll().where('state', '=', 'making').orderBy('created_at')
    const made = await next.limit(1).executeTakeFirst()
    if (made === undefined || signal.aborted) return
    try {
      await make(platform, made, signal)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error, accountId: made.account_id }, 'an export failed')
      await blobs.remove(made.id)
      const words = 'The export could not be made. Try again, and tell support if it fails again.'
      await db.updateTable('exports').set({ state: 'failed', error: words }).where('id', '=', made.id).execute()
    }
    changes.notify({ kind: 'account', accountId: made.account_id })
  }
}
