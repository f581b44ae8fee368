import { addAbortListener } from 'node:events'
import type { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { parse as parseDisposition } from 'content-disposition'
import { ServiceError } from '../../platform/service-error.ts'

/** A part of a multipart/form-data body (RFC 7578). Read `content` to its end before the next part arrives. */
export type FormPart = {
  name: string
  /** undefined if the part is not a file */
  fileName: string | undefined
  contentType: string | undefined
  content: Readable
}

/**
 * Parser buffers for a part's headers and content: large enough to avoid pausing and resuming the connection at each
 * chunk, which halved upload speed.
 */
const parserLimits = { maxHeaderPairs: 50, maxHeaderSize: 32_768, highWaterMark: 1_048_576, partHwm: 1_048_576 }

/** RFC 2046, 5.1.1 allows anything after the last boundary; no real client needs more than this. */
const maxEpilogueBytes = 1_048_576

/**
 * Returns the boundary of a `multipart/form-data` Content-Type.
 * @throws ServiceError 400 if it is another type or has none
 */
export function parseBoundary(contentType: string | undefined): string {
  const given = contentType ?? ''
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(given)) {
    throw new ServiceError(400, 'The Content-Type must be multipart/form-data, with the recording as the part "file".')
  }
  const match = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))\s*(?:;|$)/i.exec(given)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary !== undefined) return boundary
  throw new ServiceError(400, 'The Content-Type has no boundary, so the parts of the form cannot be told apart.')
}

function malformed(cause?: unknown): ServiceError {
  return new ServiceError(400, 'The form is malformed or incomplete. Nothing was charged.', {}, { cause })
}

/**
 * Browsers send a quote in a name as `%22` and a backslash unescaped; other clients send `\\"`. A backslash before the
 * closing quote is the last character of the name.
 */
const escapedQuote = /\\"(?!\s*(?:;|$))/g

/** Parses the headers of a part. They are UTF-8 (RFC 7578, 5.1), but the parser decodes them as Latin-1. */
function describe(headers: Readonly<Record<string, readonly string[]>>): Omit<FormPart, 'content'> {
  const headerText = (name: string) => {
    const value = headers[name]?.[0]
    return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8')
  }
  const disposition = (headerText('content-disposition') ?? '').replaceAll(escapedQuote, '%22')
  const { type, parameters } = parseDisposition(disposition, { multipart: true })
  if (type !== 'form-data' || parameters.name === undefined) throw malformed()
  return { name: parameters.name, fileName: parameters.filename, contentType: headerText('content-type') }
}

/**
 * Reads a form part by part as it arrives, in constant memory.
 * @param onPart called with one part at a time; reads it to its end, or throws
 * @param silentMs idle timeout of a body; a slow one is never cut off (decision 16)
 * @param ending aborted with a ServiceError on shutdown
 * @throws ServiceError 400 if the form is damaged or aborts, 408 if it falls silent; errors of `onPart`
 */
export async function readForm(
  body: Readable,
  boundary: string,
  silentMs: number,
  onPart: (part: FormPart) => Promise<void>,
  ending?: AbortSignal,
): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const parser = new Dicer({ ...parserLimits, boundary } as Dicer.Config)
  const fail = (error: unknown) => ended.reject(error instanceof ServiceError ? error : malformed(error))
  using silence = setTimeout(() => {
    fail(new ServiceError(408, `No data arrived for ${silentMs / 1_000} seconds. Nothing was charged.`))
  }, silentMs)
  using _ = ending && addAbortListener(ending, () => fail(ending.reason))
  const onData = () => void silence.refresh()
  // A complete body is also closed, perhaps before its last part is written.
  const onClose = () => void (body.readableEnded || fail(new Error('The connection was lost.')))
  let handled = Promise.resolve()
  const reading: { part: Readable | null } = { part: null }

  parser.on('part', (content) => {
    reading.part = content
    content.on('error', fail)
    content.on('header', (headers: object) => {
      const work = async () => onPart({ ...describe(headers as Record<string, string[]>), content })
      handled = handled.then(work)
      handled.catch(ended.reject)
    })
  })
  parser.on('error', fail)
  const whole = Promise.withResolvers<void>()
  let epilogueBytes = 0
  const onEpilogue = (chunk: Buffer) => {
    epilogueBytes += chunk.byteLength
    if (epilogueBytes > maxEpilogueBytes) fail(new Error('There is too much data after the last boundary.'))
  }
  // Emitted at the last boundary. The order waits for the end of the body: a client whose connection aborts earlier
  // gets an error, and retries.
  parser.on('finish', () => {
    body.unpipe(parser).on('data', onEpilogue).resume()
    handled.then(() => whole.promise).then(ended.resolve, ended.reject)
  })
  body.on('data', onData).once('end', whole.resolve).once('error', fail).once('close', onClose)
  body.pipe(parser)
  try {
    await ended.promise
  } catch (error) {
    // Stop the part's reader first, so that nothing is written after this has thrown.
    reading.part?.destroy()
    await handled.catch(() => undefined)
    throw error
  } finally {
    body.unpipe(parser)
    body.off('data', onData).off('data', onEpilogue).off('error', fail).off('close', onClose)
    body.on('error', () => undefined)
    parser.destroy()
  }
}
