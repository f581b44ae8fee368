import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from './measurement.ts'
import { percentile } from './measurement.ts'
import { unlessShort } from './short.ts'

const connections = unlessShort(1_000, 10)
/** the most that a key may have open */
const perKey = unlessShort(20, 10)
const changes = unlessShort(50, 3)

function residentMb(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1]) / 1_024
}

/** Opens a stream and calls `seen` with the id of each progress event. Resolves on `hello`. */
function open(url: URL, key: string, seen: (eventId: number) => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: authorization(key) }
    request(url, { headers, agent: false }, (response) => {
      response.setEncoding('latin1')
      response.on('data', (text: string) => {
        if (text.includes('event: hello')) resolve(response)
        for (const [, id] of text.matchAll(/id: (\d+)\nevent: file-progress\n/g)) seen(Number(id))
      })
      response.on('error', () => undefined)
    })
      .on('error', reject)
      .end()
  })
}

/** Streams of one account: their idle memory, and the latency from a committed progress to all of them. */
export const benchEvents: Bench = async () => {
  const service = await ServiceProcess.start({ RECOGNIZER: 'sherpa', OFFLINE: '1' })
  const streams: IncomingMessage[] = []
  try {
    const { key } = await service.createAccount('sandbox')
    const file = { seconds: 600, progress_percent: 0 }
    const { id } = await accountClient(service.url, key).read<{ id: string }>('POST', 'tools/files', file)
    const seenAt = new Map<number, number[]>()
    const seen = (eventId: number) =>
      void (seenAt.get(eventId) ?? seenAt.set(eventId, []).get(eventId))?.push(Date.now())
    const beforeMb = residentMb(service.pid)
    const url = new URL('sandbox/account/events', service.url)
    for (let opened = 0; opened < connections; opened += perKey) {
      const made = await accountClient(service.url, key).read<{ key: string }>('POST', 'keys', {
        name: `Bench ${opened}`,
      })
      streams.push(...(await Promise.all(Array.from({ length: perKey }, () => open(url, made.key, seen)))))
    }
    await wait(unlessShort(5_000, 100)) // idle, with heartbeats: the remaining memory is their cost
    const idleMb = residentMb(service.pid) - beforeMb
    for (let percent = 1; percent <= changes; percent += 1) {
      await accountClient(service.url, key).read('POST', `tools/files/${id}/progress`, { progress_percent: percent })
      await wait(60)
    }
    await wait(1_000)
    const sqlite = new DatabaseSync(join(service.dataDir, 'parley.db'), { readOnly: true })
    const rows = sqlite.prepare("select seq, created_at from events where kind = 'file-progress'").all()
    sqlite.close()
    // An event's time is taken inside its transaction, so the measurement includes the commit.
    const delaysMs = rows.flatMap((row) => (seenAt.get(Number(row.seq)) ?? []).map((at) => at - Number(row.created_at)))
    return [
      { what: 'streams open', value: streams.length, unit: '' },
      { what: 'memory of the idle streams', value: idleMb, unit: 'MB', goal: { atMost: 60 } },
      { what: 'events received', value: delaysMs.length, unit: '', goal: { atLeast: connections * changes } },
      { what: 'commit to client, median', value: percentile(delaysMs, 0.5), unit: 'ms' },
      { what: 'commit to client, p95', value: percentile(delaysMs, 0.95), unit: 'ms', goal: { atMost: 100 } },
    ]
  } finally {
    for (const stream of streams) stream.destroy()
    await service.remove()
  }
}
