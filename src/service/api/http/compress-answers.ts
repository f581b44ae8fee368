import { pipeline, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { compress, compressor, type Encoding, encodingFor } from '../../platform/content-encoding.ts'

/** A shorter body fits the packet of its headers. */
const minBytes = 1_000
const text = /^(text\/|application\/json)/

/** Says that the answer depends on `Accept-Encoding`. */
export function addVary(reply: FastifyReply): void {
  addToVary(reply, 'Accept-Encoding')
}

/** Says that the answer depends on a header of its request; once, however often it is said. */
export function addToVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')
  if (vary === undefined) reply.header('vary', name)
  else if (!String(vary).includes(name)) reply.header('vary', `${vary}, ${name}`)
}

/** Bodies that are sent again and again are buffers, which stay compressed as long as somebody keeps them. */
const compressedBuffers = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

function compressOnce(content: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = compressedBuffers.get(content) ?? new Map<Encoding, Promise<Buffer>>()
  compressedBuffers.set(content, known)
  const compressed = known.get(encoding) ?? compress(content, encoding, 'kept')
  known.set(encoding, compressed)
  // A failure is not kept.
  compressed.catch(() => known.delete(encoding))
  return compressed
}

function isStream(payload: unknown): payload is Readable {
  return typeof (payload as Readable | null)?.pipe === 'function'
}

/** A text that is made for this answer, long enough to gain by it. A stream with a length is a file, sent as it is kept. */
function isWorthIt(reply: FastifyReply, payload: unknown): payload is string | Buffer | Readable {
  if (payload === undefined || payload === null) return false
  if (reply.hasHeader('content-encoding') || !text.test(String(reply.getHeader('content-type')))) return false
  // Sent by another service, which has chosen.
  if (String(reply.getHeader('cache-control')).includes('no-transform')) return false
  if (isStream(payload)) return !reply.hasHeader('content-length')
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= minBytes
}

/** Compresses texts as the client takes them (decision 76), as `onSend` hook: with `done`, like all of every request. */
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
    // A failure of either end destroys both; Fastify hears of it from the last.
    if (isStream(payload)) return send(pipeline(payload, compressor(encoding, 'once'), () => undefined))
    const made = Buffer.isBuffer(payload) ? compressOnce(payload, encoding) : compress(payload, encoding, 'once')
    made.then(send, done)
  })
}
