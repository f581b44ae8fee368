import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Delivery, Webhook } from '../../platform/db/schema.ts'
import { openGuard } from '../../platform/net/outbound-guard.ts'
import { makeCertificate } from '../../testing/test-service.ts'
import { type Attempt, attemptDelivery } from './attempt.ts'
import { newSecret } from './delivery-request.ts'
import { httpDispatch } from './http-dispatch.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const delivery: Delivery = {
  id: 'msg_1',
  account_id: 'a',
  file_id: 'f1',
  file_name: 'Hearing',
  progress_percent: 10,
  state: 'sending',
  attempts: 0,
  retry_step: 0,
  next_attempt_at: null,
  response_status: null,
  response_ms: null,
  error: null,
  created_at: 0,
  updated_at: 0,
  node: '',
  leased_until: 0,
}

function webhookTo(url: string): Webhook {
  const none = { previous_secret: null, previous_secret_until: null, paused_at: null, pause_reason: null }
  return { account_id: 'a', url, secret: newSecret(), ...none, simulate_failure: 0, created_at: 0, failing_since: null }
}

/** One delivery attempt to a receiver on a real port, with this timeout. */
async function tryAt(server: Server, scheme: 'http' | 'https', timeoutMs = 15_000): Promise<Attempt> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const guard = openGuard([target])
  closers.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => guard.close(),
  )
  const webhook = webhookTo(`${scheme}://${target}/hook`)
  const never = new AbortController().signal
  return await attemptDelivery(httpDispatch(guard), webhook, delivery, () => 0, never, timeoutMs)
}

function http(listener: RequestListener): Server {
  const server = createHttpServer(listener)
  closers.push(() => server.closeAllConnections())
  return server
}

describe('a receiver', () => {
  test('that never answers times out, with a readable reason', async () => {
    const attempt = await tryAt(
      http(() => {}),
      'http',
      200,
    )
    expect(attempt).toMatchObject({ status: null, error: 'No response within 0.2 s.', response: null })
    expect(attempt.tookMs).toBeGreaterThanOrEqual(199)
  })

  test('that responds but never ends its body is judged by its status', async () => {
    const server = http((_request, response) => void response.writeHead(200).write('so far'))
    const attempt = await tryAt(server, 'http', 300)
    expect(attempt).toMatchObject({ status: 200, error: null, response: { body: 'so far', truncated: true } })
  })

  test('with a self-signed certificate is not trusted, and gets nothing of the event', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-tls-'))
    closers.push(() => rm(directory, { recursive: true }))
    const { certPath, keyPath } = await makeCertificate(directory)
    let asked = 0
    const certificate = { cert: readFileSync(certPath), key: readFileSync(keyPath) }
    const server = createHttpsServer(certificate, (_request, response) => {
      asked += 1
      response.end()
    })
    const attempt = await tryAt(server, 'https')
    expect(attempt).toMatchObject({ status: null, error: expect.stringMatching(/TLS certificate was not accepted/) })
    expect(asked).toBe(0)
  })

  test.each([
    ['speaks something else than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'The response is not HTTP.'],
    ['closes the connection', '', 'The connection was closed before a response arrived.'],
    ['never ends its headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`, 'The response headers are too long.'],
  ])('that %s is told so', async (_name, bytes, error) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}) // the other side has hung up, as it should
      socket.once('data', () => socket.end(bytes))
    })
    expect(await tryAt(server, 'http')).toMatchObject({ status: null, error })
  })
})
