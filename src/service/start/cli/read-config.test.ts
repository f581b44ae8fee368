import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultRates } from '../../../contract/interface/price.ts'
import { readConfig, readTarget } from './read-config.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-config-'))
})
afterAll(() => rm(directory, { recursive: true }))

describe('RATES_FILE', () => {
  const euros = { automated: 9, manual: 110, strict_verbatim: 0, subtitle_file: 20 }
  const path = () => join(directory, 'rates.json')

  async function read(text: string) {
    await writeFile(path(), text)
    return readConfig({}, { RATES_FILE: path() }).rates
  }

  it('sets the price per minute in each currency; defaults to dollars', async () => {
    expect(await read(JSON.stringify({ EUR: euros }))).toEqual({ EUR: [{ from: null, rates: euros }] })
    expect(readConfig({}, { RATES_FILE: '' }).rates).toEqual({ USD: [{ from: null, rates: defaultRates }] })
  })

  it('may have a list of rates, each with the day from which it holds', async () => {
    const dear = { ...euros, automated: 12 }
    const days = [euros, { ...dear, from: '2027-01-01' }]
    expect(await read(JSON.stringify({ EUR: days }))).toEqual({
      EUR: [
        { from: null, rates: euros },
        { from: '2027-01-01', rates: dear },
      ],
    })
  })

  it.each([
    ['no JSON', 'USD: 10', /RATES_FILE cannot be read/],
    ['nothing', '{}', /it is empty/],
    ['rates without a currency', JSON.stringify(euros), /automated is no currency/],
    ['a currency that nobody has', JSON.stringify({ ABC: euros }), /ABC is no currency/],
    ['one without cents', JSON.stringify({ JPY: euros }), /JPY is no currency with two decimals/],
    ['a rate that is missing', JSON.stringify({ EUR: { ...euros, manual: undefined } }), /EUR manual is missing/],
    ['parts of a cent', JSON.stringify({ EUR: { ...euros, manual: 1.25 } }), /EUR manual is .* no whole number/],
    ['less than nothing', JSON.stringify({ EUR: { ...euros, automated: -1 } }), /EUR automated/],
    ['a list of none', JSON.stringify({ EUR: [] }), /EUR is empty/],
    ['six decimals', JSON.stringify({ EUR: { ...euros, manual: 0.123456 } }), /EUR manual is .* no whole number/],
    ['no day', JSON.stringify({ EUR: [{ ...euros, from: '2027-02-30' }] }), /EUR from is no day such as 2027-01-01/],
    ['a time', JSON.stringify({ EUR: { ...euros, from: '2027-01-01T10:00' } }), /EUR from is no day/],
    [
      'days in disorder',
      JSON.stringify({ EUR: [euros, { ...euros, from: '2027-03-01' }, { ...euros, from: '2027-01-01' }] }),
      /days of EUR are out of order: 2027-01-01 stands after 2027-03-01/,
    ],
    ['two without a day', JSON.stringify({ EUR: [euros, euros] }), /EUR 2 has no "from"/],
    [
      'an error in a list',
      JSON.stringify({ EUR: [euros, { ...euros, from: '2027-01-01', manual: -5 }] }),
      /EUR 2 manual/,
    ],
    ['a rate of nothing known', JSON.stringify({ EUR: { ...euros, rush: 5 } }), /EUR has an unknown "rush"/],
  ])('is refused in one line where it holds %s', async (_, text, words) => {
    await expect(read(text)).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(words) })
    await expect(read(text)).rejects.toMatchObject({ message: expect.not.stringContaining('\n') })
  })

  it('that is missing is named', () => {
    expect(() => readConfig({}, { RATES_FILE: join(directory, 'none.json') })).toThrow(
      /RATES_FILE cannot be read: ENOENT/,
    )
  })
})

describe('STRIPE_SECRET_KEY', () => {
  const [live, test] = ['rk_live_51Habcdefgh', 'sk_test_51Habcdefgh']
  const read = (env: Record<string, string>) => readConfig({}, env).stripe

  it('is of the live mode, or of the test mode if that is said', async () => {
    expect(read({ STRIPE_SECRET_KEY: live })).toMatchObject({ key: live, isTest: false, webhookSecret: null })
    expect(read({ STRIPE_SECRET_KEY: test, STRIPE_TEST_MODE: '1' })).toMatchObject({ isTest: true })
    expect(read({})).toBeNull()
    await writeFile(join(directory, 'key'), `${live}\n`)
    expect(read({ STRIPE_SECRET_KEY_FILE: join(directory, 'key') })).toMatchObject({ key: live })
  })

  it.each([
    ['the test mode, unsaid', { STRIPE_SECRET_KEY: test }, /is of Stripe's test mode/],
    ['the live mode where test is said', { STRIPE_SECRET_KEY: live, STRIPE_TEST_MODE: '1' }, /takes money/],
    ['the page', { STRIPE_SECRET_KEY: 'pk_live_51Habcdefgh' }, /must be a secret or restricted key of Stripe/],
    ['nobody', { STRIPE_WEBHOOK_SECRET: 'whsec_abcdefgh' }, /needs STRIPE_SECRET_KEY/],
    ['the live mode, sent elsewhere', { STRIPE_SECRET_KEY: live, STRIPE_URL: 'http://127.0.0.1:1' }, /is for tests/],
    ['a stand-in far away', { STRIPE_URL: 'http://stripe.example' }, /an http address of this machine/],
  ])('of %s is refused in one line that does not show it', (_, env, words) => {
    expect(() => read(env)).toThrow(words)
    expect(() => read(env)).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/51H|\n/) }))
  })
})

it('keeps the seller verbatim', () => {
  expect(readConfig({}, { SELLER: ' Words Ltd · 1 High St · VAT GB 1 ' }).seller).toBe(
    'Words Ltd · 1 High St · VAT GB 1',
  )
  expect(readConfig({}, {}).seller).toBeNull()
})

describe('SUPPORT_EMAIL', () => {
  it.each(['help@parley.example', "o'neil+parley@mail.parley.example"])('takes %s', (SUPPORT_EMAIL) => {
    expect(readConfig({}, { SUPPORT_EMAIL }).supportEmail).toBe(SUPPORT_EMAIL)
  })

  it.each(['help', 'help@parley', '@parley.example', 'Help <help@parley.example>', 'help@parley.example?cc=x@y.z'])(
    'refuses %s',
    (SUPPORT_EMAIL) => {
      expect(() => readConfig({}, { SUPPORT_EMAIL })).toThrow(/SUPPORT_EMAIL must be an e-mail address/)
    },
  )
})

describe('PARLEY_ROLE and SCRATCH_DIR', () => {
  const shared = { DATABASE_URL: 'postgres://db/parley', BLOBS: 's3://bucket' }

  it('default to a single process', () => {
    expect(readConfig({}, {})).toMatchObject({ role: 'all', scratchDir: null })
    const read = readConfig({}, { ...shared, PARLEY_ROLE: 'worker', SCRATCH_DIR: '/scratch' })
    expect(read).toMatchObject({ role: 'worker', scratchDir: '/scratch' })
  })

  it.each([
    [{ PARLEY_ROLE: 'boss' }, 'PARLEY_ROLE must be one of all, api, worker, not "boss".'],
    [{ PARLEY_ROLE: 'api' }, /^PARLEY_ROLE=api needs DATABASE_URL/],
    [{ SCRATCH_DIR: '/scratch' }, /^SCRATCH_DIR needs BLOBS/],
  ])('%o is refused in one sentence', (env, words) => {
    expect(() => readConfig({}, env)).toThrow(words)
  })
})

describe('WORK_PAY', () => {
  it('sets the pay per minute of audio, for some steps or all', () => {
    expect(readConfig({}, { WORK_PAY: 'EUR type=0.80 check=1' }).workPay).toEqual({
      currency: 'EUR',
      perMinute: { type: 0.8, check: 1 },
    })
    expect(readConfig({}, { WORK_PAY: ' ' }).workPay).toBeNull()
  })

  it.each(['0.80', 'EUR', 'EUR type=-1', 'EUR type=0,80', 'EUR type=1 type=2', 'EUR nap=3', 'euro type=1'])(
    'refuses %j',
    (WORK_PAY) => {
      expect(() => readConfig({}, { WORK_PAY })).toThrow(/WORK_PAY must be as "EUR type=0.80/)
    },
  )
})

describe('the target of restore --into', () => {
  const env = { DATABASE_URL: 'postgres://here/one', BLOBS: 's3://here', DATABASE_DIRECT_URL: 'postgres://here/two' }

  it('overrides the environment', () => {
    const url = 'postgresql://there/db'
    expect(readTarget({}, env, [url, 's3://there/a'])).toMatchObject({
      postgres: { url, directUrl: url },
      s3: { bucket: 'there', prefix: 'a/' },
    })
    expect(readTarget({}, env, [url, 'there'])).toMatchObject({ postgres: { url }, s3: null, dataDir: 'there' })
    expect(readTarget({ data: 'here' }, env, ['there'])).toMatchObject({ postgres: null, s3: null, dataDir: 'there' })
    const files = { DATABASE_URL_FILE: '/none', DATABASE_DIRECT_URL_FILE: '/none' }
    expect(readTarget({}, files, [url]).postgres).toMatchObject({ url, directUrl: url })
  })

  it('is refused twice of a kind, and as a bucket alone', () => {
    expect(() => readTarget({}, env, ['one', 'two'])).toThrow('--into takes one database')
    expect(() => readTarget({}, env, ['s3://there'])).toThrow('BLOBS needs DATABASE_URL')
  })
})
