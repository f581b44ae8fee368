import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { accountClient } from '../testing/account-client.ts'
import { askApi } from '../testing/ask-api.ts'
import { firstKey, type RealProcess, runParley, serveProcess } from '../testing/real-process.ts'
import { fileForm, makeTone } from '../testing/test-service.ts'

let dir: string
let dataDir: string
let tar: string
let service: RealProcess
let key: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-carry-'))
  dataDir = join(dir, 'data')
  tar = join(dir, 'backup.tar')
  service = await serveProcess(dataDir)
  key = firstKey(service, 'sandbox')
})
afterEach(async () => {
  await service.end('SIGKILL')
  await rm(dir, { recursive: true })
})

const client = (as = key) => accountClient(service.url.href, as)
/** Waits for a service that is loading a backup. */
const ask = (as: string, path: string) =>
  vi.waitFor(() => askApi(service.url.href, as, path), { timeout: 30_000, interval: 100 })
const status = async (as: string, path = 'files') => (await ask(as, path)).status

async function sample(progress_percent: number): Promise<string> {
  return (await client().read<{ id: string }>('POST', 'tools/files', { seconds: 20, progress_percent })).id
}

async function order(idempotencyKey: string): Promise<{ id: string }> {
  const answer = await askApi(service.url.href, key, 'files?transcript_type=automated', {
    method: 'POST',
    headers: { 'idempotency-key': idempotencyKey },
    body: fileForm(await makeTone(60)),
  })
  return (await answer.json()) as { id: string }
}

const ledger = async () => (await client().read<{ entries: object[] }>('GET', 'ledger')).entries
const newKey = () => client().read<{ entry: { id: string }; key: string }>('POST', 'keys', { name: 'Another' })
const restoreBackup = (...flags: string[]) => runParley(dataDir, 'restore', tar, ...flags)

test('a restore while the service runs brings back no key, file or card, and charges nothing twice', async () => {
  const [kept, deleted, under] = [await sample(100), await sample(100), await sample(30)]
  const revoked = await newKey()
  const staff = JSON.parse((await runParley(dataDir, 'staff', 'add', 'Mo', '--role', 'manager')).out)
  await runParley(dataDir, 'backup', tar)

  await askApi(service.url.href, key, `file/${deleted}`, { method: 'DELETE' })
  await askApi(service.url.href, key, `file/${under}`, { method: 'DELETE' })
  await client().ask('DELETE', `keys/${revoked.entry.id}`)
  await runParley(dataDir, 'staff', 'revoke', staff.staff)
  await client().ask('DELETE', 'payment')
  await client().ask('PUT', 'payment', { test_card: 'succeeds' })
  const late = await order('wish-1')
  await client().ask('DELETE', 'payment')
  const later = await newKey()
  const [before, owned] = [await ledger(), await client().read('GET', 'balance')]

  const refused = await restoreBackup()
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringContaining(`lose what is not in the backup: 1 orders`),
  ])
  expect(refused.error).toContain(late.id)
  expect(refused.error).toContain('--lose 1')

  const restored = await restoreBackup('--lose', '1')
  expect(restored.error).toBe('')
  expect(JSON.parse(restored.out)).toMatchObject({
    files: 1,
    lost: { orders: 1 },
    carried: {
      'keys revoked': 1,
      'staff revoked': 1,
      'files deleted': 2,
      'cards removed or changed': 1,
      'keys created': 1,
    },
  })
  expect(await status(key, `file/${kept}.json`)).toBe(200)
  expect(await Promise.all([deleted, under, late.id].map((id) => status(key, `file/${id}.json`)))).toEqual([
    404, 404, 404,
  ])
  expect(await Promise.all([revoked, later].map((each) => status(each.key)))).toEqual([401, 200])
  const asStaff = { headers: { authorization: `Basic ${btoa(`${staff.key}:`)}` } }
  expect((await fetch(new URL('work/api/', service.url), asStaff)).status).toBe(401)
  expect(await client().read('GET', 'payment')).toMatchObject({ payment_method: null })
  expect(await ledger()).toEqual(before)
  expect(await client().read('GET', 'balance')).toEqual(owned)
  await client().ask('PUT', 'payment', { test_card: 'succeeds' })
  expect(await order('wish-1')).toEqual(late)
  expect(await ledger()).toHaveLength(before.length)
  expect(await readdir(join(dataDir, 'blobs/files'))).toEqual([kept])
}, 240_000)

test('what an earlier restore has lost is not taken for deleted', async () => {
  await runParley(dataDir, 'backup', tar)
  const id = await sample(100)
  const newer = join(dir, 'newer.tar')
  await runParley(dataDir, 'backup', newer)
  expect((await restoreBackup('--lose', '1')).code).toBe(0)
  expect(await status(key, `file/${id}.json`)).toBe(404)
  const again = await runParley(dataDir, 'restore', newer)
  expect(JSON.parse(again.out)).toMatchObject({ files: 1, lost: {} })
  expect(await status(key, `file/${id}.json`)).toBe(200)
  expect(await ledger()).toHaveLength(1)
}, 240_000)

test('a machine that has nothing is restored, with a warning of revoked keys or without any key', async () => {
  const id = await sample(100)
  expect((await runParley(join(dir, 'none'), 'backup', tar)).error).toMatch(/^There is no Parley data in .*none\.$/)
  await runParley(dataDir, 'backup', tar)
  await service.end('SIGTERM')
  const home = dataDir
  dataDir = join(dir, 'new', 'machine')
  const restored = await restoreBackup()
  expect([restored.code, restored.error]).toEqual([0, expect.stringMatching(/REVOKED SINCE THE BACKUP WORK AGAIN/)])
  service = await serveProcess(dataDir)
  expect(await status(key, `file/${id}.json`)).toBe(200)
  await service.end('SIGTERM')

  await writeFile(join(home, 'parley.db'), 'x'.repeat(9_000))
  dataDir = home
  expect((await restoreBackup('--revoke-all-keys')).error).toBe('')
  service = await serveProcess(dataDir)
  expect(await status(key)).toBe(401)
}, 240_000)

test('the data of another installation is only replaced with consent to lose it', async () => {
  const id = await sample(100)
  await runParley(dataDir, 'backup', tar)
  await service.end('SIGTERM')
  dataDir = join(dir, 'other')
  service = await serveProcess(dataDir)
  key = firstKey(service, 'sandbox')
  await sample(100)
  const refused = await restoreBackup()
  expect(refused.error).toMatch(/another installation\. The restore would lose .* 1 orders/)
  expect((await restoreBackup('--lose', '1')).error).toMatch(/KEYS THAT WERE REVOKED/)
  const database = new DatabaseSync(join(dataDir, 'parley.db'), { readOnly: true })
  expect(database.prepare('select id from files').all()).toEqual([{ id }])
  database.close()
  expect(await readFile(join(dataDir, 'restores.jsonl'), 'utf8')).toMatch(/"source":"other"/)
})

/** The files of a directory that hold a word, in any form that SQLite or JSON keeps it in. */
async function filesWith(directory: string, word: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = names.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const found = await Promise.all(paths.map(async (path) => ((await readFile(path)).includes(word) ? [path] : [])))
  return found.flat()
}

test('an account that was erased is in no earlier copy here, and no restore brings it back', async () => {
  const word = 'Zyxomma7'
  const id = await sample(100)
  await client().read('PATCH', 'labels', { ids: [id], name: word, add_tags: [word] })
  await client().ask('POST', 'projects', { name: word })
  await runParley(dataDir, 'backup', tar)
  await restoreBackup()
  expect(await status(key)).toBe(200)
  expect(await filesWith(dataDir, word)).not.toEqual([])
  expect(await filesWith(dir, id)).not.toEqual([])
  const { id: account, name } = await client().read<{ id: string; name: string }>('GET', '')
  expect((await runParley(dataDir, 'account', 'erase', account)).error).toContain(`--confirm "${name}"`)
  await runParley(dataDir, 'account', 'erase', account, '--confirm', name)
  await service.end('SIGTERM')
  service = await serveProcess(dataDir)
  // What is shown before it has ended says nothing of earlier copies yet.
  const erased = async () =>
    expect(JSON.parse((await runParley(dataDir, 'account', 'show', account)).out).closing.report).toMatchObject({
      files: 1,
      before_restore: [expect.stringMatching(/^before-restore-/)],
    })
  await vi.waitFor(erased, { timeout: 20_000, interval: 200 })
  expect(await status(key)).toBe(401)
  expect(await filesWith(dataDir, word)).toEqual([])

  const restored = JSON.parse((await restoreBackup()).out)
  expect(restored.carried).toMatchObject({ 'files deleted': 1 })
  expect(await status(key)).toBe(401)
  expect((await runParley(dataDir, 'account', 'list')).out).toMatch(/"state":"erased /)
  await vi.waitFor(async () => expect(await filesWith(dataDir, word)).toEqual([]), { timeout: 10_000 })
  expect(await readdir(join(dataDir, 'blobs', 'files')).catch(() => [])).toEqual([])
})
