import { parse } from 'content-disposition'
import type { Dispatcher } from 'undici'
import { maxFileBytes } from '../../../contract/interface/limits.ts'
import { extensionOfName } from '../../../contract/interface/media-formats.ts'
import { checkForm, type Guard, TargetError } from '../net/outbound-guard.ts'
import { ServiceError } from '../service-error.ts'
import type { BlobStore, StagedBlob } from './blob-store.ts'
import { SpeedWatch } from './speed-watch.ts'

export type FetchedLink = {
  staged: StagedBlob
  /** from the server or the URL; not yet sanitized */
  fileName: string
  contentType: string | undefined
}

/** Throws if so many bytes have no room. */
type RequireRoom = (bytes: number) => Promise<void>
export type FetchLimits = { maxBytes: number; idleMs: number; totalMs: number; firstMs: number }
const defaultLimits: FetchLimits = {
  maxBytes: maxFileBytes,
  idleMs: 60_000,
  totalMs: 2 * 60 * 60 * 1_000,
  firstMs: 60_000,
}
const maxRedirects = 5
/** Maximum number of times an interrupted download is resumed. */
const maxResumes = 5
/** A download of unknown length is asked for room again after that many bytes. */
const roomStepBytes = 50_000_000
/** Servers send these types for any download, so they say nothing about the content. */
const downloadTypes = /^application\/(x-|force-)?download\b/i

const publicOnly = 'It must be a public URL that anyone can download without signing in. Nothing was charged.'

/** A status of a host that the guard has let through, so it is a public one. */
function refused(status: number): ServiceError {
  return new ServiceError(400, `The link could not be downloaded: its server answered ${status}. ${publicOnly}`)
}

/** One message for all network failures, so that a link reveals nothing about private networks (decision 8). */
function cannotFetch(cause: unknown): ServiceError {
  return new ServiceError(
    400,
    `The link could not be downloaded: there is no such server, or it could not be reached. ${publicOnly}`,
    {},
    { cause },
  )
}

function brokeOff(bytes: number, cause: unknown): ServiceError {
  const after = `after ${bytes.toLocaleString('en')} bytes`
  return new ServiceError(400, `The download of the link broke off ${after}. Nothing was charged.`, {}, { cause })
}

/**
 * Downloads a link completely into a staged blob, which the caller keeps or discards (spec 4.2, decision 8).
 * @param account the link's owner
 * @param link the customer's text
 * @param requireRoom asked for the declared length before a byte is stored; for one that is not declared, as bytes arrive
 * @param signal if aborted with a ServiceError, that is thrown
 * @throws ServiceError 400 on a link that is not allowed or cannot be fetched, 413 above 10 GB, 507 on a full disk; as
 *   `requireRoom`
 */
export async function fetchLink(
  guard: Guard,
  blobs: BlobStore,
  { account, link, requireRoom }: { account: string; link: string; requireRoom?: RequireRoom },
  signal?: AbortSignal,
  limits: FetchLimits = defaultLimits,
): Promise<FetchedLink> {
  const url = parseLink(link)
  const watch = new SpeedWatch(limits.firstMs)
  const bounds = [AbortSignal.timeout(limits.totalMs), watch.signal, ...(signal === undefined ? [] : [signal])]
  const until = AbortSignal.any(bounds)
  try {
    const ask = (range: Record<string, string>) => follow(guard, account, url, range, until, limits)
    const { staged, answer, finalUrl } = await download(blobs, ask, { maxBytes: limits.maxBytes, requireRoom, watch })
    const contentType = one(answer.headers['content-type'])
    return {
      staged,
      fileName: nameDownload(one(answer.headers['content-disposition']), url, finalUrl),
      contentType: contentType === undefined || downloadTypes.test(contentType) ? undefined : contentType,
    }
  } catch (error) {
    const told = [error, until.reason].find((each) => each instanceof ServiceError)
    if (told !== undefined) throw told
    throw watch.bytes > 0 && signal?.aborted !== true ? brokeOff(watch.bytes, error) : cannotFetch(error)
  } finally {
    watch.stop()
  }
}

function parseLink(link: string): URL {
  const trimmed = link.trim()
  const url = trimmed.length <= 8_000 ? URL.parse(trimmed) : null
  if (url === null) throw new ServiceError(400, 'link must be a complete URL that begins with http:// or https://.')
  try {
    checkForm(url)
  } catch (error) {
    throw new ServiceError(400, `link: ${error instanceof TargetError ? error.message : 'not a valid URL.'}`)
  }
  return url
}

function tooLarge(): ServiceError {
  return new ServiceError(413, 'The file is larger than 10 GB (10,000,000,000 bytes). Nothing was charged.')
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** Discards a body. Its stream then emits an error, which needs a listener. */
function drop(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined).destroy()
}

type Followed = { answer: Dispatcher.ResponseData; finalUrl: URL }

/** Follows redirects one at a time, so that the guard checks each target (SSRF). */
async function follow(
  guard: Guard,
  account: string,
  start: URL,
  range: Record<string, string>,
  signal: AbortSignal,
  { idleMs }: FetchLimits,
): Promise<Followed> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Parley', ...range }
  let url = start
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await guard.request(url, { account, method: 'GET', headers, signal, idleMs })
    if (answer.statusCode === 200 || answer.statusCode === 206) return { answer, finalUrl: url }
    drop(answer.body)
    const location = one(answer.headers.location)
    const next = location === undefined ? null : URL.parse(asUtf8(location), url.href)
    if (![301, 302, 303, 307, 308].includes(answer.statusCode) || next === null) {
      throw refused(answer.statusCode)
    }
    url = next
  }
  throw new TargetError('unreachable', 'The URL redirects too many times.')
}

/** The first byte of a response and the length of the whole; NaN for a length that it does not state. */
function readExtent({ statusCode, headers }: Dispatcher.ResponseData): { from: number; total: number } {
  if (statusCode === 200) return { from: 0, total: Number(headers['content-length'] ?? Number.NaN) }
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(one(headers['content-range']) ?? '') ?? []
  return { from: Number(from), total: Number(total) }
}

/** Asks for the rest of the same content; null if the server cannot tell whether it is the same. */
function askRest({ statusCode, headers }: Dispatcher.ResponseData, from: number): Record<string, string> | null {
  const etag = one(headers.etag) ?? ''
  const version = etag.startsWith('"') ? etag : one(headers['last-modified'])
  const canResume = statusCode === 206 || one(headers['accept-ranges']) === 'bytes'
  return canResume && version !== undefined ? { range: `bytes=${from}-`, 'if-range': version } : null
}

type Bounds = { maxBytes: number; requireRoom: RequireRoom | undefined; watch: SpeedWatch }

/** Stores a download whole: if it is interrupted, or the server sends a part, requests the rest. */
async function download(
  blobs: BlobStore,
  ask: (range: Record<string, string>) => Promise<Followed>,
  bounds: Bounds,
): Promise<Followed & { staged: StagedBlob }> {
  const first = await ask({})
  const staged = await blobs.stage()
  try {
    let { answer } = first
    for (let resumes = 0; ; resumes += 1) {
      const { from, total } = readExtent(answer)
      try {
        if (from !== staged.bytes) throw new TargetError('unreachable', 'The server sent another part.')
        await requireSize(bounds, total)
      } catch (error) {
        drop(answer.body)
        throw error
      }
      const failure = await pour(staged, answer.body, bounds, Number.isNaN(total))
      if (failure === null && !(staged.bytes < total)) return { ...first, staged }
      const rest = resumes < maxResumes ? askRest(answer, staged.bytes) : null
      if (rest === null) throw failure ?? new TargetError('unreachable', 'The server sent only a part.')
      answer = (await ask(rest)).answer
    }
  } catch (error) {
    await staged.discard()
    throw error
  }
}

/** @param bytes of the whole; NaN if unknown @throws ServiceError 413; as `requireRoom` */
async function requireSize({ maxBytes, requireRoom }: Bounds, bytes: number): Promise<void> {
  if (bytes > maxBytes) throw tooLarge()
  if (!Number.isNaN(bytes)) await requireRoom?.(bytes)
}

/** Stores a response. @returns the error that interrupted it, or null @throws ServiceError 413 or 507: nothing helps then */
async function pour(
  staged: StagedBlob,
  body: Dispatcher.ResponseData['body'],
  bounds: Bounds,
  isOpenEnded: boolean,
): Promise<Error | null> {
  let checkedBytes = staged.bytes
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      const bytes = staged.bytes + chunk.byteLength
      if (bytes > bounds.maxBytes) throw tooLarge()
      if (isOpenEnded && bytes - checkedBytes >= roomStepBytes) {
        await bounds.requireRoom?.(bytes)
        checkedBytes = bytes
      }
      await staged.append(chunk)
      bounds.watch.bytes = staged.bytes
    }
    return null
  } catch (error) {
    if (error instanceof ServiceError) throw error
    return error as Error
  }
}

/**
 * The name in Content-Disposition, else from the path of the link or of its final URL, whichever has a media extension.
 */
function nameDownload(disposition: string | undefined, link: URL, finalUrl: URL): string {
  const paths = [pathName(link), pathName(finalUrl)].filter((name) => name !== '')
  const path = paths.find((name) => extensionOfName(name) !== null) ?? paths[0] ?? link.hostname
  return dispositionName(disposition) || path
}

function dispositionName(disposition: string | undefined): string {
  try {
    return disposition === undefined ? '' : asUtf8(parse(disposition).parameters.filename ?? '')
  } catch {
    return '' // the header violates RFC 6266
  }
}

/** Headers are read as Latin-1, but many servers send UTF-8. */
function asUtf8(name: string): string {
  const text = Buffer.from(name, 'latin1').toString('utf8')
  return /[^\0-\xff]/.test(name) || text.includes('\ufffd') ? name : text
}

function pathName(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
