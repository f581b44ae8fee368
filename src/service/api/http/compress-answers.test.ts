import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressAnswers } from './compress-answers.ts'

const rows = Array.from({ length: 500 }, (_, index) => ({ id: `file${index}`, name: 'Board meeting' }))
const json = JSON.stringify(rows)
const kept = Buffer.from(json)
const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

let app: FastifyInstance
let address: string
let endless: Readable

beforeAll(async () => {
  app = fastify()
  compressAnswers(app)
  app.get('/rows', async (_request, reply) => reply.header('vary', 'Origin').send(rows))
  app.get('/kept', async (_request, reply) => reply.type('application/json').send(kept))
  app.get('/short', async () => ({ short: true }))
  app.get('/csv', async (_request, reply) =>
    reply.type('text/csv').send(Readable.from([json.slice(0, 99), json.slice(99)])),
  )
  app.get('/endless', async (_request, reply) => {
    endless = Readable.from(
      (function* () {
        for (let line = 0; ; line++) yield `line ${line} ${Math.random()}\n`
      })(),
    )
    return reply.type('text/csv').send(endless)
  })
  app.get('/file', async (_request, reply) =>
    reply
      .type('text/plain')
      .header('content-length', kept.length)
      .send(Readable.from([kept])),
  )
  app.get('/sound', async (_request, reply) => reply.type('audio/wav').send(kept))
  app.get('/elsewhere', async (_request, reply) =>
    reply
      .type('text/plain')
      .header('cache-control', 'no-store, no-transform')
      .send(Readable.from([kept])),
  )
  address = await app.listen({ port: 0 })
})
afterAll(() => app.close())

/** Returns the response as sent over the socket: undici's `request` does not decompress. */
async function ask(path: string, encoding?: string, method: 'GET' | 'HEAD' = 'GET') {
  const asked = encoding === undefined ? {} : { 'accept-encoding': encoding }
  const answer = await request(address + path, { method, headers: asked })
  // These vary with the connection, which undici ends after a HEAD, and with time.
  const { connection: _, 'keep-alive': __, date: ___, ...headers } = answer.headers
  return { status: answer.statusCode, headers, bytes: Buffer.from(await answer.body.arrayBuffer()) }
}

test.each(['zstd', 'br', 'gzip'] as const)('texts are sent in %s if the client accepts it', async (encoding) => {
  for (const path of ['/rows', '/kept', '/kept', '/csv']) {
    const { headers, bytes } = await ask(path, encoding)
    expect([path, headers['content-encoding']]).toEqual([path, encoding])
    expect(headers.vary).toBe(path === '/rows' ? 'Origin, Accept-Encoding' : 'Accept-Encoding')
    expect(decoders[encoding](bytes).toString()).toBe(json)
    expect(bytes.length).toBeLessThan(json.length / 5)
    if (path !== '/csv') expect(headers['content-length']).toBe(String(bytes.length))
    expect((await ask(path, encoding, 'HEAD')).headers).toEqual({ ...headers, 'transfer-encoding': undefined })
  }
})

test('other clients get them uncompressed, with `Vary` for caches', async () => {
  for (const nonsense of [undefined, 'identity;q=0', '*;q=0', 'nonsense', 'x'.repeat(8_000)]) {
    for (const path of ['/rows', '/csv']) {
      const { status, headers, bytes } = await ask(path, nonsense)
      expect([status, headers['content-encoding'], bytes.toString()]).toEqual([200, undefined, json])
      expect(headers.vary).toMatch(/Accept-Encoding$/)
    }
  }
})

test('short texts, files, media and proxied responses are not recompressed', async () => {
  for (const path of ['/short', '/file', '/sound', '/elsewhere']) {
    const { headers } = await ask(path, 'zstd, br, gzip')
    expect([path, headers['content-encoding'], headers.vary]).toEqual([path, undefined, undefined])
  }
})

test('a client that leaves in the middle ends the text and its compressor', async () => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write('GET /endless HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n')
  await once(socket, 'data')
  expect(endless.destroyed).toBe(false)
  socket.destroy()
  await expect.poll(() => endless.destroyed).toBe(true)
  expect((await ask('/short')).status).toBe(200)
})
