import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { maxFileBytes } from '../../../contract/interface/limits.ts'
import { authorization } from '../../testing/ask-api.ts'
import { startTestService, type TestAccount, type TestService } from '../../testing/test-service.ts'

/** Live manual orders wait for typists: nothing works on them, so the machine is free for the test. */
const quiet = { environment: 'live' } as const

let kit: TestService
let account: TestAccount
let tone: Buffer
beforeAll(async () => {
  kit = await startTestService({ role: 'api', silentBodyMs: 1_000 })
  tone = Buffer.from(await kit.tone(0.1))
})
// A new key each time, so that none exceeds its rate limit.
beforeEach(async () => {
  account = await kit.account(quiet)
})
afterAll(() => kit.close())

const boundary = 'bOuNdArY'
const part = (headers: string, content: Uint8Array | string) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
const filePart = (content: Uint8Array | string, type = 'Content-Type: audio/wav') =>
  part(`Content-Disposition: form-data; name="file"; filename="a.wav"\r\n${type}`, content)
const end = Buffer.from(`--${boundary}--\r\n`)

async function post(body: Uint8Array, contentType = `multipart/form-data; boundary=${boundary}`): Promise<Response> {
  return kit.fetch(account.key, 'files', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: body as Uint8Array<ArrayBuffer>,
  })
}

async function expectNothing(): Promise<void> {
  expect(await (await kit.fetch(account.key, 'files')).json()).toEqual([])
  const { db, blobs } = kit.platform
  expect(await db.selectFrom('ledger').select('id').execute()).toEqual([])
  expect(await db.selectFrom('charge_intents').select('account_id').execute()).toEqual([])
  for await (const id of blobs.ids()) throw new Error(`The bytes of ${id} stayed.`)
}

describe('a form that is not as it should be is a 4xx and leaves nothing', () => {
  const cases: readonly [string, number, () => Promise<Response>][] = [
    ['no parts', 400, () => post(end)],
    ['empty body', 400, () => post(Buffer.alloc(0))],
    ['no such boundary', 400, () => post(Buffer.concat([filePart(tone), end]), 'multipart/form-data; boundary=other')],
    ['no boundary', 400, () => post(Buffer.concat([filePart(tone), end]), 'multipart/form-data')],
    ['JSON', 400, () => post(Buffer.from('{"file":1}'), 'application/json')],
    ['url-encoded', 400, () => post(Buffer.from('file=1'), 'application/x-www-form-urlencoded')],
    ['a Content-Type that is none', 400, () => post(Buffer.from('x'), ';;;')],
    ['no final boundary', 400, () => post(filePart(tone))],
    ['cut in the headers', 400, () => post(Buffer.from(`--${boundary}\r\nContent-Dispo`))],
    ['a part without name', 400, () => post(Buffer.concat([part('Content-Disposition: form-data', 'x'), end]))],
    ['a part without headers', 400, () => post(Buffer.concat([part('X-Nothing: 1', 'x'), end]))],
    [
      'an unknown field',
      400,
      () => post(Buffer.concat([part('Content-Disposition: form-data; name="colour"', 'red'), filePart(tone), end])),
    ],
    ['two files', 400, () => post(Buffer.concat([filePart(tone), filePart(tone), end]))],
    [
      'file and link',
      400,
      () =>
        post(Buffer.concat([filePart(tone), part('Content-Disposition: form-data; name="link"', 'http://a/'), end])),
    ],
    [
      'two links',
      400,
      () => {
        const link = part('Content-Disposition: form-data; name="link"', 'http://127.0.0.1/')
        return post(Buffer.concat([link, link, end]))
      },
    ],
    ['an empty link', 400, () => post(Buffer.concat([part('Content-Disposition: form-data; name="link"', ''), end]))],
    [
      'a link to this machine',
      400,
      () => post(Buffer.concat([part('Content-Disposition: form-data; name="link"', `${kit.address}/healthz`), end])),
    ],
    ['an empty file', 400, () => post(Buffer.concat([filePart(''), end]))],
    ['a type that is not listed', 415, () => post(Buffer.concat([filePart(tone, 'Content-Type: image/png'), end]))],
    ['a text that lies', 415, () => post(Buffer.concat([filePart('not a recording at all'), end]))],
    ['half a header of a wav', 400, () => post(Buffer.concat([filePart(tone.subarray(0, 30)), end]))],
  ]
  it.each(cases)('%s: %i', async (_what, status, send) => {
    const answer = await send()
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\w{3}/) })
    await expectNothing()
  })

  it('whatever is removed, inserted or flipped', async () => {
    const whole = Buffer.concat([filePart(tone), end])
    const framing = whole.byteLength - tone.byteLength
    await fc.assert(
      fc.asyncProperty(fc.nat(framing), fc.nat(40), fc.uint8Array({ maxLength: 20 }), async (at, cut, put) => {
        // Damage hits the framing: the content is in the middle.
        const place = at < framing - end.byteLength ? at : at + tone.byteLength
        account = await kit.account(quiet)
        const damaged = Buffer.concat([whole.subarray(0, place), put, whole.subarray(place + cut)])
        const answer = await post(damaged)
        expect([201, 400, 413, 415]).toContain(answer.status)
        if (answer.status !== 201) return
        const { id } = (await answer.json()) as { id: string }
        expect((await kit.fetch(account.key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
      }),
      { numRuns: 100 },
    )
    await kit.platform.db.deleteFrom('ledger').execute()
    await expectNothing()
  })
})

/** Opens a connection for a handwritten request. */
async function open(head: readonly string[]) {
  const { hostname, port } = new URL(kit.address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const lines = ['POST /v1/files HTTP/1.1', 'Host: x', `Authorization: ${authorization(account.key)}`, ...head]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket
}
const formType = `Content-Type: multipart/form-data; boundary=${boundary}`

describe('an incomplete body', () => {
  it('is discarded when the client disconnects', async () => {
    const socket = await open([formType, 'Content-Length: 100000'])
    socket.write(filePart(tone).subarray(0, 500))
    await expect.poll(() => readdir(join(kit.dataDir, 'blobs/staging'))).toHaveLength(1)
    const closed = once(socket, 'close')
    socket.destroy()
    await closed
    await expect.poll(() => readdir(join(kit.dataDir, 'blobs/staging'))).toEqual([])
    await expectNothing()
  })

  it('is answered 408 after the idle timeout, and the connection is closed', async () => {
    const socket = await open([formType, 'Content-Length: 100000'])
    socket.write(filePart(tone).subarray(0, 500))
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toMatch(/\{"error":"No data arrived/)
    await expectNothing()
  })

  it('is accepted however slowly it arrives', async () => {
    const whole = Buffer.concat([filePart(tone), end])
    const socket = await open([formType, `Content-Length: ${whole.byteLength}`, 'Connection: close'])
    // Twelve chunks whose pauses add up to more than the idle timeout.
    const step = Math.ceil(whole.byteLength / 12)
    for (let at = 0; at < whole.byteLength; at += step) {
      socket.write(whole.subarray(at, at + step))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    const { id } = JSON.parse(answer.slice(answer.indexOf('{')))
    await kit.fetch(account.key, `file/${id}`, { method: 'DELETE' })
    await kit.platform.db.deleteFrom('ledger').execute()
  })
})

describe('refusals based on the head alone', () => {
  it('is 413 from a declared length above 10 GB, before the body is asked for', async () => {
    const socket = await open([formType, `Content-Length: ${maxFileBytes + 5_000}`, 'Expect: 100-continue'])
    const [first] = await once(socket, 'data')
    expect(String(first)).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  it('can be read by a client that is still sending, then the connection is closed', async () => {
    const socket = await open([formType, `Content-Length: ${maxFileBytes + 5_000}`])
    socket.on('error', () => undefined)
    const piece = Buffer.alloc(1_000_000)
    const answered = once(socket, 'data')
    for (let sent = 0; sent < 8; sent += 1) socket.write(piece)
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 413 /)
    await once(socket, 'close')
    await expectNothing()
  })

  it('lets exactly 10 GB through to the body', async () => {
    const around = filePart('').byteLength + end.byteLength
    const socket = await open([formType, `Content-Length: ${maxFileBytes + around}`, 'Expect: 100-continue'])
    const [first] = await once(socket, 'data')
    expect(String(first)).toMatch(/^HTTP\/1\.1 100 /)
    socket.destroy()
  })
})

describe('the byte count of a body without declared length', () => {
  /** Pretends that this much of a recording has arrived: 10 GB would take a test too long. */
  function haveCome(bytes: number): () => void {
    const { blobs } = kit.platform
    const stage = blobs.stage.bind(blobs)
    blobs.stage = async () => {
      const staged = await stage()
      return new Proxy(staged, {
        get(target, name) {
          if (name === 'bytes') return bytes + target.bytes
          const value = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    }
    return () => Object.assign(blobs, { stage })
  }

  async function sendInChunks(): Promise<string> {
    const socket = await open([formType, 'Transfer-Encoding: chunked', 'Connection: close'])
    const body = Buffer.concat([filePart(tone), end])
    socket.write(`${body.byteLength.toString(16)}\r\n`)
    socket.write(body)
    socket.write('\r\n0\r\n\r\n')
    return await text(socket)
  }

  it('is 413 at the first byte over 10 GB, and leaves nothing; exactly 10 GB are accepted', async () => {
    const restore = haveCome(maxFileBytes - tone.byteLength + 1)
    expect(await sendInChunks()).toMatch(/^HTTP\/1\.1 413 [\s\S]*10 GB/)
    restore()
    await expectNothing()
    const restoreAgain = haveCome(maxFileBytes - tone.byteLength)
    expect(await sendInChunks()).toMatch(/^HTTP\/1\.1 201 /)
    restoreAgain()
    const [file] = (await (await kit.fetch(account.key, 'files')).json()) as { id: string }[]
    await kit.fetch(account.key, `file/${file?.id}`, { method: 'DELETE' })
    await kit.platform.db.deleteFrom('ledger').execute()
  })
})
