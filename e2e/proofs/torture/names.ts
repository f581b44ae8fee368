import { join } from 'node:path'
import { NameServer } from '../../../src/service/platform/net/testing/name-server.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { openReceiver } from '../../kit/receiver.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { comesTrue, insist, newKey, newKeys, p99, quiet, Tally, timed } from './rounds.ts'

const accounts = unlessShort(5, 1)
const rounds = unlessShort(50, 2)

/** Links to names that no DNS server resolves, four at once per account, alongside another account's webhooks. */
export const tortureNames: Bench = async () => {
  const [names, well] = [new NameServer(), await openReceiver()]
  const server = await names.listen()
  // Resolved by the system, which takes one of Node's four threads.
  const target = well.target.replace('127.0.0.1', 'localhost')
  const env = { ...quiet, NAME_SERVER: server, ALLOW_TARGETS: target }
  const service = await ServiceProcess.start(env, join(import.meta.dirname, 'tortured-service.ts'))
  const told = new Tally('webhooks beside dead names')
  const refused = new Tally('links to dead names')
  try {
    const keys = await newKeys(service, 'sandbox', accounts)
    let isOpen = true
    const busy = keys.flatMap((key) =>
      Array.from({ length: 4 }, async () => {
        for (let count = 0; isOpen; count += 1) {
          const body = new FormData()
          body.append('link', `http://dead-${count}-${key.slice(-6)}.test/talk.mp3`)
          // The slot of the previous request may be freed a moment after its response: 429.
          const ask = () => askApi(service.url, key, 'files', { method: 'POST', body })
          const { status } = await insist(ask, [201, 400, 402, 500])
          refused.count(status === 400, `was answered ${status}`)
        }
      }),
    )
    await comesTrue(() => names.unanswered.size >= 1, 30_000)
    const client = accountClient(service.url, await newKey(service, 'sandbox'))
    await client.read('PUT', 'webhook', { url: `http://${target}/` })
    const timesMs: number[] = []
    for (let count = 0; count < rounds; count += 1) {
      const before = well.received.length
      timesMs.push(
        await timed(async () => {
          await client.read('POST', 'tools/files', { seconds: 10, progress_percent: 10 })
          told.count(await comesTrue(() => well.received.length > before, 15_000), 'did not come within 15 s')
        }),
      )
    }
    isOpen = false
    await Promise.all(busy)
    return [...told.rows(), ...refused.rows(), p99('from order to webhook', timesMs, 1_000)]
  } finally {
    await service.remove()
    await well.close()
    await names.close()
  }
}
