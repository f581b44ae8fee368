import { pipeline, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { compress, compressor, type Encoding, encodingFor } from '../../platform/content-encoding.ts'

/** Shorter bodies fit in the same packet as their headers. */
const minBytes = 1_000
const text = /^(text\/|application\/json)/

/** Adds `Accept-Encoding` to `Vary`. */
export function addVary(reply: FastifyReply): void {
  addToVary(reply, 'Accept-Encoding')
}

/** Adds a request header's name to `Vary`, at most once. */
export function addToVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')
  if (vary === undefined) reply.header('vary', name)
  else if (!String(vary).includes(name)) reply.header('vary', `${vary}, ${name}`)
}

/** Caches compressed forms of buffers, which are sent repeatedly, for as long as the buffer is referenced. */
const compressedBuffers = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

function compressOnce(content: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = compressedBuffers.get(content) ?? new Map<Encoding, Promise<Buffer>>()
  compressedBuffers.set(content, known)
  const compressed = known.get(encoding) ?? compress(content, encoding, 'kept')
  known.set(encoding, compressed)
  // Failures are not cached.
  compressed.catch(() => known.delete(encoding))
  return compressed
}

function isStream(payload: unknown): payload is Readable {
  return typeof (payload as Readable | null)?.pipe === 'function'
}

/** True for generated text long enough to benefit. A stream with a length is a file, sent as stored. */
function isWorthIt(reply: FastifyReply, payload: unknown): payload is string | Buffer | Readable {
  if (payload === undefined || payload === null) return false
  if (reply.hasHeader('content-encoding') || !text.test(String(reply.getHeader('content-type')))) return false
  // Proxied: the upstream has chosen the encoding.
  if (String(reply.getHeader('cache-control')).includes('no-transform')) return false
  if (isStream(payload)) return !reply.hasHeader('content-length')
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= minBytes
}

/** `onSend` hook: compresses text as the client accepts (decision 76). Uses `done`, like all per-request hooks. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isWorthIt(reply, payload)) return done(null, payload)
    addVary(reply)
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding === null) return done(null, payload)
    const send = (compressed: Buffer | Readable) => {
      reply.header('content-encoding', encoding).removeHeader('content-length')
      done(null, compressed)
    }
    // A failure at either end destroys both; Fastify sees it from the last.
    if (isStream(payload)) return send(pipeline(payload, compressor(encoding, 'once'), () => undefined))
    const made = Buffer.isBuffer(payload) ? compressOnce(payload, encoding) : compress(payload, encoding, 'once')
    made.then(send, done)
  })
}
