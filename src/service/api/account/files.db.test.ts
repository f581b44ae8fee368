import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { FileChanges, FilePage, Playback } from '../../../contract/account/file-pages.ts'
import { deleteWhenReady, fileChanges, filePage, playback } from '../../../contract/account/file-pages.ts'
import { renderWords, wordRecords } from '../../../contract/interface/words.ts'
import { tombstoneRetentionMs } from '../../accounts/events/purge-old.ts'
import { storedPath } from '../../platform/media/testing/stored-path.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { playbackMs } from '../playback/playback-routes.ts'

const room = accountRoom({ role: 'api' })

async function sample(progressPercent: number, seconds = 30): Promise<string> {
  const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', {
    seconds,
    progress_percent: progressPercent,
  })
  return id
}

describe('pages', () => {
  test('list every file once, newest first, with the metadata of HEAD', async () => {
    const ids: string[] = []
    for (const progress of [0, 30, 70, 100, 0]) {
      ids.unshift(await sample(progress))
      room.service.advance(1)
    }
    const first = filePage.parse(await room.client.read('GET', 'files?limit=3'))
    const second = filePage.parse(await room.client.read('GET', `files?limit=3&cursor=${first.next_cursor}`))
    expect([...first.files, ...second.files].map(({ id }) => id)).toEqual(ids)
    expect([first.total, second.next_cursor]).toEqual([5, null])
    for (const entry of first.files) {
      expect(entry.metadata).toEqual(await room.service.metadata(room.account.key, entry.id))
      expect(await room.client.read('GET', `files/${entry.id}`)).toEqual(entry)
    }
  })

  test('changes since a version include all changes and deletions, over several reads', async () => {
    const [kept, moved, gone] = [await sample(10), await sample(10), await sample(10)]
    const { version } = await room.client.read<FilePage>('GET', 'files')
    expect(await room.client.read('GET', `files?since=${version}`)).toMatchObject({
      files: [],
      deleted: [],
      more: false,
    })
    await room.client.read('POST', `tools/files/${moved}/progress`, { progress_percent: 50 })
    await room.service.fetch(room.account.key, `file/${gone}`, { method: 'DELETE' })
    const changes = fileChanges.parse(await room.client.read('GET', `files?since=${version}`))
    expect(changes.files.map(({ id, metadata }) => [id, metadata.progress_percent])).toEqual([[moved, 50]])
    expect(changes).toMatchObject({ deleted: [gone], more: false, resync: false })
    const seen = new Set<string>()
    for (let since = 0, more = true; more; ) {
      const part = await room.client.read<FileChanges>('GET', `files?since=${since}&limit=1`)
      for (const id of [...part.files.map((file) => file.id), ...part.deleted]) seen.add(id)
      expect(part.version).toBeGreaterThan(since)
      since = part.version
      more = part.more
    }
    expect(seen).toEqual(new Set([kept, moved, gone]))
  })

  test('a version that is too old, or of another database, forces a resync', async () => {
    await room.service.fetch(room.account.key, `file/${await sample(10)}`, { method: 'DELETE' })
    room.service.advance(tombstoneRetentionMs + 1)
    await room.service.doChores()
    expect(await room.client.read('GET', 'files?since=1')).toMatchObject({ resync: true })
    expect(await room.client.read('GET', 'files?since=99999999')).toMatchObject({ resync: true })
  })

  test.each(['limit=0', 'limit=1001', 'cursor=x', 'since=-1', 'since=1&since=2'])('%s is a 400', async (query) => {
    expect((await room.client.ask('GET', `files?${query}`)).status).toBe(400)
  })
})

describe('delete when ready', () => {
  test('waits for the transcript, can be cancelled, and then deletes without refund', async () => {
    const id = await sample(70)
    const wish = deleteWhenReady.parse(await room.client.read('PUT', `files/${id}/delete-when-ready`))
    expect(wish).toEqual({ delete_when_ready: true, deleted: false })
    await room.client.read('DELETE', `files/${id}/delete-when-ready`)
    await room.client.read('POST', `tools/files/${id}/progress`, { progress_percent: 80 })
    await room.client.read('PUT', `files/${id}/delete-when-ready`)
    await room.client.read('POST', `tools/files/${id}/progress`, { progress_percent: 100 })
    expect((await room.service.fetch(room.account.key, `file/${id}`)).status).toBe(404)
    expect(await room.client.read('GET', 'ledger?kind=refund')).toMatchObject({ total: 0 })
  })

  test('deletes a ready file immediately', async () => {
    const id = await sample(100)
    expect(await room.client.read('PUT', `files/${id}/delete-when-ready`)).toMatchObject({ deleted: true })
    expect((await room.service.fetch(room.account.key, `file/${id}`)).status).toBe(404)
  })
})

describe('playback', () => {
  async function recording(): Promise<{ id: string; bytes: Uint8Array; grant: Playback }> {
    const bytes = new Uint8Array(await room.service.tone(2))
    const { id } = await room.service.order(room.account.key, bytes, '?transcript_type=automated')
    const grant = playback.parse(await room.client.read('POST', `files/${id}/playback`))
    return { id, bytes, grant }
  }
  const get = (url: string, headers: Record<string, string> = {}) => fetch(room.service.address + url, { headers })

  test('plays without a key, whole and in ranges', async () => {
    const { bytes, grant, id } = await recording()
    expect(grant).toMatchObject({ mime_type: 'audio/wav', bytes: bytes.length, seconds: 2, media_kind: 'audio' })
    expect(grant.url).not.toContain(room.account.key)
    const whole = await get(grant.url)
    expect(whole.headers.get('content-type')).toBe('audio/wav')
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes)
    const part = await get(grant.url, { range: 'bytes=100-199' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.length}`])
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(100, 200))
    const tail = await get(grant.url, { range: 'bytes=-10' })
    expect(new Uint8Array(await tail.arrayBuffer())).toEqual(bytes.slice(-10))
    const open = await get(grant.url, { range: `bytes=${bytes.length - 5}-`, 'if-range': `"${id}"` })
    expect(new Uint8Array(await open.arrayBuffer())).toEqual(bytes.slice(-5))
    const head = await fetch(new URL(grant.url, room.service.address), {
      method: 'HEAD',
      headers: { range: 'bytes=100-199' },
    })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    const beyond = await get(grant.url, { range: `bytes=${bytes.length}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
    expect((await get(grant.url, { range: 'bytes=0-1,5-6' })).status).toBe(200)
    expect((await get(grant.url, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  test('reports a lost recording, and what is left', async () => {
    const { id, grant } = await recording()
    await rm(storedPath(room.service.platform.blobs, id, 'media'))
    for (const answer of [await room.client.ask('POST', `files/${id}/playback`), await get(grant.url)]) {
      expect(answer.status).toBe(410)
      expect(await answer.json()).toEqual({ error: expect.stringMatching(/^The recording of this file was lost/) })
    }
  })

  test('ends with its time, its key and its file, and cannot be forged', async () => {
    const { id, grant } = await recording()
    const made = await room.client.read<{ key: string; entry: { id: string } }>('POST', 'keys', { name: 'Player' })
    const own = await accountClient(room.service.address, made.key).read<Playback>('POST', `files/${id}/playback`)
    expect((await get(own.url)).status).toBe(200)
    await room.client.read('DELETE', `keys/${made.entry.id}`)
    expect((await get(own.url)).status).toBe(404)
    const forged = grant.url.replace(/\.(.)/, (_, first) => (first === 'A' ? '.B' : '.A'))
    expect((await get(forged)).status).toBe(404)
    expect((await get(grant.url)).status).toBe(200)
    room.service.advance(playbackMs)
    expect((await get(grant.url)).status).toBe(404)
    const again = await room.client.read<Playback>('POST', `files/${id}/playback`)
    await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
    expect((await get(again.url)).status).toBe(404)
  })
})

describe('sandbox tools', () => {
  test('make a file of any length at any progress, charged and with a transcript', async () => {
    const id = await sample(42, 3_600)
    expect(await room.service.metadata(room.account.key, id)).toMatchObject({
      seconds: '3600.000',
      progress_percent: 42,
      total: 75,
    })
    const text = await (await room.service.fetch(room.account.key, `file/${id}`)).text()
    expect(text).toContain('WORK IN PROGRESS')
    expect(text).toContain('This is a sample file of the sandbox.')
    await room.client.read('POST', `tools/files/${id}/progress`, { progress_percent: 100 })
    const words = wordRecords.parse(await (await room.service.fetch(room.account.key, `file/${id}.json`)).json())
    expect(renderWords(words)).toContain('This is a sample file of the sandbox.')
    expect(words.at(-1)?.end).toBeLessThanOrEqual(3_600)
    expect(words.at(-1)?.start).toBeGreaterThan(3_580)
    expect((await room.service.metadata(room.account.key, id)).duplicates).toBeNull()
  })

  test('mark a file as delayed and on time again', async () => {
    const id = await sample(10)
    await room.client.read('POST', `tools/files/${id}/delay`, { delay_reason: 'Hard to hear.' })
    const late = await room.service.metadata(room.account.key, id)
    expect(late.delay_reason).toBe('Hard to hear.')
    expect(Date.parse(late.delivery)).toBeGreaterThan(room.service.platform.clock())
    await room.client.read('POST', `tools/files/${id}/delay`, { delay_reason: null })
    expect((await room.service.metadata(room.account.key, id)).delay_reason).toBeNull()
  })

  test('give a talk with sound, whose transcript is ready at once', async () => {
    const { id } = await room.client.read<{ id: string }>('POST', 'tools/talk', undefined)
    expect(await room.service.metadata(room.account.key, id)).toMatchObject({
      progress_percent: 100,
      seconds: '30.642',
    })
    const answer = await room.service.fetch(room.account.key, `file/${id}`)
    expect(await answer.text()).toMatch(/Printing, in the only sense[\s\S]*ask what you can do for your country\./)
    expect((await room.client.ask('POST', `files/${id}/playback`)).status).toBe(200)
  })

  test('progress never falls', async () => {
    const id = await sample(50)
    expect((await room.client.ask('POST', `tools/files/${id}/progress`, { progress_percent: 40 })).status).toBe(409)
    expect((await room.client.ask('POST', `tools/files/${id}/progress`, { progress_percent: 101 })).status).toBe(400)
  })

  test('decline the card and fail webhooks, without a request', async () => {
    await room.client.read('PUT', 'payment', { test_card: 'declines' })
    expect((await room.client.ask('POST', 'tools/files', { seconds: 30, progress_percent: 0 })).status).toBe(402)
    expect((await room.client.ask('POST', 'tools/webhook', { simulate_failure: true })).status).toBe(404)
  })

  test('are not there for live accounts', async () => {
    const live = await room.service.account({ environment: 'live' })
    const answer = await accountClient(room.service.address, live.key).ask('POST', 'tools/webhook', {
      simulate_failure: true,
    })
    expect(answer.status).toBe(404)
  })
})
