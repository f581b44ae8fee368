import { waitForTypists } from '../orders/file/progress.ts'
import type { Db } from '../platform/db/open.ts'
import type { WorkPart } from '../platform/db/schema.ts'
import type { Platform } from '../platform/platform.ts'
import { ServiceError } from '../platform/service-error.ts'

/* Audio of parts: 16 kHz mono PCM, sent as wav, so that seeking is exact. */

export const overlapMs = 10_000
const sampleRate = 16_000
const bytesPerMs = (sampleRate * 2) / 1_000
const headerBytes = 44
const looksEveryMs = 500

type Piece = { position: number; start: number; bytes: number }
/** The audio of a part: seconds of the recording, and the location of its bytes. */
export type PartSound = { start: number; seconds: number; pieces: Piece[]; bytes: number }

/** Builds the header of a wav file with this many bytes of audio. */
function wavHeader(bytes: number): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write('RIFF', 0)
  header.writeUInt32LE(headerBytes - 8 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return header
}

/** For a check, all parts in sequence; else the part with ten seconds of context on both sides. */
export async function openPartSound(platform: Platform, part: WorkPart): Promise<PartSound> {
  const { db, blobs } = platform
  const ofFile = db
    .selectFrom('work_parts')
    .select(['position', 'start_ms', 'end_ms'])
    .where('file_id', '=', part.file_id)
  const parts = await ofFile
    .where('position', part.position === 0 ? '>' : '=', part.position)
    .orderBy('position')
    .execute()
  const pieces: Piece[] = []
  for (const { position, start_ms, end_ms } of parts) {
    const size = await blobs.size(part.file_id, `sound/${position}`)
    if (size === null) throw await soundIsLost(platform, part.file_id)
    const before = Math.min(start_ms, overlapMs)
    const start = part.position === 0 ? before * bytesPerMs : 0
    const bytes = part.position === 0 ? Math.min(size - start, (end_ms - start_ms) * bytesPerMs) : size
    pieces.push({ position, start, bytes: Math.max(0, bytes) })
  }
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
  const start = part.position === 0 ? 0 : Math.max(0, part.start_ms - overlapMs) / 1_000
  return { start, seconds: bytes / bytesPerMs / 1_000, pieces, bytes: bytes + headerBytes }
}

/** Backups do not contain the audio of parts: recreate it. */
async function soundIsLost(platform: Platform, fileId: string): Promise<ServiceError> {
  await waitForTypists(platform, fileId)
  return new ServiceError(503, 'The sound is being prepared. Try again in a minute.', { 'retry-after': '30' })
}

/** Streams bytes of a wav, both ends inclusive, until `isHeld` is false: then `cut` aborts the response. */
export async function* readSound(
  { blobs }: Platform,
  fileId: string,
  { pieces, bytes }: PartSound,
  range: { start: number; end: number },
  { isHeld, cut }: { isHeld: () => Promise<boolean>; cut: () => void },
): AsyncGenerator<Uint8Array> {
  let lookedMs = performance.now()
  const header = wavHeader(bytes - headerBytes).subarray(range.start, range.end + 1)
  if (header.length > 0) yield header
  let at = headerBytes
  for (const piece of pieces) {
    const [from, to] = [Math.max(range.start - at, 0), Math.min(range.end - at, piece.bytes - 1)]
    at += piece.bytes
    if (from > to) continue
    const content = blobs.read(fileId, `sound/${piece.position}`, { start: piece.start + from, end: piece.start + to })
    for await (const chunk of content) {
      if (performance.now() - lookedMs > looksEveryMs) {
        if (!(await isHeld())) return cut()
        lookedMs = performance.now()
      }
      yield chunk
    }
  }
}

/** A part, if it is held under this claim. */
export async function findHeldPart(db: Db, partId: string, claim: number, now: number): Promise<WorkPart | undefined> {
  const part = db.selectFrom('work_parts').selectAll().where('id', '=', partId).where('claim', '=', claim)
  return await part.where('held_until', '>', now).executeTakeFirst()
}
