import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { openReceiver } from '../../kit/receiver.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { comesTrue, newKey, p99, quiet, Tally, timed } from './rounds.ts'

const events = unlessShort(200, 3)

/** Failure modes of receivers, by the path of their URL. */
const bad: Record<string, (response: ServerResponse) => void> = {
  silent: () => undefined,
  drops: (response) => response.destroy(),
  fails: (response) => response.writeHead(500).end('no'),
  redirects: (response) => response.writeHead(302, { location: '/redirects' }).end(),
  endless: (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'.repeat(65_536)), 5)
    response.on('close', () => clearInterval(timer))
  },
  drips: (response) => {
    response.writeHead(200, { 'content-length': '1000000' })
    const timer = setInterval(() => response.write('x'), 500)
    response.on('close', () => clearInterval(timer))
  },
  garbage: (response) => response.socket?.end('HTTP/9.9 nonsense\r\n\r\n'),
  headers: (response) => response.writeHead(200, { 'x-long': 'x'.repeat(500_000) }).end(),
  bomb: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(5_000_000)),
}

/** Accounts with failing receivers alongside one with a healthy receiver. */
export const tortureReceiver: Bench = async () => {
  const server = createServer((request, response) => {
    request.resume().on('error', () => undefined)
    response.on('error', () => undefined)
    bad[request.url?.slice(1) ?? '']?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const well = await openReceiver()
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = await ServiceProcess.start({ ...quiet, ALLOW_TARGETS: `${target},${well.target}` })
  const told = new Tally('webhooks of a receiver that is well')
  const reads = new Tally('reads of accounts whose receiver is bad')
  const file = { seconds: 10, progress_percent: 10 }
  try {
    for (const kind of Object.keys(bad)) {
      const key = await newKey(service, 'sandbox')
      const client = accountClient(service.url, key)
      await client.read('PUT', 'webhook', { url: `http://${target}/${kind}` })
      for (let count = 0; count < unlessShort(8, 1); count += 1) await client.read('POST', 'tools/files', file)
      reads.count((await askApi(service.url, key, 'files')).status === 200, kind)
    }
    const client = accountClient(service.url, await newKey(service, 'sandbox'))
    await client.read('PUT', 'webhook', { url: well.url })
    const timesMs: number[] = []
    for (let count = 0; count < events; count += 1) {
      const before = well.received.length
      timesMs.push(
        await timed(async () => {
          await client.read('POST', 'tools/files', file)
          told.count(await comesTrue(() => well.received.length > before, 15_000), 'did not come within 15 s')
        }),
      )
      await wait(60) // rate limit: 20 writes per second and key
    }
    return [...told.rows(), ...reads.rows(), p99('from order to webhook', timesMs, 1_000)]
  } finally {
    await service.remove()
    await well.close()
    server.closeAllConnections()
    server.close()
  }
}
