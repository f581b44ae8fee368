import { expect, test } from 'vitest'
import { type AccountRates, parseDuration, type Quote, quoteValidMs } from '../../../contract/account/quotes.ts'
import { defaultRates } from '../../../contract/interface/price.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { fileForm } from '../../testing/test-service.ts'
import { describeRates, requireRates } from './get-rates.ts'

// Rates that rise at midnight, and fall again a day later.
const dear = { ...defaultRates, automated: 1_000 }
const rates = {
  USD: [
    { from: null, rates: defaultRates },
    { from: '2026-11-17', rates: dear },
    { from: '2026-11-18', rates: defaultRates },
  ],
}
const room = accountRoom({ role: 'api', rates })
const advanceTo = (time: string) => room.service.advance(Date.parse(time) - room.service.platform.clock())

const automated = { transcript_type: 'automated' }
const askQuote = (seconds: readonly number[], options: object = automated) =>
  room.client.read<Quote>('POST', 'quotes', { files: seconds.map((each) => ({ seconds: each })), options })

async function order(seconds: number, headers: Record<string, string>, query = 'transcript_type=automated') {
  const body = fileForm(await room.service.tone(seconds))
  return await room.service.fetch(room.account.key, `files?${query}`, { method: 'POST', headers, body })
}
const told = async (answer: Response) => [answer.status, ((await answer.json()) as { error?: string }).error]
async function total(answer: Response): Promise<number> {
  const { id } = (await answer.json()) as { id: string }
  return (await room.service.metadata(room.account.key, id)).total
}
const charged = () => room.service.platform.db.selectFrom('top_ups').select('id').execute()

test('an order is never charged more than its quote, also if rates have changed, and less if they have fallen', async () => {
  const { db } = room.service.platform
  await db.updateTable('accounts').set({ discount_percent: 50 }).where('id', '=', room.account.id).execute()
  advanceTo('2026-11-16T23:59:00Z')
  const quote = await askQuote([60, 600])
  expect(quote).toMatchObject({ currency: 'USD', per_minute_cents: 10, discount_percent: 50, total_cents: 55 })
  expect(quote.lines).toEqual([
    { seconds: 60, cost_cents: 10, discount_cents: 5, total_cents: 5 },
    { seconds: 600, cost_cents: 100, discount_cents: 50, total_cents: 50 },
  ])
  expect(Date.parse(quote.expires)).toBe(room.service.platform.clock() + quoteValidMs)
  const told = async () => (await room.client.read<AccountRates>('GET', 'rates')).rates.map(({ from }) => from)
  expect(await told()).toEqual([null, '2026-11-17'])
  advanceTo('2026-11-17T00:00:00Z')
  expect(await told()).toEqual(['2026-11-17', '2026-11-18'])
  const names = { 'quote-id': quote.id, 'idempotency-key': 'first' }
  // The shorter recording is taken by what is as long; 0.4 s more is what a player shows as a minute.
  const first = await order(60.4, names)
  expect([first.status, await total(first)]).toEqual([201, 0.05])
  expect(await total(await order(120, { 'quote-id': quote.id }))).toBe(0.1)
  // A retry is answered, though its quote is used up and has expired.
  room.service.advance(quoteValidMs)
  expect((await order(60.4, names)).status).toBe(201)
  advanceTo('2026-11-17T23:59:00Z')
  const high = await askQuote([60])
  expect(high.total_cents).toBe(500)
  advanceTo('2026-11-18T00:00:00Z')
  expect(await total(await order(60, { 'quote-id': high.id }))).toBe(0.05)
})

test('a quote that does not fit is refused in words before any charge', async () => {
  const quote = await askQuote([30])
  const names = { 'quote-id': quote.id }
  const other = await room.service.account()
  const foreign = await accountClient(room.service.address, other.key).read<Quote>('POST', 'quotes', {
    files: [{ seconds: 30 }],
  })
  const before = await charged()
  expect(await told(await order(1, { 'quote-id': foreign.id }))).toEqual([
    404,
    expect.stringMatching(/no quote of this account. Nothing was charged/),
  ])
  expect(await told(await order(1, names, 'transcript_type=manual'))).toEqual([
    409,
    expect.stringMatching(/another transcript_type.*Nothing was charged/),
  ])
  expect(await told(await order(31, names))).toEqual([
    409,
    expect.stringMatching(/31 s long, and what is left of the quote at most 30 s.*Nothing was charged/),
  ])
  expect(await charged()).toEqual(before)
  expect((await order(30, names)).status).toBe(201)
  expect(await told(await order(30, names))).toEqual([409, expect.stringMatching(/has been used.*Nothing was charged/)])
  const late = await askQuote([30])
  room.service.advance(quoteValidMs)
  expect(await told(await order(30, { 'quote-id': late.id }))).toEqual([
    409,
    expect.stringMatching(/expired at .*Nothing was charged/),
  ])
  const ledger = await room.client.read<{ total: number }>('GET', 'ledger')
  expect(ledger.total).toBe(1)
})

test('of orders at once that name one quote, each of its recordings is ordered once', async () => {
  const quote = await askQuote([5, 5])
  const answers = await Promise.all(Array.from({ length: 4 }, () => order(5, { 'quote-id': quote.id })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409])
  expect((await room.client.read<{ total: number }>('GET', 'ledger')).total).toBe(2)
})

test('a resumable upload names a quote when it begins, and another one when its order is asked for again', async () => {
  const short = await askQuote([1])
  const sound = await room.service.tone(2)
  const metadata = { filetype: 'audio/wav', options: 'transcript_type=automated', quote: short.id }
  const headers = { authorization: authorization(room.account.key), 'tus-resumable': '1.0.0' }
  const started = await fetch(new URL('/sandbox/uploads', room.service.address), {
    method: 'POST',
    headers: {
      ...{ ...headers, 'content-type': 'application/offset+octet-stream', 'upload-length': String(sound.length) },
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(),
    },
    body: sound as Uint8Array<ArrayBuffer>,
  })
  expect(started.status).toBe(409)
  const { id } = await room.service.platform.db
    .selectFrom('uploads')
    .select('id')
    .where('account_id', '=', room.account.id)
    .executeTakeFirstOrThrow()
  const again = (quote: Quote) =>
    fetch(new URL(`/sandbox/uploads/${id}/order`, room.service.address), {
      method: 'POST',
      headers: { ...headers, 'quote-id': quote.id },
    })
  expect((await again(await askQuote([2]))).status).toBe(201)
})

test('lengths and options that are none are refused in words, and quotes are not made without end', async () => {
  const ask = async (files: unknown, options: object = automated) =>
    told(await room.client.ask('POST', 'quotes', { files, options }))
  expect(await ask([{ duration: '1:75' }])).toEqual([400, expect.stringMatching(/Recording 1 .*such as 1:02:30/)])
  expect(await ask([{ seconds: 5 }, {}])).toEqual([400, expect.stringMatching(/Recording 2 .*needs either/)])
  for (const seconds of [0, -1, 1e-9, 1e300]) {
    expect(await ask([{ seconds }])).toEqual([
      400,
      expect.stringMatching(/longer than 0 and no longer than 1000 hours/),
    ])
  }
  expect((await ask([]))[0]).toBe(400)
  expect((await ask(Array.from({ length: 101 }, () => ({ seconds: 1 }))))[0]).toBe(400)
  expect(await ask([{ seconds: 5 }], { custom_formatting: 'yes' })).toEqual([400, expect.stringMatching(/not enabled/)])
  const texts = ['1:02:30', '62:30', '62:30.5', '0:00', '1:75', '90', '1:60:00', 'PT1M']
  expect(texts.map(parseDuration)).toEqual([3_750_000, 3_750_000, 3_750_500, 0, null, null, null, null])
  const { platform, account } = { ...room.service, account: room.account }
  const row = { account_id: account.id, currency: 'USD', options_json: '{}', rates_json: '{}', discount_percent: 0 }
  const valid = Array.from({ length: 100 }, (_, at) => `quo_${at}`)
  const times = { created_at: platform.clock(), expires_at: platform.clock() + quoteValidMs }
  await platform.db
    .insertInto('quotes')
    .values(valid.map((id) => ({ id, ...row, ...times })))
    .execute()
  expect(await ask([{ seconds: 1 }])).toEqual([429, expect.stringMatching(/At most 100 quotes/)])
  room.service.advance(quoteValidMs)
  expect((await ask([{ duration: '1:00' }]))[0]).toBe(201)
  room.service.advance(8 * 24 * 60 * 60_000)
  await room.service.doChores()
  expect(await room.service.platform.db.selectFrom('quotes').select('id').execute()).toEqual([])
  expect(await room.service.platform.db.selectFrom('quote_lines').select('quote_id').execute()).toEqual([])
})

test('a service whose rates begin later does not start; its documentation says since when they hold', async () => {
  const { db, clock, config } = room.service.platform
  const later = { USD: [{ from: '2099-01-01', rates: defaultRates }] }
  await expect(requireRates({ db, clock, config: { ...config, rates: later } })).rejects.toThrow(
    'RATES_FILE has no rates in USD that hold today: the first begin on 2099-01-01.',
  )
  expect(describeRates({ rates }, Date.parse('2026-11-17T12:00Z'))).toBe(
    'USD a minute since 2026-11-17: automated 10.00, manual 1.25, strict verbatim 0.50, subtitle file 0.25; ' +
      'from 2026-11-18: automated 0.10, manual 1.25, strict verbatim 0.50, subtitle file 0.25.',
  )
})
