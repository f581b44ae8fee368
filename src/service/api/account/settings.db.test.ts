import { describe, expect, test } from 'vitest'
import { maxSettingsBytes } from '../../../contract/account/settings.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { maxJsonLevels } from '../http/read-request.ts'

const room = accountRoom()

/** Builds lists nested to the given depth. */
const nested = (levels: number): unknown[] => (levels === 1 ? [] : [nested(levels - 1)])

describe('PUT settings', () => {
  test('replaces them by those of the dashboard', async () => {
    await room.client.read('PUT', 'settings', { theme: 'light', density: 'compact' })
    const settings = { theme: 'dark', presets: { Court: { strict_verbatim: 'on' } } }
    expect(await room.client.read('PUT', 'settings', settings)).toEqual(settings)
    expect(await room.client.read('GET', 'settings')).toEqual(settings)
  })
})

describe('PATCH settings', () => {
  test('changes the given keys, at any depth, and returns the whole', async () => {
    await room.client.read('PUT', 'settings', {
      preferences: { theme: 'light', news: { ready: true, late: true } },
      presets: { Court: { strict_verbatim: 'on' }, Film: { subtitle_file: 'on' } },
    })
    const patch = { preferences: { theme: 'dark', news: { late: null } }, presets: { Court: null } }
    const expected = {
      preferences: { theme: 'dark', news: { ready: true } },
      presets: { Film: { subtitle_file: 'on' } },
    }
    expect(await room.client.read('PATCH', 'settings', patch)).toEqual(expected)
    expect(await room.client.read('GET', 'settings')).toEqual(expected)
  })

  test('loses no concurrent change', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `Preset ${index}`)
    await Promise.all([
      room.client.read('PATCH', 'settings', { preferences: { theme: 'dark' } }),
      ...names.map((name) =>
        room.client.read('PATCH', 'settings', { presets: { [name]: { spelling_style: 'british' } } }),
      ),
      room.client.read('PATCH', 'settings', { preferences: { clock: '12' } }),
    ])
    const settings = await room.client.read<{ presets: object }>('GET', 'settings')
    expect(settings).toMatchObject({ preferences: { theme: 'dark', clock: '12' } })
    expect(Object.keys(settings.presets).sort()).toEqual(names.sort())
  })

  test('also accepts the media type of merge patches', async () => {
    const answer = await fetch(`${room.service.address}/sandbox/account/settings`, {
      method: 'PATCH',
      headers: { authorization: authorization(room.account.key), 'content-type': 'application/merge-patch+json' },
      body: '{"theme":"dark"}',
    })
    expect([answer.status, await answer.json()]).toEqual([200, { theme: 'dark' }])
  })

  test('emits the event of the account', async () => {
    const events = () =>
      room.service.platform.db.selectFrom('events').select('kind').where('account_id', '=', room.account.id).execute()
    await room.client.read('PATCH', 'settings', { theme: 'dark' })
    expect(await events()).toEqual([{ kind: 'account' }])
    await room.client.ask('PATCH', 'settings', { a: 'x'.repeat(maxSettingsBytes) })
    expect(await events()).toHaveLength(1)
  })
})

describe.each(['PUT', 'PATCH'])('%s settings refuses in words, and changes nothing,', (method) => {
  const before = { notes: 'x'.repeat(maxSettingsBytes - 100) }

  test.each([
    ['a list', '["a"]', 400, /must be a JSON object/],
    ['null', 'null', 400, /must be a JSON object/],
    ['text', '"dark"', 400, /must be a JSON object/],
    ['nothing', '', 400, /empty/],
    ['half of an object', '{"theme":"da', 400, /not valid JSON/],
    ['a prototype', '{"a":{"__proto__":{"b":1}}}', 400, /not valid JSON/],
    ['lists too deep', JSON.stringify({ a: nested(maxJsonLevels) }), 400, /20 levels/],
    ['lists of absurd depth', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 400, /20 levels/],
    ['more than there may be', `{"other":"${'x'.repeat(maxSettingsBytes)}"}`, 413, /64 kB/],
    ['more bytes than letters', `{"other":"${'€'.repeat(maxSettingsBytes / 2)}"}`, 413, /64 kB/],
  ])('%s', async (_, body, status, words) => {
    await room.client.read('PUT', 'settings', before)
    const answer = await fetch(`${room.service.address}/sandbox/account/settings`, {
      method,
      headers: { authorization: authorization(room.account.key), 'content-type': 'application/json' },
      body,
    })
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      status,
      expect.stringMatching(words),
    ])
    expect(await room.client.read('GET', 'settings')).toEqual(before)
  })

  test('nothing that is as deep and as long as it may be', async () => {
    const settings = { a: nested(maxJsonLevels - 1) }
    expect(await room.client.read(method, 'settings', settings)).toEqual(settings)
  })
})

test('a patch may be small and its result too long', async () => {
  await room.client.read('PUT', 'settings', { notes: 'x'.repeat(maxSettingsBytes - 20) })
  expect((await room.client.ask('PATCH', 'settings', { more: 'x'.repeat(20) })).status).toBe(413)
  expect((await room.client.ask('PATCH', 'settings', { notes: null, more: 'x'.repeat(20) })).status).toBe(200)
})
