import { parse } from 'content-disposition'
import type { Dispatcher } from 'undici'
import { maxFileBytes } from '../../../contract/interface/limits.ts'
import { extensionOfName } from '../../../contract/interface/media-formats.ts'
import { checkForm, type Guard, TargetError } from '../net/outbound-guard.ts'
import { ServiceError } from '../service-error.ts'
import type { BlobStore, StagedBlob } from './blob-store.ts'

export type FetchedLink = {
  staged: StagedBlob
  /** from the server or the URL; not yet sanitized */
  fileName: string
  contentType: string | undefined
}

export type FetchLimits = { maxBytes: number; idleMs: number; totalMs: number; firstMs: number }
const defaultLimits: FetchLimits = {
  maxBytes: maxFileBytes,
  idleMs: 60_000,
  totalMs: 2 * 60 * 60 * 1_000,
  firstMs: 60_000,
}
/**
 * The minimum mean speed of a download, enforced from `firstMs` on; an hour of telephone quality then takes 48 minutes.
 */
const leastBytesPerSecond = 10_000
const maxRedirects = 5
/** Servers send these types for any download, so they say nothing about the content. */
const downloadTypes = /^application\/(x-|force-)?download\b/i

/** One message for all network failures, so that a link reveals nothing about private networks (decision 8). */
function cannotFetch(cause: unknown): ServiceError {
  return new ServiceError(
    400,
    'The link could not be downloaded. It must be a public URL that anyone can download without signing in. Nothing was charged.',
    {},
    { cause },
  )
}

/**
 * Downloads a link completely into a staged blob, which the caller keeps or discards (spec 4.2, decision 8).
 * @param account the link's owner
 * @param link the customer's text
 * @param signal if aborted with a ServiceError, that is thrown
 * @throws ServiceError 400 on a link that is not allowed or cannot be fetched, 413 above 10 GB, 507 on a full disk
 */
export async function fetchLink(
  guard: Guard,
  blobs: BlobStore,
  { account, link }: { account: string; link: string },
  signal?: AbortSignal,
  limits: FetchLimits = defaultLimits,
): Promise<FetchedLink> {
  const url = parseLink(link)
  const watch = new SpeedWatch(limits.firstMs)
  const bounds = [AbortSignal.timeout(limits.totalMs), watch.signal, ...(signal === undefined ? [] : [signal])]
  const until = AbortSignal.any(bounds)
  try {
    const { answer, finalUrl } = await follow(guard, account, url, until, limits)
    if (Number(answer.headers['content-length']) > limits.maxBytes) {
      drop(answer.body)
      throw tooLarge()
    }
    const staged = await store(blobs, answer.body, limits.maxBytes, watch)
    const contentType = one(answer.headers['content-type'])
    return {
      staged,
      fileName: nameDownload(one(answer.headers['content-disposition']), url, finalUrl),
      contentType: contentType === undefined || downloadTypes.test(contentType) ? undefined : contentType,
    }
  } catch (error) {
    const told = [error, until.reason].find((each) => each instanceof ServiceError)
    throw told ?? cannotFetch(error)
  } finally {
    watch.stop()
  }
}

/** Aborts a download that is too slow, counting redirects and waits. */
class SpeedWatch {
  bytes = 0
  readonly #startedAt = performance.now()
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(firstMs: number) {
    this.#timer = setInterval(() => this.#check(firstMs), Math.min(firstMs, 5_000)).unref()
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(firstMs: number): void {
    const ms = performance.now() - this.#startedAt
    if (ms < firstMs || this.bytes >= (leastBytesPerSecond * ms) / 1_000) return
    const least = `${leastBytesPerSecond / 1_000} kB per second`
    const message = `The link sends too slowly: on average less than ${least}. Nothing was charged.`
    this.#stop.abort(new ServiceError(400, message))
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
  signal: AbortSignal,
  { idleMs }: FetchLimits,
): Promise<Followed> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Parley' }
  let url = start
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await guard.request(url, { account, method: 'GET', headers, signal, idleMs })
    if (answer.statusCode === 200) return { answer, finalUrl: url }
    drop(answer.body)
    const location = one(answer.headers.location)
    const next = location === undefined ? null : URL.parse(location, url.href)
    if (![301, 302, 303, 307, 308].includes(answer.statusCode) || next === null) {
      throw new TargetError('unreachable', `The URL returned ${answer.statusCode}.`)
    }
    url = next
  }
  throw new TargetError('unreachable', 'The URL redirects too many times.')
}

async function store(
  blobs: BlobStore,
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  watch: SpeedWatch,
): Promise<StagedBlob> {
  const staged = await blobs.stage()
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      if (staged.bytes + chunk.byteLength > maxBytes) throw tooLarge()
      await staged.append(chunk)
      watch.bytes = staged.bytes
    }
    return staged
  } catch (error) {
    await staged.discard()
    throw error
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
