import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BlackBox, filePart, head, openBlackBox, part, postForm, readError } from '../testing/black-box.ts'

let box: BlackBox
let tone: Buffer
let host: Server
let base: string
/** ends the slow response */
let letGo: () => void = () => undefined

beforeAll(async () => {
  host = createServer((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/talk')) response.writeHead(200, { 'content-type': 'audio/wav' }).end(tone)
    else if (path === '/named') {
      const disposition = "attachment; filename*=UTF-8''Gespr%C3%A4ch.wav"
      response.writeHead(200, { 'content-type': 'audio/wav', 'content-disposition': disposition }).end(tone)
    } else if (path === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in first</p>')
    else if (path === '/to-talk') response.writeHead(302, { location: '/talk.wav' }).end()
    else if (path === '/to-private') response.writeHead(302, { location: 'http://10.0.0.1/talk.wav' }).end()
    else if (path === '/slow') {
      response.writeHead(200, { 'content-type': 'audio/wav' }).write(tone.subarray(0, 100))
      letGo = () => response.end(tone.subarray(100))
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const { port } = host.address() as AddressInfo
  base = `http://127.0.0.1:${port}`
  box = await openBlackBox({ allowTargets: [`127.0.0.1:${port}`] })
  tone = Buffer.from(await box.kit.tone(0.2))
})
afterAll(async () => {
  await box.close()
  host.closeAllConnections()
  await new Promise((resolve) => host.close(resolve))
})

function order(key: string, link: string) {
  return box.raw(postForm(key, [part(['Content-Disposition: form-data; name="link"'], link)]))
}

describe('4.2 link (decision 8)', () => {
  it.each([
    ['/talk.wav', 'talk'],
    ['/talk%20of%20the%20day.wav?x=1', 'talk of the day'],
    ['/named', 'Gespräch'],
    ['/to-talk', 'talk'],
  ])('4.2 a file is created from a link to %s', async (path, name) => {
    const { key } = await box.account()
    const created = await order(key, base + path)
    expect(created.status).toBe(201)
    const metadata = await box.kit.metadata(key, JSON.parse(created.body).id)
    expect([metadata.name, metadata.bytes]).toEqual([name, String(tone.byteLength)])
  })

  it('decision 8: every unreachable link is refused with the same message, and nothing is kept', async () => {
    const { key } = await box.account()
    const links = [
      `${base}/to-private`,
      'http://10.0.0.1/a.wav',
      'http://127.0.0.1:9/a.wav',
      'http://[::1]/a.wav',
      'http://169.254.169.254/',
      'http://nowhere.invalid/a.wav',
    ]
    const answers = await Promise.all(links.slice(0, 3).map((link) => order(key, link)))
    answers.push(...(await Promise.all(links.slice(3).map((link) => order(key, link)))))
    expect(new Set(answers.map(({ status, body }) => `${status} ${readError(body)}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(400)
    expect(readError((await order(key, `${base}/gone`)).body)).toContain('its server answered 404')
    expect((await box.raw(head('GET', 'files', key))).body).toBe('[]')
  })

  it('4.2.4 a link to a page is 415', async () => {
    const { key } = await box.account()
    expect((await order(key, `${base}/page`)).status).toBe(415)
  })

  it('decision 8: a slow download blocks nobody', async () => {
    const { key } = await box.account()
    const slow = order(key, `${base}/slow`)
    expect((await order(key, `${base}/talk.wav`)).status).toBe(201)
    expect((await box.raw(head('GET', 'files', key))).status).toBe(200)
    letGo()
    expect((await slow).status).toBe(201)
  })
})

describe('Decisions', () => {
  it('7: an Idempotency-Key gives the same response again and charges once; other input is 422', async () => {
    const { key } = await box.account()
    const send = (content: Uint8Array) =>
      box.raw(postForm(key, [filePart(content)], { lines: ['Idempotency-Key: abc-1'] }))
    const [first, second] = [await send(tone), await send(tone)]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    expect((await send(await box.kit.tone(0.3).then(Buffer.from))).status).toBe(422)
    expect(JSON.parse((await box.raw(head('GET', 'files', key))).body)).toHaveLength(1)
  })

  it('16: too many requests of one key are 429 with Retry-After, and another key is not slowed', async () => {
    // Its clock is frozen: however slow the responses, the rate limit does not refill.
    const own = await openBlackBox({}, () => 0)
    try {
      const [{ key }, other] = [await own.account(), await own.account()]
      const answers = await Promise.all(Array.from({ length: 401 }, () => own.kit.fetch(key, 'files')))
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(1)
      expect(refused[0]?.headers.get('retry-after')).toBe('1')
      readError((await refused[0]?.text()) ?? '')
      expect((await own.raw(head('GET', 'files', other.key))).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  it('1.3 and decision 15: behind a proxy with an https address, plain HTTP is redirected to it', async () => {
    const own = await openBlackBox({ publicUrl: new URL('https://parley.example/') })
    try {
      const { key } = await own.account()
      const plain = await own.raw(head('GET', 'files?a=b', key, ['X-Forwarded-Proto: http']))
      expect([plain.status, plain.headers.get('location')]).toEqual([
        308,
        'https://parley.example/sandbox/v1/files?a=b',
      ])
      expect((await own.raw(head('GET', 'files', key, ['X-Forwarded-Proto: https']))).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  it('the interface describes itself at /openapi.json, under the content policy of pages', async () => {
    for (const [path, type] of [
      ['/openapi.json', 'application/json; charset=utf-8'],
      ['/openapi/customers.json', 'application/json; charset=utf-8'],
    ] as const) {
      const answer = await fetch(box.kit.address + path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type])
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })
})
