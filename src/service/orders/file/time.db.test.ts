import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusinessDays } from '../../../contract/common/business-days.ts'
import { dayMs, hourMs } from '../../../contract/common/durations.ts'
import { sandboxRetentionMs } from '../../../contract/interface/limits.ts'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { speak } from '../../recognition/testing/speak.ts'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestService, testStart } from '../../testing/test-service.ts'
import { sandboxStepMs } from '../../workbench/sandbox-work.ts'
import { delayReasons, putOff } from './delays.ts'
import { deliveryDate } from './due-dates.ts'
import { giveUp, setProgress } from './progress.ts'

describe('business days', () => {
  it('skip Saturday and Sunday, UTC', () => {
    const at = (day: number) => Date.UTC(2026, 10, day, 23, 59)
    // 16 November 2026 is a Monday.
    expect(addBusinessDays(at(16), 1)).toBe(at(17))
    expect(addBusinessDays(at(19), 3)).toBe(at(24))
    expect(addBusinessDays(at(20), 1)).toBe(at(23))
    expect(addBusinessDays(at(21), 1)).toBe(at(23))
    expect(addBusinessDays(at(22), 1)).toBe(at(23))
  })

  it('never end on a weekend, and come one after the other', async () => {
    await fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000 * dayMs }), fc.integer({ min: 1, max: 30 }), (at, days) => {
        const due = addBusinessDays(at, days)
        expect([1, 2, 3, 4, 5]).toContain(new Date(due).getUTCDay())
        expect((due - at) % dayMs).toBe(0)
        expect(addBusinessDays(addBusinessDays(at, days - 1), 1)).toBe(due)
      }),
    )
  })

  it('are three for a typed order; an automated one is estimated by its length', () => {
    expect(deliveryDate(specDefaultOptions, hourMs, testStart)).toBe(testStart + 3 * dayMs)
    const automated = { ...specDefaultOptions, transcript_type: 'automated' } as const
    expect(deliveryDate(automated, 2 * hourMs, testStart)).toBeGreaterThan(testStart + 2 * hourMs)
    expect(deliveryDate(automated, 0, testStart)).toBeLessThan(testStart + hourMs)
  })
})

describe('a service in time', () => {
  let kit: TestService
  beforeAll(async () => {
    kit = await startTestService({ recognizer: 'pocketsphinx' })
  })
  afterAll(() => kit.close())

  it('types a sandbox order from 0 to 60 to 100 by its steps, in under two minutes, with an event for each', async () => {
    const account = await kit.account()
    await kit.platform.db
      .insertInto('webhooks')
      .values({ ...noWebhook, account_id: account.id, url: 'https://unreachable.invalid/' })
      .execute()
    const { id } = await kit.order(
      account.key,
      await readFile(await speak('The quick brown fox jumps over the lazy dog.')),
    )
    expect((await kit.metadata(account.key, id)).progress_percent).toBe(0)
    // Only recognized words are typed, so recognition comes first.
    await kit.until(() =>
      kit.platform.db.selectFrom('work_parts').select('id').where('file_id', '=', id).executeTakeFirst(),
    )
    const steps = (['type', 'review', 'check'] as const).map((step) => sandboxStepMs(step, 3_000, 3_000, 1))
    const seen = [0]
    for (const [index, percent] of [60, 85, 100].entries()) {
      // Claimed first, then done; between the two the job waits, which a clock jump must find.
      const taken = () =>
        kit.platform.db
          .selectFrom('work_parts')
          .innerJoin('jobs', 'jobs.file_id', 'work_parts.file_id')
          .select('work_parts.id')
          .where('work_parts.file_id', '=', id)
          .where('staff_id', 'is not', null)
          .where('kind', '=', 'type')
          .where('state', '=', 'waiting')
          .where('run_after', '>', kit.platform.clock())
          .executeTakeFirst()
      await kit.until(taken)
      kit.advance(steps[index] ?? 0)
      await kit.until(async () => (await kit.metadata(account.key, id)).progress_percent === percent)
      seen.push(percent)
    }
    expect(steps.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(2 * 60_000)
    const told = await kit.platform.db
      .selectFrom('events')
      .select('data_json')
      .where('account_id', '=', account.id)
      .where('kind', '=', 'file-progress')
      .execute()
    expect(told.map(({ data_json }) => JSON.parse(data_json).progress_percent)).toEqual([60, 85, 99, 100])
    const text = await kit.fetch(account.key, `file/${id}.txt`)
    // The exact words recognized in a robot's voice do not matter; that they are words does.
    expect(await text.text()).toMatch(/Speaker 1: \w+( \w+){3}/)
  })

  it('never lets progress fall, or complete without words', async () => {
    const { key } = await kit.account()
    const { id } = await kit.order(key, await kit.tone(1))
    await kit.platform.db.deleteFrom('jobs').where('file_id', '=', id).execute()
    for (const [asked, stands] of [
      [30, 30],
      [12, 30],
      [30.9, 30],
      [100, 99],
      [250, 99],
    ] as const) {
      await setProgress(kit.platform, id, asked)
      expect((await kit.metadata(key, id)).progress_percent, `${asked}`).toBe(stands)
    }
    expect(await setProgress(kit.platform, 'nothing', 5)).toBeNull()
  })

  it('removes all data of a sandbox file after 24 hours, to the second, but neither its ledger nor live files', async () => {
    const account = await kit.account()
    const live = await kit.account({ environment: 'live' })
    const { id } = await kit.order(account.key, await kit.tone(1))
    const kept = await kit.order(live.key, await kit.tone(1))
    kit.advance(sandboxRetentionMs - 1)
    await kit.doChores()
    expect((await kit.fetch(account.key, `file/${id}`)).status).toBe(200)
    kit.advance(1)
    expect((await kit.fetch(account.key, `file/${id}`)).status).toBe(404)
    await kit.doChores()
    expect(await (await kit.fetch(account.key, 'files')).json()).toEqual([])
    expect(await kit.platform.blobs.size(id, 'media')).toBeNull()
    const ledger = kit.platform.db.selectFrom('ledger').select('kind').where('account_id', '=', account.id)
    expect(await ledger.execute()).toEqual([{ kind: 'charge' }])
    expect((await kit.fetch(live.key, `file/${kept.id}`)).status).toBe(200)
  })

  it('marks an order late once its delivery date has passed', async () => {
    const { key } = await kit.account({ environment: 'live' })
    const { id } = await kit.order(key, await kit.tone(1), '?transcript_type=manual')
    await kit.platform.db
      .updateTable('files')
      .set({ delay_reason: null, progress_percent: 1 })
      .where('id', '=', id)
      .execute()
    const { delivery } = await kit.metadata(key, id)
    kit.advance(Date.parse(delivery) - kit.platform.clock())
    await kit.doChores()
    expect((await kit.metadata(key, id)).delay_reason).toBeNull()
    kit.advance(1)
    await kit.doChores()
    expect((await kit.metadata(key, id)).delay_reason).toMatch(/longer/)
  })

  it('gives a late order a new date with its reason, each time further, and still counts it as late', async () => {
    const account = await kit.account({ environment: 'live' })
    const { id } = await kit.order(account.key, await kit.tone(1), '?transcript_type=automated')
    await kit.platform.db
      .insertInto('webhooks')
      .values({ ...noWebhook, account_id: account.id, url: 'https://unreachable.invalid/' })
      .execute()
    await kit.platform.db.deleteFrom('jobs').where('file_id', '=', id).execute()
    const told = () => kit.platform.db.selectFrom('deliveries').select('id').where('file_id', '=', id).execute()
    const dates = [Date.parse((await kit.metadata(account.key, id)).delivery)]
    for (let put = 1; put <= 12; put += 1) {
      kit.advance((dates.at(-1) ?? 0) + 1 - kit.platform.clock())
      await kit.doChores()
      dates.push(Date.parse((await kit.metadata(account.key, id)).delivery))
      expect(dates.at(-1)).toBeGreaterThan(kit.platform.clock())
    }
    const waits = dates.map((date, index) => date - (dates[index - 1] ?? testStart))
    expect(waits.at(-1)).toBeGreaterThan(6 * hourMs)
    expect(await told()).not.toEqual([])
    await setProgress(kit.platform, id, 50)
    expect((await kit.metadata(account.key, id)).delay_reason).toMatch(/longer/)
    const usage = await accountClient(kit.address, account.key).read('GET', 'usage')
    expect(usage).toMatchObject({ delivered: { on_time: 0, late: 1 } })
  })

  it('promises no new date for a live order without typists that cost nothing; others are refunded then', async () => {
    const account = await kit.account({ environment: 'live' })
    const { db } = kit.platform
    await db.updateTable('accounts').set({ discount_percent: 100 }).where('id', '=', account.id).execute()
    const { id } = await kit.order(account.key, await kit.tone(1), '?transcript_type=manual')
    const before = await kit.metadata(account.key, id)
    kit.advance(Date.parse(before.delivery) + 1 - kit.platform.clock())
    await kit.doChores()
    expect(await kit.metadata(account.key, id)).toEqual({ ...before, delay_reason: delayReasons.typists })
  })

  it('never postpones an order to before its promised date', async () => {
    const { key } = await kit.account({ environment: 'live' })
    const { id } = await kit.order(key, await kit.tone(1))
    const promised = Date.parse((await kit.metadata(key, id)).delivery)
    await putOff(kit.platform, id, 'poor-audio')
    expect(await kit.metadata(key, id)).toMatchObject({
      delay_reason: delayReasons['poor-audio'],
      delivery: new Date(addBusinessDays(promised, 1)).toISOString(),
    })
  })

  it('pays a refund when it is due, once', async () => {
    const account = await kit.account({ environment: 'live' })
    const { id } = await kit.order(account.key, await kit.tone(60))
    await kit.fetch(account.key, `file/${id}`, { method: 'DELETE' })
    const refund = () =>
      kit.platform.db
        .selectFrom('ledger')
        .selectAll()
        .where('account_id', '=', account.id)
        .where('kind', '=', 'refund')
        .executeTakeFirstOrThrow()
    const { due_at, status, amount_cents } = await refund()
    expect([status, amount_cents]).toEqual(['pending', -125])
    expect(due_at).toBe(addBusinessDays(kit.platform.clock(), 1))
    await kit.doChores()
    expect((await refund()).status).toBe('pending')
    kit.advance(due_at - kit.platform.clock())
    await kit.doChores()
    expect((await refund()).status).toBe('settled')
  })

  it('refunds everything for a recording that cannot be transcribed, and allows its deletion', async () => {
    const account = await kit.account({ environment: 'live' })
    const { id } = await kit.order(account.key, await kit.tone(60), '?transcript_type=manual')
    await setProgress(kit.platform, id, 70)
    await giveUp(kit.platform, id, 'The recording is damaged.')
    await giveUp(kit.platform, id, 'The recording is damaged.')
    expect(await kit.metadata(account.key, id)).toMatchObject({
      refund_amount: '1.25',
      delay_reason: expect.stringMatching(/damaged/),
      progress_percent: 70,
    })
    expect((await kit.fetch(account.key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
    const amounts = await kit.platform.db
      .selectFrom('ledger')
      .select('amount_cents')
      .where('account_id', '=', account.id)
      .orderBy('id')
      .execute()
    expect(amounts.map(({ amount_cents }) => amount_cents)).toEqual([125, -125])
  })
})

const noWebhook = {
  secret: 'whsec_x',
  previous_secret: null,
  previous_secret_until: null,
  paused_at: null,
  pause_reason: null,
  simulate_failure: 0,
  created_at: 0,
}
