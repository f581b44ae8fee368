import { describe, expect, test } from 'vitest'
import type { AccountOverview } from '../../../contract/account/account.ts'
import { accountOverview } from '../../../contract/account/account.ts'
import type { CreatedApiKey } from '../../../contract/account/keys.ts'
import { apiKeyList, createdApiKey } from '../../../contract/account/keys.ts'
import { paymentOverview } from '../../../contract/account/payment.ts'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'

const room = accountRoom()

/** Returns status and message of an error response. */
async function refusal(answer: Promise<Response>): Promise<[number, string]> {
  const { status, ...rest } = await answer.then(async (each) => ({ status: each.status, body: await each.json() }))
  return [status, (rest.body as { error: string }).error]
}

describe('the overview', () => {
  test('returns the signed-in account and what it is offered', async () => {
    const overview = accountOverview.parse(await room.client.read('GET', ''))
    expect(overview).toMatchObject({
      id: room.account.id,
      environment: 'sandbox',
      key_last_four: room.account.key.slice(-4),
      currency: 'USD',
      default_options: specDefaultOptions,
      recognition: { model_download: null },
      features: { manual_typing: 'pool', sandbox_tools: true },
    })
    const live = await room.service.account({ environment: 'live' })
    const other = await accountClient(room.service.address, live.key).read<AccountOverview>('GET', '')
    expect(other.features).toMatchObject({ manual_typing: 'none', sandbox_tools: false })
  })

  test('asks for a key of its own environment', async () => {
    const wrong = { headers: { authorization: authorization(room.account.key) } }
    expect((await fetch(`${room.service.address}/account/`, wrong)).status).toBe(401)
    expect((await fetch(`${room.service.address}/sandbox/account/`)).status).toBe(401)
    expect((await fetch(`${room.service.address}/account/nothing`)).status).toBe(404)
  })
})

describe('keys', () => {
  test('are created, shown once, renamed, and end everywhere when they are revoked', async () => {
    const made = createdApiKey.parse(await room.client.read('POST', 'keys', { name: '  Build server ' }))
    expect(made.entry).toMatchObject({ name: 'Build server', last_four: made.key.slice(-4), current: false })
    expect((await room.service.fetch(made.key, 'files')).status).toBe(200)
    await room.client.read('PATCH', `keys/${made.entry.id}`, { name: 'Nightly' })
    const { keys } = apiKeyList.parse(await room.client.read('GET', 'keys'))
    expect(keys.map(({ name, current }) => [name, current])).toContainEqual(['Nightly', false])
    expect(keys.filter(({ current }) => current)).toHaveLength(1)
    expect(JSON.stringify(keys)).not.toContain(made.key)
    expect((await room.client.ask('DELETE', `keys/${made.entry.id}`)).status).toBe(204)
    expect((await room.service.fetch(made.key, 'files')).status).toBe(401)
    expect(await refusal(room.client.ask('DELETE', `keys/${made.entry.id}`))).toEqual([404, expect.any(String)])
  })

  test('the key in use is not revoked by accident', async () => {
    const { keys } = apiKeyList.parse(await room.client.read('GET', 'keys'))
    const current = keys.find((key) => key.current)?.id
    expect(await refusal(room.client.ask('DELETE', `keys/${current}`))).toEqual([409, expect.stringMatching(/in use/)])
    expect((await room.client.ask('DELETE', `keys/${current}?current=yes`)).status).toBe(204)
    expect((await room.client.ask('GET', '')).status).toBe(401)
  })

  test('expire at their time', async () => {
    const past = new Date(room.service.platform.clock()).toISOString()
    expect((await refusal(room.client.ask('POST', 'keys', { name: 'Old', expires: past })))[0]).toBe(400)
    const expires = new Date(room.service.platform.clock() + 60_000).toISOString()
    const made = await room.client.read<CreatedApiKey>('POST', 'keys', { name: 'Short', expires })
    expect((await room.service.fetch(made.key, 'files')).status).toBe(200)
    room.service.advance(60_000)
    expect((await room.service.fetch(made.key, 'files')).status).toBe(401)
    const { keys } = apiKeyList.parse(await room.client.read('GET', 'keys'))
    expect(keys.map(({ name }) => name)).not.toContain('Short')
  })

  test.each([
    [{}, /"name"/],
    [{ name: '   ' }, /"name"/],
    [{ name: 'x'.repeat(81) }, /"name"/],
    [{ name: 'A', admin: true }, /admin/],
    [{ name: 'A', expires: 'soon' }, /"expires"/],
    ['A', /object/],
  ])('a body such as %j is refused in words', async (body, words) => {
    expect(await refusal(room.client.ask('POST', 'keys', body))).toEqual([400, expect.stringMatching(words)])
  })
})

describe('defaults', () => {
  test('apply to an order without options (spec 2.3, rule 2)', async () => {
    await room.client.read('PUT', 'defaults', { spelling_style: 'british', speaker_names: ['Ann', 'Bob'] })
    const { id } = await room.service.order(room.account.key, await room.service.tone(1))
    const { options } = await room.service.metadata(room.account.key, id)
    expect(options).toMatchObject({ spelling_style: 'british', speaker_names: ['Ann', 'Bob'], time_coding: 'on' })
    await room.client.read('PUT', 'defaults', {})
    expect((await room.client.read<AccountOverview>('GET', '')).default_options).toEqual(specDefaultOptions)
  })

  test('accept the same options as orders', async () => {
    expect(await refusal(room.client.ask('PUT', 'defaults', { spelling_style: 'welsh' }))).toEqual([
      400,
      expect.stringMatching(/spelling_style.*british/),
    ])
    expect((await room.client.ask('PUT', 'defaults', { custom_formatting: 'yes' })).status).toBe(400)
  })
})

describe('payment', () => {
  test('without a card orders are refused, with a new one they go through', async () => {
    await room.client.read('DELETE', 'payment')
    expect(paymentOverview.parse(await room.client.read('GET', 'payment')).payment_method).toBeNull()
    expect((await room.service.post(room.account.key, await room.service.tone(1))).status).toBe(402)
    await room.client.read('PUT', 'payment', { test_card: 'succeeds' })
    await room.service.order(room.account.key, await room.service.tone(1))
  })

  test('a declined card leaves nothing charged or stored', async () => {
    await room.client.read('PUT', 'payment', { test_card: 'declines' })
    expect((await room.service.post(room.account.key, await room.service.tone(1))).status).toBe(402)
    expect(await room.client.read('GET', 'ledger')).toMatchObject({ total: 0 })
  })

  test('a charge that fails late is marked failed in the ledger', async () => {
    await room.client.read('PUT', 'payment', { test_card: 'fails_late' })
    await room.service.order(room.account.key, await room.service.tone(60), '?transcript_type=automated')
    expect(await room.client.read('GET', 'usage')).toMatchObject({ charged_cents: 10 })
    room.service.advance(10_000)
    await room.service.doChores()
    expect(await room.client.read('GET', 'ledger')).toMatchObject({ entries: [{ kind: 'charge', status: 'failed' }] })
    expect(await room.client.read('GET', 'usage')).toMatchObject({ charged_cents: 0 })
  })
})

describe('demo accounts', () => {
  test('open without a key, have a card, and are counted', async () => {
    const open = () => fetch(`${room.service.address}/sandbox/account/demo`, { method: 'POST' })
    const { key } = (await (await open()).json()) as { key: string }
    const overview = await accountClient(room.service.address, key).read<AccountOverview>('GET', '')
    expect(overview).toMatchObject({ environment: 'sandbox', payment_method: { last_four: '4242' } })
    const answers = await Promise.all(Array.from({ length: 30 }, open))
    // With several database connections they are not counted in request order.
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await fetch(`${room.service.address}/account/demo`, { method: 'POST' })).status).toBe(404)
  })
})
