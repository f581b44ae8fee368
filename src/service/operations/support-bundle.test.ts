import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { setDelay } from '../orders/file/progress.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestAccount, type TestService } from '../testing/test-service.ts'
import { addStaff } from '../workbench/staff.ts'
import { supportBundle } from './support-bundle.ts'

/** What stands everywhere where people write something. */
const planted = 'Mxyzptlk'

let dir: string
let service: TestService
let account: TestAccount
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), `parley-${planted}-`))
  service = await startTestService({
    metricsPort: 0,
    seller: `${planted} Ltd`,
    supportEmail: `${planted}@example.com`,
    recognizer: 'http',
    recognizerUrl: new URL(`http://${planted}.example/v1`),
    recognizerKey: planted,
  })
  account = await service.account()
})
afterEach(async () => {
  await service.close()
  await rm(dir, { recursive: true })
})

it('a support bundle holds no names, keys, addresses and words', async () => {
  const { db, clock, config } = service.platform
  const client = accountClient(service.address, account.key)
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 20, progress_percent: 100 })
  await client.read('PATCH', 'labels', { ids: [id], name: planted, note: planted, add_tags: [planted] })
  await client.ask('POST', 'projects', { name: planted })
  await client.ask('POST', 'vocabulary', { entries: [{ written: planted, heard: [planted], preset: null }] })
  await client.ask('PATCH', 'settings', { billing: planted })
  await client.ask('POST', 'keys', { name: planted })
  await client.ask('PUT', 'webhook', { url: `https://${planted}.example/` })
  await db.updateTable('accounts').set({ name: planted }).execute()
  const { key: staffKey } = await addStaff(db, { name: planted, role: 'manager' }, clock())
  const late = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 20, progress_percent: 40 })
  await db.updateTable('files').set({ environment: 'live', delivery_at: 1, name: planted }).execute()
  await setDelay(service.platform, late.id, `${planted} is away`)

  const file = join(dir, 'bundle.tar.gz')
  const metricsPort = service.metricsPort
  expect(await supportBundle({ ...config, metricsPort }, file)).toMatchObject({ file })
  execFileSync('tar', ['-xzf', file, '-C', dir])
  const names = (await readdir(dir)).filter((name) => name !== 'bundle.tar.gz').sort()
  expect(names).toEqual(['counts.json', 'doctor.json', 'metrics.txt', 'settings.json', 'system.json'])
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))
  const all = texts.join('\n')
  for (const secret of [
    planted,
    account.key,
    account.key.slice(-8),
    staffKey,
    id,
    late.id,
    account.id,
    service.dataDir,
  ])
    expect(all.toLowerCase().includes(secret.toLowerCase()), secret).toBe(false)
  // And it says what a helper asks first.
  const [counts, doctor] = texts.map((text, index) => (names[index] === 'metrics.txt' ? null : JSON.parse(text)))
  expect(counts).toMatchObject({ database: 'embedded', tables: { staff: 1, files: 2 } })
  expect(counts.files).toContainEqual({ environment: 'live', state: 'delayed', n: 1 })
  expect(doctor).toContainEqual({ check: 'late', ok: false })
  expect(all).toContain('parley_files{environment="live",state="delayed"} 1')
  expect(all).toContain('"recognizerUrl": "set"')

  await expect(supportBundle(config, file)).rejects.toThrow(/already exists/)
  await expect(supportBundle(config, join(dir, 'nowhere/b.tar.gz'))).rejects.toThrow(/cannot be written/)
})
