import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { FileChanges, FilePage } from '../../../contract/account/file-pages.ts'
import { maxProjectName, movedFiles, type Project, projectList } from '../../../contract/account/projects.ts'
import { UploadClient, usualMetadata } from '../../api/uploads/testing/upload-client.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { fileForm } from '../../testing/test-service.ts'

const room = accountRoom({ role: 'api' })
let tone: Uint8Array
beforeAll(async () => {
  tone = await room.service.tone(60)
})

const make = (name: string) => room.client.read<Project>('POST', 'projects', { name })
const projects = async () => projectList.parse(await room.client.read('GET', 'projects')).projects
const move = async (files: { id: string; project: string | null }[]) =>
  movedFiles.parse(await room.client.read('PUT', 'projects/files', { files })).before
const change = (id: string, body: unknown) =>
  room.client.read<{ project: Project; before: string }>('PATCH', `projects/${id}`, body)

/** Log entries about projects, newest first. */
async function logged(): Promise<string[]> {
  const { entries } = await room.client.read<{ entries: { detail: string; file_name: string }[] }>(
    'GET',
    'log?action=project',
  )
  return entries.map(({ detail, file_name }) => `${detail} ${file_name}`.trim())
}

async function projectOf(id: string): Promise<string | undefined> {
  const { files } = await room.client.read<FilePage>('GET', 'files?limit=1000')
  return files.find((file) => file.id === id)?.project
}

async function order(headers: Record<string, string>): Promise<Response> {
  return await room.service.fetch(room.account.key, 'files', { method: 'POST', headers, body: fileForm(tone) })
}

async function ordered(headers: Record<string, string>): Promise<string> {
  const answer = await order(headers)
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { id: string }).id
}

test('a name is one visible line, and unique, ignoring case', async () => {
  expect((await make('  Inter\u202eviews\n 2026 ')).name).toBe('Interviews 2026')
  const ask = async (name: unknown) => (await room.client.ask('POST', 'projects', { name })).status
  expect(await ask('interviews 2026')).toBe(409)
  for (const name of ['   ', '\u202e\u200b', '', 'x'.repeat(5_000), 7]) expect(await ask(name)).toBe(400)
  expect((await make('x'.repeat(maxProjectName))).name).toHaveLength(maxProjectName)
})

test('of two concurrent renames the last one wins, and learns the previous name', async () => {
  const { id } = await make('A')
  await make('Taken')
  expect((await change(id, { name: 'B' })).before).toBe('A')
  const last = await change(id, { name: 'C' })
  expect(last).toMatchObject({ before: 'B', project: { name: 'C' } })
  expect((await room.client.ask('PATCH', `projects/${id}`, { name: 'taken' })).status).toBe(409)
  expect((await change(id, { name: 'c' })).project.name).toBe('c')
  expect(await logged()).toEqual([
    'renamed “C” to “c”',
    'renamed “B” to “C”',
    'renamed “A” to “B”',
    'made “Taken”',
    'made “A”',
  ])
})

test('its defaults and its budget are stored, and absent fields stay unchanged', async () => {
  const { id } = await make('Trials')
  await change(id, { budget_cents: 5_000, options: { transcript_type: 'automated', speaker_names: ['Ada'] } })
  await change(id, { preset: 'Court' })
  expect(await projects()).toMatchObject([
    { budget_cents: 5_000, options: { transcript_type: 'automated', speaker_names: ['Ada'] }, preset: 'Court' },
  ])
  expect((await change(id, { budget_cents: null, options: null })).project).toMatchObject({
    budget_cents: null,
    options: null,
    preset: 'Court',
  })
})

test('an order joins its project, and uses exactly its charge of the budget', async () => {
  const { id } = await make('Field')
  const file = await ordered({ 'order-project': id })
  expect(await projectOf(file)).toBe(id)
  const [{ amount_cents }] = (await room.client.read<{ entries: [{ amount_cents: number }] }>('GET', 'ledger')).entries
  expect(amount_cents).toBeGreaterThan(0)
  expect((await projects())[0]?.spent_cents).toBe(amount_cents)
  // Refunds can be spent again; a file deleted without refund stays paid.
  const second = await ordered({ 'order-project': id })
  await move([{ id: second, project: null }])
  expect((await projects())[0]?.spent_cents).toBe(amount_cents)
  await move([{ id: second, project: id }])
  expect((await projects())[0]?.spent_cents).toBe(2 * amount_cents)
  expect((await room.service.fetch(room.account.key, `file/${second}`, { method: 'DELETE' })).status).toBe(200)
  const { entries } = await room.client.read<{ entries: { amount_cents: number }[] }>('GET', 'ledger')
  const sum = entries.reduce((total, entry) => total + entry.amount_cents, 0)
  expect((await projects())[0]?.spent_cents).toBe(sum)
})

test('racing orders never exceed the budget together, and refused ones cost nothing', async () => {
  const { id } = await make('Tight')
  const file = await ordered({})
  const { total } = await room.service.metadata(room.account.key, file)
  const price = Math.round(total * 100)
  await change(id, { budget_cents: 2 * price + 1 })
  const answers = await Promise.all(Array.from({ length: 4 }, () => order({ 'order-project': id })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(await refused?.json()).toEqual({
    error: expect.stringMatching(/budget of the project “Tight”.*Nothing was charged/),
  })
  expect((await projects())[0]?.spent_cents).toBe(2 * price)
  const { entries } = await room.client.read<{ entries: unknown[] }>('GET', 'ledger')
  expect(entries).toHaveLength(3)
  await ordered({ 'order-project': id, 'over-budget': 'yes' })
  expect((await projects())[0]?.spent_cents).toBe(3 * price)
})

test('deleting a project while a folder is ordered into it loses nothing', async () => {
  const { id } = await make('Short')
  const first = await ordered({ 'order-project': id })
  expect((await room.client.ask('DELETE', `projects/${id}`)).status).toBe(204)
  const late = await order({ 'order-project': id })
  expect([late.status, late.headers.get('order-project')]).toEqual([201, 'none'])
  const second = ((await late.json()) as { id: string }).id
  expect(await Promise.all([projectOf(first), projectOf(second)])).toEqual([undefined, undefined])
  expect(await logged()).toEqual([
    'ordered without one: it was deleted before recording',
    'deleted “Short”',
    'made “Short”',
  ])
  expect((await room.client.ask('PUT', 'projects/files', { files: [{ id: first, project: id }] })).status).toBe(404)
  expect((await room.client.ask('DELETE', `projects/${id}`)).status).toBe(404)
})

test.each<[string, Record<string, string>, number]>([
  ['a project by its name', { 'order-project': 'Interviews' }, 404],
  ['an id with a letter missing', { 'order-project': 'id' }, 404],
  ['no id at all', { 'order-project': '' }, 404],
  ['an unknown preset', { 'order-preset': 'nope' }, 404],
  ['another consent than yes', { 'over-budget': 'no' }, 400],
])('an order that names %s is refused before its recording is read', async (_name, headers, status) => {
  const { id } = await make('Interviews')
  const asked = headers['order-project'] === 'id' ? { 'order-project': id.slice(0, -1) } : headers
  const { port } = new URL(room.service.address)
  const socket = connect(Number(port), '127.0.0.1')
  const given = Object.entries({ ...asked, authorization: authorization(room.account.key) })
  const lines = ['POST /sandbox/v1/files?transcript_type=automated HTTP/1.1', 'host: x', 'content-length: 1000000']
  const form = 'content-type: multipart/form-data; boundary=x'
  socket.write([...lines, form, ...given.map((pair) => pair.join(': ')), '', ''].join('\r\n'))
  const [head] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(String(head)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const names: Record<string, string> = {
    'order-project': 'project',
    'order-preset': 'preset',
    'over-budget': 'over_budget',
  }
  const metadata = Object.fromEntries(Object.entries(asked).map(([name, value]) => [names[name] ?? '', value]))
  const upload = await new UploadClient(room.service, room.account.key).create(9, { ...usualMetadata, ...metadata })
  // A key without a value names nothing there.
  expect(upload.status).toBe(headers['order-project'] === '' ? 201 : status)
  expect(await room.client.read('GET', 'ledger')).toMatchObject({ total: 0 })
})

test('what an order names belongs to its idempotency key', async () => {
  const { id } = await make('One')
  await room.client.read('PATCH', 'settings', { presets: { Court: {} } })
  const key = { 'idempotency-key': 'wish' }
  const first = await order({ ...key, 'order-project': id })
  expect([first.status, first.headers.get('order-project')]).toEqual([201, id])
  expect(await (await order({ ...key, 'order-project': id })).json()).toEqual(await first.json())
  expect((await order(key)).status).toBe(422)
  expect((await order({ ...key, 'order-project': id, 'order-preset': 'Court' })).status).toBe(422)
  expect(await room.client.read('GET', 'ledger')).toMatchObject({ total: 1 })
})

test('a thousand files move together, are reported as changes, and can be reverted', async () => {
  const { db } = room.service.platform
  const [one, other] = [await make('One'), await make('Other')]
  const first = (await room.client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 10 }))
    .id
  const row = await db.selectFrom('files').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
  const rows = Array.from({ length: 999 }, (_, index) => ({ ...row, id: `${first}-${index}` }))
  for (let at = 0; at < rows.length; at += 100)
    await db
      .insertInto('files')
      .values(rows.slice(at, at + 100))
      .execute()
  const ids = [first, ...rows.map((file) => file.id)]
  await move(ids.slice(0, 500).map((id) => ({ id, project: one.id })))
  const { version } = await room.client.read<FilePage>('GET', 'files?limit=1')
  const before = await move(ids.map((id) => ({ id, project: other.id })))
  expect(before).toHaveLength(1_000)
  const changes = await room.client.read<FileChanges>('GET', `files?since=${version}&limit=1000`)
  expect(new Set(changes.files.map(({ project }) => project))).toEqual(new Set([other.id]))
  expect(changes.files).toHaveLength(1_000)
  await move(before)
  expect(await projectOf(first)).toBe(one.id)
  expect(await projectOf(ids[999] as string)).toBeUndefined()
})

test('files that are gone or of another account are skipped, and other accounts’ projects do not exist', async () => {
  const mine = await make('Mine')
  const file = (await room.client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 10 })).id
  const stranger = accountClient(room.service.address, (await room.service.account()).key)
  const theirs = await stranger.read<Project>('POST', 'projects', { name: 'Mine' })
  expect(await stranger.read('PUT', 'projects/files', { files: [{ id: file, project: theirs.id }] })).toEqual({
    before: [],
  })
  const taken = await stranger.ask('PUT', 'projects/files', { files: [{ id: file, project: mine.id }] })
  expect(taken.status).toBe(404)
  expect(
    await move([
      { id: file, project: mine.id },
      { id: 'gone', project: mine.id },
    ]),
  ).toEqual([{ id: file, project: null }])
  expect((await order({ 'order-project': theirs.id })).status).toBe(404)
})
