import { describe, expect, test } from 'vitest'
import { accountEvents, helloEvent } from '../../../contract/account/events.ts'
import type { CreatedApiKey } from '../../../contract/account/keys.ts'
import { setProgress } from '../../orders/file/progress.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { keyRevoke, withDatabase } from '../../start/cli/operate.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { openEvents } from '../../testing/event-stream.ts'
import { startTestService } from '../../testing/test-service.ts'
import { eventRetentionMs } from './purge-old.ts'

const room = accountRoom()

const sample = { seconds: 60, progress_percent: 0 }

async function tell(accountId: string, kind: 'account', count: number): Promise<void> {
  const { db, clock, changes } = room.service.platform
  await writeAccount(db, accountId, async (trx) => {
    for (let index = 0; index < count; index += 1) await appendEvent(trx, kind, {}, clock())
  })
  changes.notify({ kind: 'account', accountId })
}

describe('a stream', () => {
  test('sends hello and then every change of a file, from order to deletion', async () => {
    const stream = await openEvents(room.service.address, room.account.key)
    expect(helloEvent.parse((await stream.next())?.data).heartbeat_ms).toBe(15_000)
    const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', sample)
    const created = await stream.nextOf('file-created')
    expect(accountEvents['file-created'].parse(created.data)).toEqual({ id })
    await setProgress(room.service.platform, id, 31)
    const moved = accountEvents['file-progress'].parse((await stream.nextOf('file-progress')).data)
    expect(moved).toMatchObject({ id, progress_percent: 31, delay_reason: null })
    await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
    expect((await stream.nextOf('file-deleted')).data).toEqual({ id })
    stream.close()
  })

  test('has no events of another account', async () => {
    const other = await room.service.account()
    const stream = await openEvents(room.service.address, other.key)
    await stream.nextOf('hello')
    await room.client.read('POST', 'tools/files', sample)
    await tell(other.id, 'account', 1)
    expect((await stream.next())?.kind).toBe('account')
    stream.close()
  })

  test('resumes after the last id: each event once, none missing', async () => {
    const first = await openEvents(room.service.address, room.account.key)
    await first.nextOf('hello')
    await tell(room.account.id, 'account', 3)
    const seen = [await first.next(), await first.next(), await first.next()]
    first.close()
    await tell(room.account.id, 'account', 2)
    const second = await openEvents(room.service.address, room.account.key, seen[1]?.id ?? 0)
    expect((await second.next())?.kind).toBe('hello')
    const rest = [await second.next(), await second.next(), await second.next()]
    expect(rest[0]?.id).toBe(seen[2]?.id)
    await tell(room.account.id, 'account', 1)
    const ids = [...rest, await second.next()].map((event) => event?.id ?? 0)
    expect(new Set(ids).size).toBe(4)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    second.close()
  })

  test('loses no events that arrive while it opens', async () => {
    const start = await openEvents(room.service.address, room.account.key)
    const from = (await start.nextOf('hello')).id ?? 0
    start.close()
    const appending = (async () => {
      for (let index = 0; index < 40; index += 1) await tell(room.account.id, 'account', 1)
    })()
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openEvents(room.service.address, room.account.key, from)),
    )
    await appending
    for (const stream of streams) {
      const ids = []
      for (let index = 0; index < 40; index += 1) ids.push((await stream.nextOf('account')).id)
      expect(new Set(ids).size).toBe(40)
      stream.close()
    }
  })

  test('is one of at most twenty per key, even if all are requested concurrently', async () => {
    const ask = () => room.client.ask('GET', 'events')
    const answers = await Promise.all(Array.from({ length: 25 }, ask))
    const open = answers.filter(({ status }) => status === 200)
    expect(open).toHaveLength(20)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(await refused[0]?.json()).toEqual({ error: expect.stringMatching(/20 event streams/) })
    const other = await room.client.read<CreatedApiKey>('POST', 'keys', { name: 'Other' })
    ;(await openEvents(room.service.address, other.key)).close()
    await open[0]?.body?.cancel()
    await expect.poll(async () => (await ask()).status).toBe(200)
    for (const { body } of open.slice(1)) await body?.cancel()
  })

  test('sends resync if the gap is too long, too old or of another database', async () => {
    const stream = await openEvents(room.service.address, room.account.key)
    const from = (await stream.nextOf('hello')).id ?? 0
    stream.close()
    await tell(room.account.id, 'account', 1_001)
    const long = await openEvents(room.service.address, room.account.key, from)
    expect((await long.nextOf('resync')).kind).toBe('resync')
    await tell(room.account.id, 'account', 1)
    expect((await long.next())?.kind).toBe('account')
    long.close()
    room.service.advance(eventRetentionMs + 1)
    await room.service.doChores()
    const old = await openEvents(room.service.address, room.account.key, from)
    expect((await old.nextOf('resync')).kind).toBe('resync')
    old.close()
    const future = await openEvents(room.service.address, room.account.key, 999_999_999)
    expect((await future.nextOf('resync')).kind).toBe('resync')
    future.close()
  })
})

// A second on an idle machine.
describe('a revoked key ends its stream within a second', () => {
  async function endsWithin(revoke: (made: CreatedApiKey) => Promise<unknown>): Promise<number> {
    const made = await room.client.read<CreatedApiKey>('POST', 'keys', { name: 'Second' })
    const kept = await openEvents(room.service.address, room.account.key)
    const stream = await openEvents(room.service.address, made.key)
    await stream.nextOf('hello')
    const startedMs = performance.now()
    await revoke(made)
    while ((await stream.next()) !== null);
    const tookMs = performance.now() - startedMs
    await tell(room.account.id, 'account', 1)
    await kept.nextOf('account')
    kept.close()
    return tookMs
  }

  test('revoked by the account API', async () => {
    expect(await endsWithin(({ entry }) => room.client.read('DELETE', `keys/${entry.id}`))).toBeLessThan(5_000)
  })

  test('revoked by the command line, a separate process', async () => {
    const { config, clock } = room.service.platform
    const took = await endsWithin(({ key }) =>
      withDatabase(config, async (db) => {
        // The command line uses real time; this test's service has its own clock.
        await keyRevoke(db, key)
        await db.updateTable('api_keys').set({ revoked_at: clock() }).where('revoked_at', '>', 0).execute()
      }),
    )
    expect(took).toBeLessThan(5_000)
  })

  test('expired', async () => {
    const expires = new Date(room.service.platform.clock() + 60_000).toISOString()
    const made = await room.client.read<CreatedApiKey>('POST', 'keys', { name: 'Short', expires })
    const stream = await openEvents(room.service.address, made.key)
    await stream.nextOf('hello')
    room.service.advance(60_000)
    expect(await stream.next()).toBeNull()
  })
})

test('a closed service ends its streams', async () => {
  const own = await startTestService()
  const { key } = await own.account()
  const stream = await openEvents(own.address, key)
  await stream.nextOf('hello')
  await own.close()
  expect(await stream.next()).toBeNull()
})
