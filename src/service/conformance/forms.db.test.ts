import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type BlackBox,
  boundary,
  filePart,
  formEnd,
  head,
  openBlackBox,
  part,
  postForm,
  readError,
  readMetadata,
} from '../testing/black-box.ts'

let box: BlackBox
let key: string
let tone: Buffer
beforeAll(async () => {
  box = await openBlackBox({ role: 'api' })
  tone = Buffer.from(await box.kit.tone(0.2))
})
beforeEach(async () => {
  key = (await box.account()).key
})
afterAll(() => box.close())

const disposition = 'Content-Disposition: form-data; name="file"; filename="a.wav"'
const wav = 'Content-Type: audio/wav'

/** POST files with a verbatim body. */
function post(body: Uint8Array, contentType = `multipart/form-data; boundary=${boundary}`, lines: string[] = []) {
  const all = [`Content-Type: ${contentType}`, `Content-Length: ${body.byteLength}`, ...lines]
  return box.raw(Buffer.concat([Buffer.from(head('POST', 'files', key, all)), body]))
}

async function nameOf(created: { body: string }): Promise<string> {
  return readMetadata(await box.raw(head('HEAD', `file/${JSON.parse(created.body).id}`, key), { isHead: true })).name
}

async function expectRefused(answer: { status: number; body: string }, status: number): Promise<string> {
  expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(/^\{"error":/)])
  expect((await box.raw(head('GET', 'files', key))).body).toBe('[]')
  return readError(answer.body)
}

describe('4.2 Create file: forms that are well formed', () => {
  it('4.2 success is 201 with a JSON object of only the id', async () => {
    const answer = await box.raw(postForm(key, [filePart(tone)]))
    expect(answer.status).toBe(201)
    expect(Object.keys(JSON.parse(answer.body))).toEqual(['id'])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it.each([
    ['a quoted boundary', `multipart/form-data; boundary="${boundary}"`],
    ['a type in capitals', `Multipart/Form-Data; Boundary=${boundary}`],
    ['a charset beside it', `multipart/form-data; charset=utf-8; boundary=${boundary}`],
    ['blanks around it', `multipart/form-data ;  boundary=${boundary} `],
  ])('4.2 %s', async (_, contentType) => {
    expect((await post(Buffer.concat([filePart(tone), formEnd]), contentType)).status).toBe(201)
  })

  it.each([
    ['a preamble', Buffer.concat([Buffer.from('This is a form.\r\n'), filePartOf(), formEnd])],
    ['an epilogue', Buffer.concat([filePartOf(), formEnd, Buffer.from('The end.\r\n')])],
    [
      'header names in capitals',
      Buffer.concat([part([disposition.replace('Content-Disposition', 'CONTENT-DISPOSITION'), wav], '@'), formEnd]),
    ],
    ['headers in another order', Buffer.concat([part([wav, disposition], '@'), formEnd])],
    [
      'headers that mean nothing here',
      Buffer.concat([part(['X-Any: 1', disposition, wav, 'Content-Transfer-Encoding: binary'], '@'), formEnd]),
    ],
    ['an unquoted name', Buffer.concat([part([disposition.replace('"file"', 'file'), wav], '@'), formEnd])],
    ['no filename', Buffer.concat([part(['Content-Disposition: form-data; name="file"', wav], '@'), formEnd])],
  ])('4.2 with %s', async (_, form) => {
    expect((await post(withTone(form))).status).toBe(201)
  })

  it('4.2 a body in chunks without a declared length', async () => {
    const body = Buffer.concat([filePart(tone), formEnd])
    const chunks = [...Array(Math.ceil(body.byteLength / 700)).keys()].map((index) =>
      body.subarray(index * 700, index * 700 + 700),
    )
    const sent = chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.byteLength.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ])
    const lines = [`Content-Type: multipart/form-data; boundary=${boundary}`, 'Transfer-Encoding: chunked']
    const request = Buffer.concat([Buffer.from(head('POST', 'files', key, lines)), ...sent, Buffer.from('0\r\n\r\n')])
    expect((await box.raw(request)).status).toBe(201)
  })

  it('4.2 a recording that contains bytes like a boundary', async () => {
    const looks = Buffer.concat([
      tone,
      Buffer.from(`\r\n--${boundary.slice(0, -1)}\r\n--\r\n--${boundary.slice(0, 5)}`),
    ])
    const created = await box.raw(postForm(key, [filePart(looks)]))
    expect(created.status).toBe(201)
    const { bytes } = await box.kit.metadata(key, JSON.parse(created.body).id)
    expect(bytes).toBe(String(looks.byteLength))
  })

  it.each([
    ['talk.wav', 'talk'],
    ['talk.v2.wav', 'talk.v2'],
    ['../../etc/passwd.wav', 'passwd'],
    ['C:\\Users\\ann\\talk.wav', 'talk'],
    ['Gespräch 🎙.wav', 'Gespräch 🎙'],
    ['مقابلة.wav', 'مقابلة'],
    ['two  words,   three.wav', 'two  words,   three'],
    ['a\u202eb.wav', 'ab'],
    [`${'n'.repeat(4_000)}.wav`, 'n'.repeat(255)],
    ['%22quoted%22.wav', '"quoted"'],
    ['a \\"quoted\\" word.wav', 'a "quoted" word'],
    ["Ann's (first) talk*.wav", "Ann's (first) talk*"],
  ])('2.2 the file name %.40s is shown as text', async (given, shown) => {
    const created = await box.raw(postForm(key, [filePart(tone, given)]))
    expect(created.status).toBe(201)
    expect(await nameOf(created)).toBe(shown)
  })

  it('2.2 inner spaces of a name are preserved in the name of the transcript, too', async () => {
    const created = await box.raw(postForm(key, [filePart(tone, 'two  words.wav')]))
    const target = `file/${JSON.parse(created.body).id}`
    const { headers } = await box.raw(head('HEAD', target, key), { isHead: true })
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="two {2}words.txt"/)
  })
})

/** The tone does not exist yet when cases are declared: `@` is its placeholder. */
function filePartOf(): Buffer {
  return part([disposition, wav], '@')
}
function withTone(form: Buffer): Buffer {
  const at = form.indexOf('\r\n\r\n@') + 4
  return Buffer.concat([form.subarray(0, at), tone, form.subarray(at + 1)])
}

describe('4.2 Create file: malformed forms', () => {
  it.each([
    ['application/json'],
    ['application/x-www-form-urlencoded'],
    ['text/plain'],
    ['multipart/mixed; boundary=x'],
    ['multipart/form-data'],
    ['multipart/form-data; boundary='],
    ['multipart/form-data; boundary=""'],
    ['audio/wav'],
    ['x'],
  ])('4.2.2 and 7: Content-Type %s is 400', async (contentType) => {
    const error = await expectRefused(await post(Buffer.concat([filePart(tone), formEnd]), contentType), 400)
    if (!contentType.startsWith('multipart/form-data')) expect(error).toContain('multipart/form-data')
  })

  it('4.2.2 no Content-Type is 400', async () => {
    await expectRefused(await box.raw(`${head('POST', 'files', key, ['Content-Length: 1'])}x`), 400)
  })

  it('4.2.1 and 7: neither file nor link is a 400 that names them', async () => {
    const error = await expectRefused(await post(formEnd), 400)
    expect(error).toMatch(/file/)
    expect(error).toMatch(/link/)
  })

  const link = part(['Content-Disposition: form-data; name="link"'], 'https://example.com/a.mp3')
  it.each([
    ['two files', () => [filePart(tone), filePart(tone)]],
    ['file and link', () => [filePart(tone), link]],
    ['link and file', () => [link, filePart(tone)]],
    ['two links', () => [link, link]],
    ['an unknown field', () => [part(['Content-Disposition: form-data; name="data"'], 'x'), filePart(tone)]],
    [
      'an option as a field',
      () => [filePart(tone), part(['Content-Disposition: form-data; name="time_coding"'], 'on')],
    ],
    ['a field name in capitals', () => [part([disposition.replace('"file"', '"FILE"'), wav], tone)]],
    ['a part without name', () => [part(['Content-Disposition: form-data; filename="a.wav"', wav], tone)]],
    ['a part that is no form-data', () => [part(['Content-Disposition: attachment; name="file"', wav], tone)]],
    ['an empty link', () => [part(['Content-Disposition: form-data; name="link"'], '')]],
    ['a link that is no address', () => [part(['Content-Disposition: form-data; name="link"'], 'talk.mp3')]],
    [
      'a link to this machine',
      () => [part(['Content-Disposition: form-data; name="link"'], `${box.kit.address}/healthz`)],
    ],
    ['a link to a file', () => [part(['Content-Disposition: form-data; name="link"'], 'file:///etc/passwd')]],
    ['an empty file', () => [filePart('')]],
  ])('4.2.1 and decision 4: %s is 400', async (_, parts) => {
    await expectRefused(await box.raw(postForm(key, parts())), 400)
  })

  it('decision 4: an unexpected field is named', async () => {
    const field = part(['Content-Disposition: form-data; name="time_coding"'], 'on')
    expect(await expectRefused(await box.raw(postForm(key, [field, filePart(tone)])), 400)).toContain('"time_coding"')
  })

  it('decision 3: a missing sound track and unreadable media are 400 with the reason', async () => {
    await expectRefused(await box.raw(postForm(key, [filePart(tone.subarray(0, 40))])), 400)
  })

  it.each(['0', '1'])(
    '4.2.3: Content-Length 10 GB and more than a form around is 413 before the body (+%s)',
    async (more) => {
      const bytes = BigInt(10_000_100_000) + BigInt(more)
      const lines = [`Content-Type: multipart/form-data; boundary=${boundary}`, `Content-Length: ${bytes}`]
      const answer = await box.raw(head('POST', 'files', key, lines))
      expect(answer.status).toBe(413)
      expect(readError(answer.body)).toMatch(/10 GB/)
    },
  )

  it('any damage of the framing is a 4xx or an order, never a 5xx and never an orphan', {
    timeout: 120_000,
  }, async () => {
    const whole = Buffer.concat([filePart(tone), formEnd])
    const headEnd = whole.indexOf('\r\n\r\n') + 4
    const damage = fc.record({ at: fc.nat(headEnd + 60), cut: fc.nat(12), put: fc.uint8Array({ maxLength: 12 }) })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, cut, put }) => {
        key = (await box.account()).key
        const place = at < headEnd ? at : whole.byteLength - (at - headEnd)
        const answer = await post(Buffer.concat([whole.subarray(0, place), put, whole.subarray(place + cut)]))
        expect([201, 400, 408, 413, 415]).toContain(answer.status)
        const listed = JSON.parse((await box.raw(head('GET', 'files', key))).body)
        expect(listed).toHaveLength(answer.status === 201 ? 1 : 0)
        if (answer.status !== 201) readError(answer.body)
      }),
      { numRuns: 40 },
    )
  })
})
