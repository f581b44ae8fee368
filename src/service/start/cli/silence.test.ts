import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { LocalStripe } from '../../orders/money/payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from '../../orders/money/payment/testing/enter-card.ts'
import { makeSpokenPieces } from '../../recognition/testing/made-speech.ts'
import { accountClient } from '../../testing/account-client.ts'
import { askApi } from '../../testing/ask-api.ts'
import { firstKey, type RealProcess, serveProcess } from '../../testing/real-process.ts'
import { fileForm } from '../../testing/test-service.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Starts a server that accepts connections and never responds. */
async function silence(): Promise<{ server: Server; host: string; calls: () => number }> {
  let calls = 0
  const server = createServer((socket) => {
    calls += 1
    socket.resume().on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return { server, host: `127.0.0.1:${(server.address() as { port: number }).port}`, calls: () => calls }
}

it('an unresponsive provider, receiver and recognizer block neither startup nor shutdown', async () => {
  const [provider, receiver, recognizer] = [await new LocalStripe().listen(), await silence(), await silence()]
  const env = {
    ...provider.env,
    RECOGNIZER: 'http',
    RECOGNIZER_URL: `http://${recognizer.host}`,
    ALLOW_TARGETS: receiver.host,
  }
  closers.push(() => provider.close())
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-silence-'))
  closers.push(() => rm(dataDir, { recursive: true }))
  const serve = async (): Promise<RealProcess> => {
    const service = await serveProcess(dataDir, env)
    closers.push(() => service.end('SIGKILL'))
    return service
  }
  const first = await serve()
  const key = firstKey(first, 'live')
  const client = accountClient(first.url, key)
  await comeBack(client, await visitCardPage(client))
  const order = (by: string) =>
    askApi(first.url, by, 'files?transcript_type=automated', { method: 'POST', body: fileForm(makeSpokenPieces(30)) })
  const sandboxKey = firstKey(first, 'sandbox')
  await accountClient(first.url, sandboxKey).read('PUT', 'webhook', { url: `http://${receiver.host}/` })
  expect((await order(sandboxKey)).status).toBe(201)
  await expect.poll(() => Math.min(receiver.calls(), recognizer.calls())).toBeGreaterThan(0)
  const intents = 'POST /v1/payment_intents'
  provider.silent = [intents, 'POST /v1/refunds']
  void order(key).catch(() => undefined)
  await expect.poll(() => provider.asked(intents)).toBe(1)
  await first.end('SIGKILL')

  // The charge left by the kill is resolved in the background, for as long as the provider takes.
  const [heard, told] = [recognizer.calls(), receiver.calls()]
  const second = await serve()
  expect((await askApi(second.url, key, 'files')).status).toBe(200)
  await expect.poll(() => provider.asked(intents)).toBe(2)
  await expect.poll(() => recognizer.calls() > heard && receiver.calls() > told).toBe(true)
  expect(await second.end('SIGTERM')).toBe(0)

  provider.silent = []
  const third = await serve()
  await expect.poll(() => provider.state.intents[0]?.status).toBe('canceled')
  expect(provider.charges).toEqual([])
  expect(await third.end('SIGTERM')).toBe(0)
})
