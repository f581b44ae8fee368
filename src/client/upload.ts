import { type Connection, pause } from './connection.ts'
import { ParleyError } from './parley-error.ts'

/** Of a recording sent in parts by the tus protocol, 1.0.0. */
export type Upload = {
  recording: Blob
  /** the address of an upload that was begun before: it is continued */
  continues?: string | undefined
  metadata: Readonly<Record<string, string>>
  onStarted?: ((address: string) => void) | undefined
  onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined
  signal?: AbortSignal | undefined
}

const tus = { 'tus-resumable': '1.0.0' }
const partBytes = 16 * 1_024 * 1_024
/** Losses in a row, without a byte in between, after which an upload is given up; it can be continued later. */
const mostLosses = 8

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}

/** Sends a recording, continues after losses, and orders it. @returns the file's id. @throws ParleyError */
export async function sendInParts(connection: Connection, upload: Upload): Promise<string> {
  const address = upload.continues ?? (await start(connection, upload))
  upload.onStarted?.(address)
  let losses = 0
  for (let { offset, id } = await look(connection, address, upload); ; ) {
    upload.onProgress?.(offset, upload.recording.size)
    if (id !== null) return id
    if (offset === upload.recording.size) return await order(connection, address, upload)
    const before = offset
    try {
      ;({ offset, id } = await sendPart(connection, address, upload, offset))
    } catch (error) {
      if (!(error instanceof ParleyError) || !(error.status === 0 || error.status >= 500 || error.status === 409))
        throw error
      losses += 1
      if (losses > mostLosses) throw error
      await pause(Math.min(500 * 2 ** losses, 20_000), upload.signal)
      ;({ offset, id } = await look(connection, address, upload))
      // Refused with all bytes there, not lost: the order says why.
      if (error.status === 409 && offset < upload.recording.size && offset === before) throw error
    }
    if (offset > before) losses = 0
  }
}

async function start(connection: Connection, { recording, metadata, signal }: Upload): Promise<string> {
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${base64(value)}`)
  const headers = { ...tus, 'upload-length': String(recording.size), 'upload-metadata': pairs.join(',') }
  // A second start would only leave an empty upload behind.
  const answer = await connection.send({ method: 'POST', path: '/uploads/', headers, signal, isRepeatable: true })
  return answer.headers.get('location') ?? ''
}

type State = { offset: number; id: string | null }

function readState({ headers }: Response): State {
  return { offset: Number(headers.get('upload-offset')), id: headers.get('x-service-file') }
}

async function look(connection: Connection, path: string, { signal }: Upload): Promise<State> {
  return readState(await connection.send({ method: 'HEAD', path, headers: tus, signal, isRepeatable: true }))
}

async function sendPart(
  connection: Connection,
  path: string,
  { recording, signal }: Upload,
  offset: number,
): Promise<State> {
  const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
  const body = recording.slice(offset, offset + partBytes)
  // Not repeated as it is: after a loss some of its bytes may have arrived.
  return readState(await connection.send({ method: 'PATCH', path, headers, body, signal, isRepeatable: false }))
}

/** The bytes are there, and the answer was lost or refused the order: it is the same order, however often asked. */
async function order(connection: Connection, path: string, { signal }: Upload): Promise<string> {
  const answer = await connection.send({ method: 'POST', path: `${path}/order`, signal, isRepeatable: true })
  return ((await answer.json()) as { id: string }).id
}
