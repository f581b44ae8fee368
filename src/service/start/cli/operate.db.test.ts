import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { LogPage } from '../../../contract/account/audit-log.ts'
import { defaultRates } from '../../../contract/interface/price.ts'
import { openDemoAccount } from '../../accounts/auth/accounts.ts'
import { beginClosing } from '../../operations/closing/close-account.ts'
import { giveUp, setDelay } from '../../orders/file/progress.ts'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestAccount, type TestService } from '../../testing/test-service.ts'
import { type AccountChange, accountSet, delay, keyCreate, keyRevoke, webhookSet } from './operate.ts'

const euros = { automated: 9, manual: 110, strict_verbatim: 40, subtitle_file: 20 }
const rates = { USD: [{ from: null, rates: defaultRates }], EUR: [{ from: null, rates: euros }] }
const supportEmail = 'help@parley.example'
let kit: TestService
let account: TestAccount
beforeAll(async () => {
  kit = await startTestService({ rates, supportEmail })
  account = await kit.account()
})
afterAll(() => kit.close())

const overview = () => accountClient(kit.address, account.key).read<AccountOverview>('GET', '')
const set = async (change: AccountChange) => {
  await accountSet(kit.platform.db, account.id, change, rates)
  // Changes by another process show within a second.
  kit.platform.changes.notify({ kind: 'account', accountId: account.id })
}

describe('account set', () => {
  it('takes effect for the dashboard and the next order at once, and notifies dashboards', async () => {
    const event = () =>
      kit.platform.db.selectFrom('events').select('kind').where('account_id', '=', account.id).execute()
    const known = (await event()).length
    await set({ name: 'Ann & Co', discount: '12.5', currency: 'EUR', customFormatting: true })
    expect((await event()).slice(known)).toEqual([{ kind: 'account' }])
    expect(await overview()).toMatchObject({
      name: 'Ann & Co',
      discount_percent: 12.5,
      currency: 'EUR',
      rates: euros,
      custom_formatting_enabled: true,
      support_email: supportEmail,
    })
    const { id } = await kit.order(account.key, await kit.tone(60), '?custom_formatting=yes&subtitle_file=on')
    expect(await kit.metadata(account.key, id)).toMatchObject({
      cost: '1.30',
      discount: '0.16',
      total: 1.14,
      currency: 'EUR',
      options: { custom_formatting: 'yes' },
    })
    await set({ customFormatting: false })
    expect(await overview()).toMatchObject({ name: 'Ann & Co', custom_formatting_enabled: false })
  })

  it.each([
    [{}, /Say what to set/],
    [{ discount: '101' }, /percentage from 0 to 100/],
    [{ discount: '-5' }, /percentage/],
    [{ discount: '1.234' }, /two decimals/],
    [{ name: ' ' }, /1 to 100/],
    [{ currency: 'GBP' }, /no rates in "GBP"/],
    [{ currency: 'USD' }, /has paid in EUR before/],
  ])('%j is refused in words, and nothing is changed', async (change, words) => {
    const before = await overview()
    await expect(set(change)).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(words) })
    expect(await overview()).toEqual(before)
  })
})

it('what operators do to an account is in its log, and a closed one gets no key', async () => {
  const { db, changes, clock } = kit.platform
  const { id, key } = await kit.account()
  await keyCreate(db, id, 'From nowhere')
  const { key: second } = (await keyCreate(db, id, 'Another')) as { key: string }
  await keyRevoke(db, second)
  await accountSet(db, id, { discount: '15', name: 'Ann' }, rates)
  const { entries } = await accountClient(kit.address, key).read<LogPage>('GET', 'log')
  expect(entries.map(({ key, action, detail }) => [key, action, detail])).toEqual([
    ['', 'account', 'name “Ann”, discount 15 %, set by the operator'],
    ['', 'key', 'revoked “Another” by the operator'],
    ['', 'key', 'made “Another” by the operator'],
    ['', 'key', 'made “From nowhere” by the operator'],
  ])
  await beginClosing({ db, changes, clock }, id, 'operator')
  await expect(keyCreate(db, id, 'Late')).rejects.toThrow(/is closed/)
  await db.updateTable('closings').set({ erased_at: clock() }).where('account_id', '=', id).execute()
  await expect(accountSet(db, id, { name: 'Bo' }, rates)).rejects.toThrow(/^The account was erased on 20/)
  await expect(webhookSet(db, id, 'https://a.example/')).rejects.toThrow(/^The account was erased on 20/)
})

describe('delay', () => {
  const reason = 'poor-audio'
  const until = '2099-12-01T12:00:00.000Z'

  it('sets reason and date, and notifies the webhook', async () => {
    const { key, id: accountId } = await kit.account()
    const { id } = await kit.order(key, await kit.tone(1))
    await webhookSet(kit.platform.db, accountId, 'https://unreachable.invalid/')
    expect(await delay(kit.platform.db, id, reason, until)).toMatchObject({ file: id, delivery: until })
    expect(await kit.metadata(key, id)).toMatchObject({
      delivery: until,
      delay_reason: expect.stringContaining('hard to understand'),
      progress_percent: 0,
    })
    await setDelay(kit.platform, id, 'No speech model has been downloaded yet.')
    expect(await kit.metadata(key, id)).toMatchObject({ delay_reason: expect.stringContaining('hard to understand') })
    const { entries } = await accountClient(kit.address, key).read<LogPage>('GET', 'log')
    const detail = `delivery by ${until}, poor-audio, set by the operator`
    expect(entries).toContainEqual(expect.objectContaining({ action: 'account', file_id: id, key: '', detail }))
    const events = kit.platform.db.selectFrom('events').select('data_json').where('kind', '=', 'file-progress')
    expect(JSON.stringify(await events.execute())).toContain(until)
    const told = kit.platform.db.selectFrom('deliveries').select('file_id').where('account_id', '=', accountId)
    expect(await told.execute()).toEqual([{ file_id: id }])
  })

  it('is refused with a message for unknown, ended or ready files', async () => {
    const { key } = await kit.account()
    const client = accountClient(kit.address, key)
    const file = async (progress_percent: number) =>
      (await client.read<{ id: string }>('POST', 'tools/files', { seconds: 5, progress_percent })).id
    const open = await file(10)
    const { db } = kit.platform
    await expect(delay(db, open, 'weather', undefined)).rejects.toThrow(/--reason is one of longer, queue, poor-audio/)
    await expect(delay(db, open, reason, '2020-01-01')).rejects.toThrow(/--until takes a time that lies ahead/)
    for (const until of ['soon', '2099-02-30', '2099-02-30T12:00Z']) {
      await expect(delay(db, open, reason, until)).rejects.toThrow(/--until/)
    }
    await expect(delay(db, 'f_none', reason, undefined)).rejects.toThrow(/There is no file/)
    await expect(delay(db, await file(100), reason, undefined)).rejects.toThrow(/is ready/)
    await giveUp(kit.platform, open, 'The recording is damaged.')
    await expect(delay(db, open, reason, undefined)).rejects.toThrow(/given up/)
    expect((await kit.metadata(key, open)).delay_reason).toMatch(/damaged/)
  })
})

it('new accounts pay in the first currency that has prices, so that the next start is not refused', async () => {
  const config = { ...kit.platform.config, rates: { EUR: rates.EUR } }
  const { account } = await openDemoAccount({ ...kit.platform, config }, '::1')
  const { currency } = await kit.platform.db
    .selectFrom('accounts')
    .select('currency')
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
  expect(currency).toBe('EUR')
})

it('startup without rates for a currency in use is refused', async () => {
  const other = await kit.account()
  await accountSet(kit.platform.db, other.id, { currency: 'EUR' }, rates)
  await kit.platform.db.updateTable('accounts').set({ currency: 'SEK' }).where('id', '=', other.id).execute()
  await expect(kit.restart()).rejects.toThrow(
    /Accounts pay in SEK, which RATES_FILE has no rates for.*account set ACCOUNT --currency USD\.$/s,
  )
})
