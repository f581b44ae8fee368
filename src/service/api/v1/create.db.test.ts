import { createHash } from 'node:crypto'
import { rm, truncate, writeFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metadataHeader } from '../../../contract/interface/headers.ts'
import { maxMetadataHeaderBytes } from '../../../contract/interface/limits.ts'
import {
  isValueOption,
  listValues,
  optionNames,
  specDefaultOptions,
} from '../../../contract/interface/option-values.ts'
import { storedPath } from '../../platform/media/testing/stored-path.ts'
import { accountClient } from '../../testing/account-client.ts'
import { fileForm, startTestService, type TestService } from '../../testing/test-service.ts'

let kit: TestService
let tone: Uint8Array
beforeAll(async () => {
  kit = await startTestService({ role: 'api' })
  tone = await kit.tone(1)
})
afterAll(() => kit.close())

async function errorOf(answer: Response): Promise<string> {
  const body = (await answer.json()) as { error: string }
  expect(Object.keys(body)).toEqual(['error'])
  return body.error
}

/** Expects that a refused order leaves nothing behind. */
async function expectNothing(key: string, accountId: string): Promise<void> {
  expect(await (await kit.fetch(key, 'files')).json()).toEqual([])
  const { db, blobs } = kit.platform
  expect(await db.selectFrom('ledger').select('id').where('account_id', '=', accountId).execute()).toEqual([])
  expect(await db.selectFrom('charge_intents').select('account_id').execute()).toEqual([])
  const owned = new Set((await db.selectFrom('files').select('id').execute()).map((file) => file.id))
  for await (const id of blobs.ids()) expect(owned.has(id), 'no bytes without a file').toBe(true)
}

describe('spec 2.3: options', () => {
  it('are applied as given, in any case, with spaces as %20 or +', async () => {
    const { key } = await kit.account({ customFormatting: true })
    const query =
      '?transcript_type=MANUAL&strict_verbatim=On&subtitle_file=ON&time_coding=off&speaker_tracking=OFF' +
      '&speaker_tracking_format=Full+Names&spelling_style=British&transcript_template=blank%20double%20line%20spaced' +
      '&speaker_names=Ann%2C%20Bob+Lee,Ann&instructions=Mind+the%20gap&custom_formatting=YES&custom_formatting_details=x'
    const { id } = await kit.order(key, tone, query)
    expect((await kit.metadata(key, id)).options).toEqual({
      ...specDefaultOptions,
      transcript_type: 'manual',
      strict_verbatim: 'on',
      subtitle_file: 'on',
      time_coding: 'off',
      speaker_tracking: 'off',
      speaker_tracking_format: 'full names',
      spelling_style: 'british',
      transcript_template: 'blank double line spaced',
      speaker_names: ['Ann', 'Bob Lee'],
      instructions: 'Mind the gap',
      custom_formatting: 'yes',
      custom_formatting_details: 'x',
    })
  })

  it('not given take the account’s defaults, else those of the spec; automated ignores the others', async () => {
    const account = await kit.account()
    const plain = await kit.order(account.key, tone)
    expect((await kit.metadata(account.key, plain.id)).options).toEqual(specDefaultOptions)
    await kit.platform.db
      .updateTable('accounts')
      .set({ default_options_json: JSON.stringify({ spelling_style: 'canadian', speaker_names: ['Zoe'] }) })
      .where('id', '=', account.id)
      .execute()
    kit.platform.changes.notify({ kind: 'account', accountId: account.id })
    const own = await kit.order(account.key, tone, '?strict_verbatim=on')
    expect((await kit.metadata(account.key, own.id)).options).toEqual({
      ...specDefaultOptions,
      spelling_style: 'canadian',
      speaker_names: ['Zoe'],
      strict_verbatim: 'on',
    })
    const answer = await kit.post(account.key, tone, '?transcript_type=automated&strict_verbatim=on')
    expect([answer.status, answer.headers.get('ignored-options')]).toEqual([201, 'strict_verbatim'])
    const automated = (await answer.json()) as { id: string }
    expect((await kit.metadata(account.key, automated.id)).options).toEqual({
      ...specDefaultOptions,
      transcript_type: 'automated',
    })
  })

  it('that need another one are named as ignored without it', async () => {
    const { key } = await kit.account()
    const ignored = async (query: string) => (await kit.post(key, tone, query)).headers.get('ignored-options')
    expect(await ignored('?custom_formatting_details=Bold&speaker_tracking=off&speaker_tracking_format=initials')).toBe(
      'speaker_tracking_format, custom_formatting_details',
    )
    expect(await ignored('?strict_verbatim=on')).toBeNull()
  })

  it('that are wrong, unknown or repeated are a 400 that names them and their values', async () => {
    const { key, id } = await kit.account()
    for (const name of optionNames.filter(isValueOption)) {
      const answer = await kit.post(key, tone, `?${name}=sideways`)
      expect(answer.status, name).toBe(400)
      const error = await errorOf(answer)
      for (const word of [name, ...listValues(name)]) expect(error).toContain(word)
    }
    for (const query of [
      '?colour=red',
      '?speaker_names=Ann,,Bob',
      '?time_coding=on&time_coding=off',
      '?transcript_type=automated&spelling_style=klingon',
      '?transcript_type=',
      '?=x',
    ]) {
      expect((await kit.post(key, tone, query)).status, query).toBe(400)
    }
    await expectNothing(key, id)
  })

  it('custom_formatting needs to be enabled for the account', async () => {
    const { key } = await kit.account()
    const answer = await kit.post(key, tone, '?custom_formatting=yes')
    expect(answer.status).toBe(400)
    expect(await errorOf(answer)).toMatch(/custom_formatting.*contact support/)
  })

  it('that are too long for the header are a 400, and the header stays within its limit below', async () => {
    const { key } = await kit.account()
    const answer = await kit.post(key, tone, `?instructions=${'x'.repeat(6_500)}`)
    expect(answer.status).toBe(400)
    expect(await errorOf(answer)).toMatch(/instructions/)
    const { id } = await kit.order(key, tone, `?instructions=${encodeURIComponent('ж'.repeat(700))}`)
    const head = await kit.fetch(key, `file/${id}`, { method: 'HEAD' })
    const header = head.headers.get(metadataHeader) ?? ''
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    expect(header.length).toBeLessThanOrEqual(maxMetadataHeaderBytes)
    expect(JSON.parse(header).options.instructions).toBe('ж'.repeat(700))
  })
})

describe('names of files', () => {
  it('are text without extension, path and control characters, whatever a client sends', async () => {
    const { key } = await kit.account()
    for (const [sent, shown] of [
      ['../../etc/passwd.wav', 'passwd'],
      ['C:\\Users\\me\\Call 7.wav', 'Call 7'],
      ['Заседание 🎙️.wav', 'Заседание 🎙️'],
      ['שלום.wav', 'שלום'],
      ['a\u202egpj.wav', 'agpj'],
      ['"quoted"; name=x.wav', '"quoted"; name=x'],
      ['no extension', 'no extension'],
    ] as const) {
      const { id } = await kit.order(key, tone, '', { name: sent })
      const head = await kit.fetch(key, `file/${id}`, { method: 'HEAD' })
      expect(JSON.parse(head.headers.get(metadataHeader) ?? '').name, sent).toBe(shown)
      const disposition = head.headers.get('content-disposition') ?? ''
      expect(disposition, sent).toMatch(/^attachment; filename="[\x20-\x7e]*\.txt"; filename\*=UTF-8''[\w%.!~-]+$/)
      expect(disposition).not.toMatch(/[/\\](?!")/)
    }
  })

  it('of any kind lead to an order or a 4xx, never to a failure', { timeout: 120_000 }, async () => {
    const { key } = await kit.account()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 5_000 }), async (name) => {
        const answer = await kit.post(key, tone, '', { name })
        expect([201, 400, 429]).toContain(answer.status)
        if (answer.status !== 201) return
        const { id } = (await answer.json()) as { id: string }
        expect((await kit.fetch(key, `file/${id}`, { method: 'HEAD' })).status).toBe(200)
      }),
      { numRuns: 15, examples: [['\0'], ['\r\nX-Evil: 1'], ['x'.repeat(4_096)], ['🎉'.repeat(1_000)], ['\ud800.wav']] },
    )
  })
})

describe('money', () => {
  it('is charged at creation, true to the cent, with the account’s discount', async () => {
    const account = await kit.account()
    await kit.platform.db.updateTable('accounts').set({ discount_percent: 12.5 }).where('id', '=', account.id).execute()
    const { id } = await kit.order(account.key, await kit.tone(90), '?strict_verbatim=on&subtitle_file=on')
    // 90 s at 1.25 + 0.50 + 0.25 a minute is 3.00; an eighth of it is 0.375, half up 0.38.
    expect(await kit.metadata(account.key, id)).toMatchObject({ cost: '3.00', discount: '0.38', total: 2.62 })
    const entries = await kit.platform.db
      .selectFrom('ledger')
      .select(['kind', 'amount_cents', 'status', 'file_id'])
      .where('account_id', '=', account.id)
      .execute()
    expect(entries).toEqual([{ kind: 'charge', amount_cents: 262, status: 'settled', file_id: id }])
  })

  it('is 402 without a payment method or with a declined card, and leaves nothing', async () => {
    const account = await kit.account()
    const { db } = kit.platform
    await db.updateTable('payment_methods').set({ token: 'declines' }).where('account_id', '=', account.id).execute()
    const declined = await kit.post(account.key, tone)
    expect(declined.status).toBe(402)
    expect(await errorOf(declined)).toMatch(/declined/)
    await db.deleteFrom('payment_methods').where('account_id', '=', account.id).execute()
    const without = await kit.post(account.key, tone)
    expect(without.status).toBe(402)
    expect(await errorOf(without)).toMatch(/payment method/)
    await expectNothing(account.key, account.id)
  })
})

describe('Idempotency-Key', () => {
  function post(key: string, idempotencyKey: string, content = tone, query = ''): Promise<Response> {
    const headers = { 'idempotency-key': idempotencyKey }
    return kit.fetch(key, `files${query}`, { method: 'POST', headers, body: fileForm(content) })
  }

  it('returns the same response to a repeated request, at once or a day later, and charges once', async () => {
    const account = await kit.account()
    const answers = await Promise.all([1, 2, 3].map(() => post(account.key, 'order-1')))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const ids = new Set(await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: string }).id)))
    expect(ids.size).toBe(1)
    const charges = await kit.platform.db
      .selectFrom('ledger')
      .select('id')
      .where('account_id', '=', account.id)
      .execute()
    expect(charges).toHaveLength(1)
  })

  it('is 422 for another recording or other options, and free again for another account', async () => {
    const account = await kit.account()
    expect((await post(account.key, 'k')).status).toBe(201)
    expect((await post(account.key, 'k', await kit.tone(2))).status).toBe(422)
    expect((await post(account.key, 'k', tone, '?strict_verbatim=on')).status).toBe(422)
    expect((await post((await kit.account()).key, 'k', await kit.tone(2))).status).toBe(201)
  })

  it('is not stored for failed requests, and is validated', async () => {
    const account = await kit.account()
    const { db } = kit.platform
    await db.updateTable('payment_methods').set({ token: 'declines' }).where('account_id', '=', account.id).execute()
    expect((await post(account.key, 'again')).status).toBe(402)
    await db.updateTable('payment_methods').set({ token: 'succeeds' }).where('account_id', '=', account.id).execute()
    expect((await post(account.key, 'again')).status).toBe(201)
    for (const bad of ['', ' ', 'x'.repeat(256), 'two words']) {
      expect((await post(account.key, bad)).status, bad).toBe(400)
    }
  })
})

it('names the account’s files with the same recording as duplicates, both ways, until they are gone', async () => {
  const { key } = await kit.account()
  const same = await kit.tone(3)
  const first = await kit.order(key, same, '', { name: 'one.wav' })
  const second = await kit.order(key, same, '', { name: 'two.wav' })
  await kit.order((await kit.account()).key, same)
  expect((await kit.metadata(key, second.id)).duplicates).toEqual([first.id])
  expect((await kit.metadata(key, first.id)).duplicates).toEqual([second.id])
  await kit.fetch(key, `file/${first.id}`, { method: 'DELETE' })
  expect((await kit.metadata(key, second.id)).duplicates).toBeNull()
})

it('looks up recordings of the account by content hash, never those of other accounts', async () => {
  const [{ key }, other] = [await kit.account(), await kit.account()]
  const recording = await kit.tone(3)
  const hash = createHash('sha256').update(`${recording.length}\n`).update(recording).digest('hex')
  const ask = (asking: string, content_hashes: unknown) =>
    accountClient(kit.address, asking).ask('POST', 'files/known', { content_hashes })
  expect(await (await ask(key, [hash])).json()).toEqual({ known: [] })
  await kit.order(key, recording, '', { name: 'one.wav' })
  const { id } = await kit.order(key, recording, '', { name: 'two.wav' })
  expect(await (await ask(key, [hash, '0'.repeat(64), hash])).json()).toEqual({
    known: [{ content_hash: hash, id }],
  })
  expect(await (await ask(other.key, [hash])).json()).toEqual({ known: [] })
  for (const bad of [[], ['x'], [7], 'all', Array.from({ length: 1_001 }, () => hash)]) {
    expect((await ask(key, bad)).status).toBe(400)
  }
})

it('accepts a recording whose earlier copies are lost or damaged, and names only intact ones', async () => {
  const { key } = await kit.account({ environment: 'live' })
  const same = await kit.tone(3)
  const order = async () => (await kit.order(key, same)).id
  const duplicates = async (id: string) => (await kit.metadata(key, id)).duplicates
  const pathOf = (id: string) => storedPath(kit.platform.blobs, id, 'media')
  const [whole, flipped, cut, lost] = [await order(), await order(), await order(), await order()]
  expect(await duplicates(lost)).toEqual([cut, flipped, whole])
  await rm(pathOf(lost))
  await truncate(pathOf(cut), 100)
  await writeFile(pathOf(flipped), Buffer.from(same).fill(1, 2_000, 2_001))
  const again = await order()
  expect(await duplicates(again)).toContain(whole)
  expect(await duplicates(again)).not.toContain(lost)
  expect(await duplicates(again)).not.toContain(cut)
  await rm(pathOf(whole))
  await rm(pathOf(again))
  expect(await duplicates(await order())).toBeNull()
})

it('reports that nobody types a live manual order yet, and leaves it at 0 (decision 105)', async () => {
  const { key } = await kit.account({ environment: 'live' })
  const { id } = await kit.order(key, tone)
  expect(await kit.metadata(key, id)).toMatchObject({
    progress_percent: 0,
    delay_reason: expect.stringMatching(/typists/),
  })
})
