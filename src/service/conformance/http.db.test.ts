import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BlackBox, boundary, filePart, formEnd, head, openBlackBox, readError } from '../testing/black-box.ts'
import { clusterOfRun } from '../testing/running-cluster.ts'

let box: BlackBox
let key: string
let ready: string
let waiting: string
beforeAll(async () => {
  box = await openBlackBox()
  key = (await box.account()).key
  ready = await box.sample(key, 100)
  waiting = await box.sample(key, 30)
})
afterAll(() => box.close())

/** Pipelines requests on one connection, and returns the response statuses in order. */
async function statusesOf(requests: readonly (string | Uint8Array)[]): Promise<number[]> {
  const socket = connect(Number(new URL(box.kit.address).port), '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.write(Buffer.concat(requests.map((request) => Buffer.from(request))))
  for await (const chunk of socket) {
    received += chunk.toString('latin1')
    if (received.split('HTTP/1.1 ').length > requests.length && received.endsWith('}')) break
  }
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
}

describe('HTTP', () => {
  it.each(['', '.txt', '.pdf', '.json', '.mp3'])('HTTP: HEAD with "%s" has the headers of GET', async (ext) => {
    for (const id of [ready, waiting]) {
      const told = await box.raw(head('HEAD', `file/${id}${ext}`, key), { isHead: true })
      const got = await box.raw(head('GET', `file/${id}${ext}`, key))
      expect(told.status).toBe(got.status)
      for (const name of ['content-type', 'content-disposition', 'x-service-metadata']) {
        expect([name, told.headers.get(name)]).toEqual([name, got.headers.get(name)])
      }
    }
  })

  // A proxy answers invalid HTTP itself, in its own words.
  it.skipIf(clusterOfRun() !== null)(
    '7.2 errors of HTTP itself have the body of every error (needs a service without a proxy)',
    async () => {
      for (const [request, expected] of [
        [head('GET', 'files', key).replace('Host: localhost\r\n', ''), 400],
        ['NONSENSE\r\n\r\n', 400],
        [head('GET', 'file/%zz', key), 400],
        [head('GET', 'files', key, [`X: ${'x'.repeat(80_000)}`]), 431],
      ] as const) {
        const { status, body, headers } = await box.raw(request)
        expect([status, readError(body)]).toEqual([expected, expect.stringMatching(/\w+ \w+/)])
        expect(headers.get('strict-transport-security')).toMatch(/max-age/)
      }
      const expecting = await box.raw(head('GET', 'files', key, ['Expect: something']))
      expect(expecting.status).toBe(200)
    },
  )

  it('HTTP: responses may not be cached, framed, sniffed or leak referrers', async () => {
    for (const path of ['files', `file/${ready}`, 'file/none']) {
      const { headers } = await box.raw(head('GET', path, key))
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('strict-transport-security')).toMatch(/max-age/)
      expect(headers.get('access-control-allow-origin')).toBeUndefined()
    }
  })

  it('HTTP: pipelined requests are answered in order, whatever the result of earlier ones', async () => {
    const form = Buffer.concat([filePart(await box.kit.tone(0.2)), formEnd])
    const lines = [`Content-Type: multipart/form-data; boundary=${boundary}`, `Content-Length: ${form.byteLength}`]
    const statuses = await statusesOf([
      head('GET', 'files', key),
      head('HEAD', `file/${ready}`, key),
      head('GET', 'files', null),
      Buffer.concat([Buffer.from(head('POST', 'files', key, lines)), form]),
      head('PUT', 'files', key),
      head('GET', 'file/none', key),
    ])
    expect(statuses).toEqual([200, 200, 401, 201, 405, 404])
  })

  it('HTTP: a Content-Length that is too short is 400, and nothing is kept', async () => {
    const { key: own } = await box.account()
    const form = Buffer.concat([filePart(await box.kit.tone(0.2)), formEnd])
    const lines = [
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      `Content-Length: ${form.byteLength - 500}`,
    ]
    const answer = await box.raw(Buffer.concat([Buffer.from(head('POST', 'files', own, lines)), form]))
    expect([answer.status, readError(answer.body)]).toEqual([400, expect.any(String)])
    expect((await box.raw(head('GET', 'files', own))).body).toBe('[]')
  })

  it('HTTP: ranges are ignored, as RFC 9110 allows: the response is complete; only its own ETag is a condition', async () => {
    const whole = await box.raw(head('GET', `file/${ready}`, key))
    const etag = whole.headers.get('etag')
    const lines = ['Range: bytes=0-9', 'If-None-Match: "other"', 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT']
    for (const line of lines) {
      const { status, body } = await box.raw(head('GET', `file/${ready}`, key, [line]))
      expect([line, status, body]).toEqual([line, 200, whole.body])
    }
    const known = await box.raw(head('GET', `file/${ready}`, key, [`If-None-Match: ${etag}`]), { isHead: true })
    expect([known.status, known.headers.get('etag'), known.body]).toEqual([304, etag, ''])
  })

  it('HTTP: HEAD and GET state the content encoding', async () => {
    for (const [asked, encoding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip', 'gzip'],
      ['identity', undefined],
      ['*;q=0', undefined],
      [`${'nonsense,'.repeat(900)}`, undefined],
    ]) {
      for (const method of ['HEAD', 'GET']) {
        const line = `Accept-Encoding: ${asked}`
        const { status, headers } = await box.raw(head(method, `file/${ready}`, key, [line]), {
          isHead: method === 'HEAD',
        })
        expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([
          200,
          encoding,
          'Accept-Encoding',
        ])
      }
    }
  })
})
