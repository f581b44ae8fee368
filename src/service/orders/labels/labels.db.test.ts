import { expect, test } from 'vitest'
import type { FileChanges, FilePage } from '../../../contract/account/file-pages.ts'
import { type LabelledFile, labelsBefore, maxLabelled, maxTags, noLabels } from '../../../contract/account/labels.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'

const room = accountRoom({ role: 'api' })

async function made(name: string): Promise<string> {
  return (await room.client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 10, name })).id
}

async function labelsOf(id: string) {
  const { files } = await room.client.read<FilePage>('GET', 'files?limit=1000')
  return files.find((file) => file.id === id)?.labels
}

const patch = async (body: unknown) => labelsBefore.parse(await room.client.read('PATCH', 'labels', body)).before

test('names, notes and tags are stored besides the name that API clients see', async () => {
  const id = await made('REC_0042')
  expect(await labelsOf(id)).toBeUndefined()
  await patch({
    ids: [id],
    name: '  Interview\u202e with\nAda ',
    note: ' Second take. ',
    add_tags: ['Fieldwork', '2026'],
  })
  expect(await labelsOf(id)).toEqual({
    name: 'Interview with Ada',
    note: 'Second take.',
    tags: ['2026', 'Fieldwork'],
    archived: false,
  })
  const head = await room.service.fetch(room.account.key, `file/${id}`, { method: 'HEAD' })
  expect(JSON.parse(head.headers.get('x-service-metadata') ?? '')).toMatchObject({ name: 'REC_0042' })
  await patch({ ids: [id], name: '   ' })
  expect((await labelsOf(id))?.name).toBe('')
})

test('tags that differ only in case are equal', async () => {
  const id = await made('A')
  await patch({ ids: [id], add_tags: ['Field', 'FIELD', 'ﬁeld', '  '] })
  expect((await labelsOf(id))?.tags).toEqual(['Field', 'ﬁeld'].sort((a, b) => a.localeCompare(b, 'en')))
  await patch({ ids: [id], remove_tags: ['fIELD'], add_tags: ['new'] })
  expect((await labelsOf(id))?.tags).toEqual(['ﬁeld', 'new'].sort((a, b) => a.localeCompare(b, 'en')))
})

test('a thousand files change together, are reported as changes, and can be reverted', async () => {
  const { db } = room.service.platform
  const first = await made('File 0')
  const row = await db.selectFrom('files').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
  const rows = Array.from({ length: 999 }, (_, index) => ({
    ...row,
    id: `${first}-${index}`,
    name: `File ${index + 1}`,
  }))
  for (let at = 0; at < rows.length; at += 100)
    await db
      .insertInto('files')
      .values(rows.slice(at, at + 100))
      .execute()
  const ids = [first, ...rows.map(({ id }) => id)]
  await patch({ ids: ids.slice(0, 500), add_tags: ['Old'] })
  const { version } = await room.client.read<FilePage>('GET', 'files?limit=1')
  const before = await patch({ ids, add_tags: ['New'], remove_tags: ['Old'], archived: true })
  expect(before).toHaveLength(1_000)
  const changes = await room.client.read<FileChanges>('GET', `files?since=${version}&limit=1000`)
  expect(changes.files.map(({ labels }) => labels)).toEqual(
    ids.map(() => ({ name: '', note: '', tags: ['New'], archived: true })),
  )
  await room.client.read('PUT', 'labels', { files: before })
  expect(await labelsOf(ids[999] as string)).toEqual(noLabels)
  expect(await labelsOf(first)).toEqual({ ...noLabels, tags: ['Old'] })
})

test('undoing a change preserves later changes by others', async () => {
  const [id, other] = [await made('A'), await made('B')]
  await patch({ ids: [id], note: 'First.', add_tags: ['old'] })
  const { ids, ...undone } = {
    ids: [id, other],
    name: 'Mine',
    add_tags: ['Mine'],
    remove_tags: ['old'],
    archived: true,
  }
  const files = await patch({ ids, ...undone })
  await patch({ ids: [id], name: 'Theirs', note: 'Second.', add_tags: ['theirs'], held: true })
  await room.client.read('PUT', 'labels', { files, undone })
  const theirs = { name: 'Theirs', note: 'Second.', tags: ['old', 'theirs'], archived: false, held: true }
  expect(await labelsOf(id)).toEqual(theirs)
  expect(await labelsOf(other)).toEqual(noLabels)
})

test('files that are gone or of another account are skipped; invalid changes are refused, and nothing is half done', async () => {
  const id = await made('Mine')
  const stranger = accountClient(room.service.address, (await room.service.account()).key)
  expect(await stranger.read('PATCH', 'labels', { ids: [id], add_tags: ['theirs'] })).toEqual({ before: [] })
  expect(await patch({ ids: [id, 'gone'], add_tags: ['kept'] })).toEqual([
    { id, labels: noLabels },
  ] satisfies LabelledFile[])
  const status = async (body: unknown) => (await room.client.ask('PATCH', 'labels', body)).status
  expect(await status({ ids: [id], name: 'x'.repeat(5_000) })).toBe(400)
  expect(await status({ ids: [] })).toBe(400)
  expect(await status({ ids: Array.from({ length: maxLabelled + 1 }, () => id) })).toBe(400)
  const other = await made('Other')
  const many = Array.from({ length: maxTags }, (_, index) => `tag ${index}`)
  expect(await status({ ids: [other, id], add_tags: many })).toBe(400)
  expect(await labelsOf(other)).toBeUndefined()
  expect((await labelsOf(id))?.tags).toEqual(['kept'])
})

test('the time of day at which a recording began is stored, undone and taken back', async () => {
  const id = await made('A')
  await patch({ ids: [id], begins_at_seconds: 54_370.48 })
  const later = { ids: [id], begins_at_seconds: 0 }
  const before = await patch(later)
  expect(await labelsOf(id)).toEqual({ ...noLabels, begins_at_seconds: 0 })
  await room.client.read('PUT', 'labels', { files: before, undone: { begins_at_seconds: 0 } })
  expect(await labelsOf(id)).toEqual({ ...noLabels, begins_at_seconds: 54_370.48 })
  await patch({ ids: [id], begins_at_seconds: null })
  expect(await labelsOf(id)).toEqual(noLabels)
  await room.client.read('PUT', 'labels', { files: before })
  expect((await labelsOf(id))?.begins_at_seconds).toBe(54_370.48)
  for (const wrong of [-1, 86_400, '15:06']) {
    expect((await room.client.ask('PATCH', 'labels', { ids: [id], begins_at_seconds: wrong })).status).toBe(400)
  }
})
