import { describe, expect, test } from 'vitest'
import { type LogEntry, logPage } from '../../../contract/account/audit-log.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { makeChange, makeSample, postChange, typed } from '../../text/corrections/testing/sample-to-correct.ts'
import { logRetentionMs } from './log-pages.ts'

const room = accountRoom({ role: 'api' })

async function entries(query = ''): Promise<LogEntry[]> {
  await room.service.platform.readLog.write(room.service.platform.db)
  return logPage.parse(await room.client.read('GET', `log${query}`)).entries
}

const told = ({ action, detail, file_name, key, times }: LogEntry) => `${action} ${detail} ${file_name} ${key} ${times}`

describe('the log of an account', () => {
  test('records orders, reads, corrections and deletions, with key and address', async () => {
    const file = await makeSample(room)
    await postChange(room, `${file.id}/corrections`, 0, makeChange(file, [typed(file, 5, 'One')]))
    await postChange(room, `${file.id}/corrections`, 1, makeChange(file, [typed(file, 9, 'Two')]))
    const pdf = await room.service.fetch(room.account.key, `file/${file.id}.pdf`)
    await pdf.arrayBuffer()
    await room.service.fetch(room.account.key, `file/${file.id}`, { method: 'DELETE' })
    const all = await entries()
    const [{ key: name }] = all as [LogEntry]
    expect(name).not.toBe('')
    expect(all.map(told).sort()).toEqual(
      [
        `corrected  Corrected ${name} 2`,
        `deleted  Corrected ${name} 1`,
        `ordered manual Corrected ${name} 1`,
        `payment 20.00 USD paid in by Test card that pays 4242  ${name} 1`,
        `read json Corrected ${name} 1`,
        `read pdf Corrected ${name} 1`,
      ].sort(),
    )
    for (const { address, file_id, action } of all)
      expect([address, file_id]).toEqual(['127.0.0.1', action === 'payment' ? null : file.id])
  })

  test('records keys, cards, defaults, webhooks and vocabulary, with the name that a key had then', async () => {
    const { key, entry } = await room.client.read<{ key: string; entry: { id: string } }>('POST', 'keys', {
      name: 'Laptop',
    })
    const laptop = accountClient(room.service.address, key)
    await laptop.read('PUT', 'payment', { test_card: 'declines' })
    await laptop.read('PUT', 'defaults', { strict_verbatim: 'on' })
    await room.client.read('PATCH', `keys/${entry.id}`, { name: 'Old laptop' })
    await room.client.ask('DELETE', `keys/${entry.id}`)
    expect((await entries()).map(({ action, detail, key }) => [action, detail, key === 'Laptop'])).toEqual([
      ['key', 'revoked “Old laptop”', false],
      ['key', 'renamed “Laptop” to “Old laptop”', false],
      ['defaults', 'changed', true],
      ['payment', 'card Test card that is declined 0002', true],
      ['key', 'made “Laptop”', false],
    ])
  })

  test('attributes automatic actions to nobody, even if a request triggered them', async () => {
    const made = { seconds: 60, progress_percent: 100, name: 'Expiring' }
    await room.client.read('POST', 'tools/files', made)
    room.service.advance(25 * 60 * 60_000)
    await room.service.doChores()
    const deleted = (await entries('?action=deleted'))[0]
    expect(deleted).toMatchObject({ file_name: 'Expiring', key: '', address: '' })
  })

  test('is searched, filtered, paged and exported, and private to the account', async () => {
    for (const name of ['50%_a', 'Fifty', 'Other']) {
      await room.client.read('POST', 'tools/files', { seconds: 60, progress_percent: 10, name })
    }
    expect((await entries('?search=0%25_')).map(({ file_name }) => file_name)).toEqual(['50%_a'])
    expect(await entries('?action=deleted')).toEqual([])
    expect(await entries('?search=127.0.0')).toHaveLength(4)
    const first = logPage.parse(await room.client.read('GET', 'log?limit=2'))
    const second = logPage.parse(await room.client.read('GET', `log?limit=2&cursor=${first.next_cursor}`))
    expect([...first.entries, ...second.entries].map(({ file_name }) => file_name)).toEqual([
      'Other',
      'Fifty',
      '50%_a',
      '',
    ])
    expect(second.next_cursor).toBeNull()
    const csv = await (await room.client.ask('GET', 'log.csv')).text()
    expect(csv.trimEnd().split('\r\n')).toHaveLength(5)
    const stranger = await room.service.account()
    expect(await accountClient(room.service.address, stranger.key).read('GET', 'log')).toMatchObject({ entries: [] })
    expect((await room.client.ask('GET', 'log?action=dance')).status).toBe(400)
  })

  test('is kept a year', async () => {
    await room.client.read('POST', 'tools/files', { seconds: 60, progress_percent: 10 })
    room.service.advance(logRetentionMs - 60_000)
    await room.service.doChores()
    const kept = (await entries()).map(({ action }) => action)
    expect(kept).toContain('ordered')
    room.service.advance(120_000)
    await room.service.doChores()
    expect((await entries()).map(({ action }) => action)).not.toContain('ordered')
  })
})
