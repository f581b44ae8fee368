import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AccountExport, exportDays, exportedFile } from '../../../contract/account/export.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { folderOf } from './file-documents.ts'

const room = accountRoom()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-export-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const sample = async (progress_percent: number) =>
  (await room.client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent })).id

async function makeExport(recordings: boolean): Promise<AccountExport> {
  const { id } = await room.client.read<AccountExport>('POST', 'exports', { recordings })
  let made: AccountExport | undefined
  const read = async () => {
    const { exports } = await room.client.read<{ exports: AccountExport[] }>('GET', 'exports')
    made = exports.find((one) => one.id === id)
    return made
  }
  // The request wakes the chore, which else looks every minute.
  await expect.poll(read, { timeout: 4_000, interval: 50 }).toMatchObject({ state: 'made', error: null })
  return made as AccountExport
}

const download = (made: AccountExport, headers: Record<string, string> = {}) =>
  fetch(new URL(made.url ?? '', room.service.address), { headers })

/** Unpacked by a program that is not ours. */
async function unpack(made: AccountExport): Promise<string[]> {
  const path = join(folder, 'export.zip')
  writeFileSync(path, await (await download(made)).bytes())
  execFileSync('python3', ['-m', 'zipfile', '-t', path])
  execFileSync('python3', ['-m', 'zipfile', '-e', path, join(folder, 'all')])
  const names = readdirSync(join(folder, 'all'), { recursive: true, withFileTypes: true })
  return names.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
const read = (path: string) => readFileSync(join(folder, 'all', path), 'utf8')
const readJson = (path: string) => JSON.parse(read(path))
const readLines = (path: string) => {
  const lines = read(path).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

test('an export has everything that the database and the disk have', async () => {
  const { client, service, account } = room
  const { db, blobs } = service.platform
  const id = await sample(100)
  const unready = await sample(30)
  await client.read('PATCH', 'labels', { ids: [id], name: 'A/B: "ü"', note: 'noted', add_tags: ['one'] })
  await client.ask('POST', 'vocabulary', { entries: [{ written: 'Parley', heard: ['parlay'], preset: null }] })
  await client.ask('POST', 'projects', { name: 'Study' })
  await client.ask('PATCH', 'settings', { billing: 'Ann Example\nStreet 1' })
  const money = { top_up_cents: 2500, refunds_to: 'balance', budget_cents: 9900 }
  await client.read('PATCH', 'balance', money)
  const made = await makeExport(true)
  await unpack(made)

  const row = await db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const at = folderOf(row)
  expect(at).toContain('A_B_ _ü_')
  const described = exportedFile.parse(readJson(`${at}/file.json`))
  expect(described.file).toMatchObject({ id, labels: { name: 'A/B: "ü"', note: 'noted', tags: ['one'] } })
  expect(described).toMatchObject({ corrections: { revision: 0, set: null }, changes: [], review: { state: 'draft' } })
  const delivered = await (await service.fetch(account.key, `file/${id}.json`)).json()
  expect(readJson(`${at}/transcript.json`)).toEqual(delivered)
  expect(
    readFileSync(join(folder, 'all', at, 'transcript.docx'))
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const recording = await Array.fromAsync(blobs.read(id, 'media'))
  const [sent] = readdirSync(join(folder, 'all', at)).filter((name) => name.startsWith('recording.'))
  expect(sha256(readFileSync(join(folder, 'all', at, sent ?? '')))).toBe(sha256(Buffer.concat(recording)))
  // One that is not ready has no transcript.
  const other = await db.selectFrom('files').selectAll().where('id', '=', unready).executeTakeFirstOrThrow()
  expect(readdirSync(join(folder, 'all', folderOf(other))).sort()).toEqual(['file.json', sent])

  const count = async (table: 'ledger' | 'account_log' | 'files') => {
    const rows = db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('n'))
    return (await rows.where('account_id', '=', account.id).executeTakeFirstOrThrow()).n
  }
  expect(readLines('ledger.jsonl')).toHaveLength(await count('ledger'))
  expect(readLines('log.jsonl')).toHaveLength(await count('account_log'))
  expect(readdirSync(join(folder, 'all', 'files'))).toHaveLength(await count('files'))
  expect(readJson('account.json')).toMatchObject({ id: account.id, settings: { billing: 'Ann Example\nStreet 1' } })
  expect(readJson('account.json').balance).toEqual(await client.read('GET', 'balance'))
  expect(readJson('account.json').balance).toMatchObject({ top_up_cents: 2500, budget: { budget_cents: 9900 } })
  expect(readJson('keys.json')).toMatchObject([{ name: 'First key' }])
  expect(read('keys.json')).not.toContain(account.key.slice(-12))
  expect(readJson('projects.json')).toMatchObject([{ name: 'Study' }])
  expect(readJson('vocabulary.json')).toMatchObject([{ written: 'Parley', heard: ['parlay'] }])
  expect(read('receipts/2026-11.txt')).toContain('Buyer: Ann Example')
  for (const name of readdirSync(join(folder, 'all', 'schemas'))) {
    expect(readJson(`schemas/${name}`).$schema).toContain('2020-12')
  }
  expect(read('README.txt')).toContain('a folder for each of 2 files')
})

test('a download goes on where it was cut, also after a restart, with the same bytes', async () => {
  await sample(100)
  const made = await makeExport(true)
  const whole = Buffer.from(await (await download(made)).bytes())
  expect(whole).toHaveLength(made.bytes)
  await room.service.restart()
  for (const cut of [1, 5_000, whole.length >> 1, whole.length - 30]) {
    const rest = await download(made, { range: `bytes=${cut}-` })
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes ${cut}-${whole.length - 1}/${whole.length}`,
    ])
    expect(Buffer.from(await rest.bytes()).equals(whole.subarray(cut))).toBe(true)
  }
  expect((await download(made, { range: `bytes=${whole.length}-` })).status).toBe(416)
})

test('an export without recordings is small, and another account cannot have it', async () => {
  await sample(100)
  const made = await makeExport(false)
  expect(await unpack(made)).not.toContainEqual(expect.stringMatching(/recording\./))
  const other = await room.service.account()
  const answer = await fetch(new URL(`/sandbox/account/exports/${made.id}`, room.service.address), {
    method: 'DELETE',
    headers: { authorization: `Basic ${btoa(`${other.key}:`)}` },
  })
  expect(answer.status).toBe(404)
})

test('it is gone after three days, with one of its files, and with its bytes', async () => {
  const { client, service, account } = room
  const id = await sample(100)
  const made = await makeExport(false)
  service.advance(1_000)
  await service.fetch(account.key, `file/${id}`, { method: 'DELETE' })
  await service.doChores()
  expect((await download(made)).status).toBe(404)
  expect(await service.platform.blobs.size(made.id, 'export/texts')).toBeNull()
  const later = await makeExport(false)
  service.advance(exportDays * dayMs + 1_000)
  await service.doChores()
  expect(await client.read('GET', 'exports')).toEqual({ exports: [] })
  expect((await download(later)).status).toBe(404)
})
