import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountClient } from '../testing/account-client.ts'
import { type BlackBox, openBlackBox } from '../testing/black-box.ts'

type Event = { method: string; headers: IncomingHttpHeaders; body: string; progress: number }

let box: BlackBox
let receiver: Server
let port: number
const events: Event[] = []
const waiting: (() => void)[] = []
let key: string

/** Reads the file's progress as a client would: right after the event (spec 6, follow-up). */
async function progressNow(body: string): Promise<number> {
  return (await box.kit.metadata(key, JSON.parse(body).id)).progress_percent
}

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = await text(request)
    events.push({ method: request.method ?? '', headers: request.headers, body, progress: await progressNow(body) })
    response.end('ok')
    for (const wake of waiting.splice(0)) wake()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
  box = await openBlackBox({ allowTargets: [`127.0.0.1:${port}`] })
})
afterAll(async () => {
  await box.close()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise<void>((resolve) => waiting.push(resolve))
}

function setWebhook(url: string): Promise<Response> {
  return accountClient(box.kit.address, key).ask('PUT', 'webhook', { url })
}

describe('6 Events', () => {
  it('6 any progress update is POSTed as JSON with exactly the id, signed, and is readable by then', async () => {
    key = (await box.account()).key
    const answer = await setWebhook(`http://127.0.0.1:${port}/hook`)
    expect(answer.status).toBe(200)
    const { secret } = (await answer.json()) as { secret: string }
    const id = await box.sample(key, 10)
    await until(() => events.some(({ progress }) => progress === 10))
    for (const progress of [25, 60, 100]) {
      await box.setProgress(key, id, progress)
      await until(() => events.some((event) => event.progress === progress))
    }
    for (const { method, headers, body } of events) {
      expect(method).toBe('POST')
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(JSON.parse(body)).toEqual({ id })
      // The test's clock is not the machine's, so the signature is recomputed instead of verified against now.
      const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
      const signature = new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body)
      expect(String(headers['webhook-signature']).split(' ')).toContain(signature)
    }
  })

  it.each([
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'https://localhost/',
    'ftp://example.com/',
    'nonsense',
    'https://user:pass@example.com/',
  ])('decision 8: %s is no address for webhooks', async (url) => {
    expect((await setWebhook(url)).status).toBe(400)
  })
})
