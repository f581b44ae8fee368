import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ModelFolder } from './model-folder.ts'
import { sha256Of } from './model-folder.ts'
import { type ModelId, modelBytes, type PinnedFile } from './pins.ts'

/** The download failed. The message is for operators and for `delay_reason`. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
}

/** `origin`: where the file comes from, as pinned */
type Mirror = URL | 'origin'

export type FetchOptions = {
  /** servers with `<id>/<file>` below their URL, the preferred one first; null: where each file comes from */
  mirrors: readonly Mirror[] | null
  signal: AbortSignal
  /** called while bytes arrive */
  onProgress?: (bytes: number, totalBytes: number) => void
  /** retry delays in milliseconds; as many retries as delays */
  retryWaitsMs?: readonly number[]
  /** fails immediately if the server is unreachable, as on a machine without internet */
  failFast?: boolean
  /** idle timeout of the response */
  silenceMs?: number
}

const defaultRetryWaitsMs = [1_000, 5_000, 20_000]
const defaultSilenceMs = 30_000
const remedy =
  'Set MODEL_URL to mirrors that this machine reaches, or fetch the files elsewhere and copy them: model import DIR.'

function downloadUrl(id: ModelId, file: PinnedFile, mirror: Mirror): URL {
  if (mirror === 'origin') return new URL(file.url)
  return new URL(`${id}/${file.name}`, mirror.href.endsWith('/') ? mirror : `${mirror.href}/`)
}

async function readSize(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}

/** Offset of the body according to the server: 0 for a complete response; null if it does not match the local file. */
function bodyStart(response: Response, have: number): number | null {
  if (response.status === 200) return 0
  const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')
  return response.status === 206 && Number(range?.[1]) === have ? have : null
}

/** One attempt: resumes at the end of `part`. Aborts if the server is silent, or sends more than expected. */
async function download(url: URL, part: string, file: PinnedFile, options: FetchOptions): Promise<void> {
  const have = await readSize(part)
  if (have === file.bytes) return
  const quiet = new AbortController()
  using silence = setTimeout(
    () => quiet.abort(new FetchError('The server stopped responding.')),
    options.silenceMs ?? defaultSilenceMs,
  )
  const response = await fetch(url, {
    headers: have > 0 ? { range: `bytes=${have}-` } : {},
    signal: AbortSignal.any([options.signal, quiet.signal]),
  })
  const start = bodyStart(response, have)
  if (response.body === null || start === null) {
    await response.body?.cancel()
    // The local part does not match the server's file: the next attempt starts over.
    if (response.status === 206 || response.status === 416) await rm(part, { force: true })
    throw new FetchError(`The server returned ${response.status}.`)
  }
  let bytes = start
  await using output = await open(part, start === 0 ? 'w' : 'a')
  for await (const chunk of response.body) {
    silence.refresh()
    bytes += chunk.byteLength
    if (bytes > file.bytes) {
      await rm(part, { force: true })
      throw new FetchError('The server sent more bytes than the file has.')
    }
    await output.write(chunk)
    options.onProgress?.(bytes, file.bytes)
  }
  if (bytes < file.bytes) throw new FetchError('The connection ended early.')
}

/** Downloads a file from one place. @throws FetchError, whose message says why it failed there */
async function fetchFrom(url: URL, folder: ModelFolder, id: ModelId, file: PinnedFile, options: FetchOptions) {
  const part = join(folder.root, `${id}-${file.name}.part`)
  for (const waitMs of [...(options.retryWaitsMs ?? defaultRetryWaitsMs), null]) {
    try {
      await download(url, part, file, options)
      if ((await sha256Of(part)) === file.sha256) return await folder.place(id, file, part)
      await rm(part, { force: true })
      throw new FetchError('What came does not match its checksum and was discarded.')
    } catch (error) {
      options.signal.throwIfAborted()
      const isUnreachable = !(error instanceof FetchError) && (await readSize(part)) === 0
      if (waitMs === null || (isUnreachable && options.failFast === true)) {
        throw error instanceof FetchError ? error : new FetchError('No connection.', { cause: error })
      }
      await delay(waitMs, undefined, { signal: options.signal })
    }
  }
}

/** Asks one place after the other. @throws FetchError with what each of them answered, and what can be done */
async function fetchFile(folder: ModelFolder, id: ModelId, file: PinnedFile, options: FetchOptions): Promise<void> {
  const failures: FetchError[] = []
  for (const mirror of options.mirrors ?? (['origin'] as const)) {
    const url = downloadUrl(id, file, mirror)
    try {
      return await fetchFrom(url, folder, id, file, options)
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      failures.push(new FetchError(`${url.host}: ${error.message}`, { cause: error }))
    }
  }
  const places = failures.map(({ message }) => message).join(' ')
  throw new FetchError(`${file.name} of ${id} could not be downloaded. ${places} ${remedy}`, { cause: failures[0] })
}

/**
 * Downloads the missing files of a model: each resumes an earlier attempt, is checked by size and hash, and only then
 * renamed to its final path. The caller holds the lock of `lockFetching`.
 * @throws FetchError if it cannot be downloaded; AbortError when `signal` is aborted
 */
export async function fetchModel(folder: ModelFolder, id: ModelId, options: FetchOptions): Promise<void> {
  await mkdir(folder.root, { recursive: true })
  const model = folder.model(id)
  const totalBytes = modelBytes(model)
  let before = 0
  for (const file of model.files) {
    const path = folder.path(id, file)
    const isThere = (await readSize(path)) === file.bytes && (await sha256Of(path)) === file.sha256
    if (!isThere) {
      await fetchFile(folder, id, file, {
        ...options,
        onProgress: (bytes) => options.onProgress?.(before + bytes, totalBytes),
      })
    }
    before += file.bytes
    options.onProgress?.(before, totalBytes)
  }
}
