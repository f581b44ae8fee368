import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import { openDb } from '../../../src/service/platform/db/open.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from './measurement.ts'
import { percentile } from './measurement.ts'
import { unlessShort } from './short.ts'

const hanging = unlessShort(50, 2)
const waitingEach = 4
const deliveries = unlessShort(200, 3)

/** A receiver on loopback; `answers` false: it accepts the request and never responds. */
async function receiver(answers: boolean) {
  let told: (() => void) | null = null
  let taken = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      taken += 1
      if (answers) response.writeHead(200).end()
      told?.()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    taken: () => taken,
    next: () => new Promise<void>((resolve) => (told = resolve)),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Webhooks to a healthy receiver while fifty others hang, each with pending deliveries. */
export const benchWebhooks: Bench = async () => {
  const [healthy, deaf] = [await receiver(true), await receiver(false)]
  const targets = `127.0.0.1:${healthy.port},127.0.0.1:${deaf.port}`
  const service = await ServiceProcess.start({ RECOGNIZER: 'sherpa', OFFLINE: '1', ALLOW_TARGETS: targets })
  const db = await openDb(join(service.dataDir, 'parley.db'))
  try {
    const keys: string[] = []
    for (let index = 0; index <= hanging; index += 1) {
      keys.push((await createAccount(db, { environment: 'sandbox', name: `Bench ${index}` }, Date.now())).key)
    }
    const [key = '', ...others] = keys
    for (const other of others) {
      await accountClient(service.url, other).read('PUT', 'webhook', { url: `http://127.0.0.1:${deaf.port}/` })
      for (let file = 0; file < waitingEach; file += 1) {
        await accountClient(service.url, other).read('POST', 'tools/files', { seconds: 10, progress_percent: 10 })
      }
    }
    await accountClient(service.url, key).read('PUT', 'webhook', { url: `http://127.0.0.1:${healthy.port}/` })
    const timesMs: number[] = []
    let id = ''
    for (let count = 0; count < deliveries; count += 1) {
      const percent = (count % 90) + 1
      if (percent === 1) {
        const arrived = healthy.next()
        const file = { seconds: 10, progress_percent: 0 }
        id = (await accountClient(service.url, key).read<{ id: string }>('POST', 'tools/files', file)).id
        await arrived
      }
      const arrived = healthy.next()
      const startedMs = performance.now()
      await accountClient(service.url, key).read('POST', `tools/files/${id}/progress`, { progress_percent: percent })
      await arrived
      timesMs.push(performance.now() - startedMs)
      await wait(60) // rate limit: 20 writes per second and key
    }
    return [
      { what: 'requests that hang', value: deaf.taken(), unit: '', goal: { atLeast: hanging } },
      { what: 'progress asked to webhook received, median', value: percentile(timesMs, 0.5), unit: 'ms' },
      {
        what: 'progress asked to webhook received, p99',
        value: percentile(timesMs, 0.99),
        unit: 'ms',
        goal: { atMost: 1_000 },
      },
    ]
  } finally {
    await db.destroy()
    deaf.close()
    healthy.close()
    await service.remove()
  }
}
