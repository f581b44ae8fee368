import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DemoAccount } from '../../../src/contract/account/sandbox.ts'
import { UploadClient } from '../../../src/service/api/uploads/testing/upload-client.ts'
import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { hasPrivateMounts } from '../../../src/service/testing/private-mounts.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { wavHeader } from '../bench/wav-header.ts'
import { quiet, Tally } from '../torture/rounds.ts'

const demoAccounts = 8
const liveOrders = 30
const floodBytes = 2_000_000
const liveBytes = 100_000

const recording = (bytes: number) => Buffer.concat([wavHeader(bytes), Buffer.alloc(bytes)])

/** One demo account takes all it can get, by forms, uploads and samples, until the flood ends. */
async function flood(service: ServiceProcess, refused: Tally, isOver: () => boolean): Promise<void> {
  const opened = await fetch(new URL('/sandbox/account/demo', service.url), { method: 'POST' })
  const { key } = (await opened.json()) as DemoAccount
  const client = accountClient(service.url, key)
  const uploads = new UploadClient({ address: service.url.origin, dataDir: service.dataDir }, key)
  const part = new Uint8Array(floodBytes)
  const takes = [
    () => askApi(service.url, key, 'files', { method: 'POST', body: fileForm(recording(floodBytes)) }),
    async () => {
      const begun = await uploads.create(4 * floodBytes)
      const path = begun.headers.get('location')
      return path === null ? begun : await uploads.patch(path, 0, part)
    },
    () => client.ask('POST', 'tools/files', { seconds: 3_600, progress_percent: 100 }),
  ]
  for (let count = 0; !isOver(); count += 1) {
    const answer = await takes[count % takes.length]?.()
    await answer?.arrayBuffer()
    const status = answer?.status ?? 0
    // 429: many at once; 507: no room for the sandbox.
    refused.count([201, 204, 429, 507].includes(status), `a flood was answered ${status}`)
    if (status === 429 || status === 507) await wait(50)
  }
}

/** Orders of a live account beside eight demo accounts that fill a disk of 48 MB: none is refused for room. */
export async function attackWithFloods(postgres: PostgresConfig | null): Promise<Tally[]> {
  if (!hasPrivateMounts) {
    console.log('floods need unshare: left out.')
    return []
  }
  const database: Record<string, string> = postgres === null ? {} : { DATABASE_URL: postgres.url }
  const environment = { ...quiet, ...database, SANDBOX_SPARE_PERCENT: '40', DEMO_BYTES: '12000000' }
  const service = await ServiceProcess.start(environment, join(import.meta.dirname, '../torture/on-small-disk.ts'))
  const [orders, refused] = [new Tally('live orders beside a flood'), new Tally('requests of the flood')]
  const full = new Tally('floods that filled their part of the disk')
  try {
    const printed = (kind: string) => new RegExp(`parley_${kind}_\\w+`).exec(service.output)?.[0] ?? ''
    const key = printed('live')
    let isOver = false
    const flooding = Array.from({ length: demoAccounts }, () => flood(service, refused, () => isOver))
    await wait(3_000)
    for (let count = 0; count < liveOrders; count += 1) {
      const answer = await askApi(service.url, key, 'files', { method: 'POST', body: fileForm(recording(liveBytes)) })
      orders.count(answer.status === 201, `was answered ${answer.status} ${await answer.text()}`)
    }
    isOver = true
    await Promise.all(flooding)
    const last = await askApi(service.url, printed('test'), 'files', {
      method: 'POST',
      body: fileForm(recording(floodBytes)),
    })
    full.count(last.status === 507, `an order of the sandbox is still answered ${last.status}`)
    return [orders, refused, full]
  } finally {
    await service.remove()
  }
}
