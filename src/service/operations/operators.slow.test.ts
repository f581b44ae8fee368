import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultConfig } from '../platform/config.ts'
import { accountClient } from '../testing/account-client.ts'
import type { TestAccount, TestService } from '../testing/test-service.ts'
import { makeCertificate, startTestService } from '../testing/test-service.ts'
import { addStaff } from '../workbench/staff.ts'
import { insertParts } from '../workbench/testing/insert-parts.ts'
import { backup } from './backup.ts'
import { certificateEnd } from './certificate.ts'
import { doctor } from './doctor.ts'
import { doctorParagraphs, lineOf } from './doctor-findings.ts'
import { checkBackup, checkCertificate } from './doctor-upkeep.ts'
import { restore } from './restore.ts'

const agreed = { lose: 0, revokeAllKeys: false }
let service: TestService
let account: TestAccount
let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-operators-'))
  service = await startTestService()
  account = await service.account()
})
afterEach(async () => {
  await service.close()
  await rm(dir, { recursive: true })
})

async function sample(progress_percent: number): Promise<string> {
  const client = accountClient(service.address, account.key)
  return (await client.read<{ id: string }>('POST', 'tools/files', { seconds: 20, progress_percent })).id
}

async function ids(): Promise<string[]> {
  const list = (await (await service.fetch(account.key, 'files')).json()) as { id: string }[]
  return list.map(({ id }) => id)
}

describe('backup and restore', () => {
  test('bring database and recordings back to the moment of the backup, while the service runs', async () => {
    const [ready, under] = [await sample(100), await sample(30)]
    const recording = await service.order(account.key, await service.tone(1), '?transcript_type=automated')
    const words = await (await service.fetch(account.key, `file/${ready}.json`)).text()
    const file = join(dir, 'parley.tar')
    expect(await backup(service.dataDir, file)).toMatchObject({ files: 3 })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(dir)).toEqual(['parley.tar'])

    const late = await sample(10)
    await expect(restore(service.dataDir, file, agreed)).rejects.toThrow(`1 orders. Orders: ${late}.`)
    const restoring = restore(service.dataDir, file, { ...agreed, lose: 1 })
    while (!(await readdir(service.dataDir)).includes('restore-ready')) await new Promise(setImmediate)
    await service.restart() // as `serve` does when it finds the backup ready
    expect(await restoring).toEqual({ restored: true, files: 3, carried: { 'ledger entries': 1 }, lost: { orders: 1 } })

    expect(await ids()).toEqual(expect.arrayContaining([ready, under, recording.id]))
    expect(await ids()).not.toContain(late)
    expect(await (await service.fetch(account.key, `file/${ready}.json`)).text()).toBe(words)
    const left = (await readdir(service.dataDir)).filter((name) => /backup|restore-/.test(name))
    expect(left.sort()).toEqual([expect.stringMatching(/^before-restore-/), 'last-backup.json'])
  })

  test('a file deleted during the backup is not in it, and the rest is complete', async () => {
    const kept = await sample(100)
    const gone = await sample(100)
    await service.platform.blobs.remove(gone) // its bytes are gone, its row follows a moment later
    const file = join(dir, 'parley.tar')
    expect(await backup(service.dataDir, file)).toMatchObject({ files: 1 })
    const restoring = restore(service.dataDir, file, { ...agreed, lose: 1 })
    while (!(await readdir(service.dataDir)).includes('restore-ready')) await new Promise(setImmediate)
    await service.restart()
    await restoring
    expect(await ids()).toEqual([kept])
  })

  test('an invalid backup changes nothing', async () => {
    const id = await sample(10)
    const file = join(dir, 'noise.tar')
    await writeFile(file, 'not a tar file')
    await expect(restore(service.dataDir, file, agreed)).rejects.toThrow(/tar failed/)
    await expect(restore(service.dataDir, join(dir, 'none'), agreed)).rejects.toThrow(/no file/)
    await backup(service.dataDir, join(dir, 'a.tar'))
    await expect(backup(service.dataDir, join(dir, 'a.tar'))).rejects.toThrow(/already exists/)
    await expect(backup(service.dataDir, join(dir, 'none', 'a.tar'))).rejects.toThrow(/cannot be written/)
    expect(await ids()).toEqual([id])
  })
})

describe('the doctor', () => {
  test('finds a service in good health', async () => {
    // Not the port of the default: the data directory knows it.
    const findings = await doctor({ ...defaultConfig, dataDir: service.dataDir })
    const byName = new Map(findings.map((finding) => [finding.check, finding]))
    expect(byName.get('ffmpeg')?.says).toMatch(/^ffmpeg version/)
    expect(byName.get('database')).toMatchObject({ ok: true, says: 'OK; 0 files' })
    expect(byName.get('search')).toMatchObject({ ok: true })
    expect(byName.get('port')).toMatchObject({ ok: true, says: `Parley is running at ${service.address}` })
    expect(byName.get('node')?.ok).toBe(true)
  })

  test('leads to the heading that says what to do, from each finding', async () => {
    const papers = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
    for (const [check, anchor] of Object.entries(doctorParagraphs)) {
      const heading = `### ${anchor[0]?.toUpperCase()}${anchor.slice(1).replace('-', ': ')}\n`
      expect(papers.includes(heading), `${check}: ${heading}`).toBe(true)
    }
    expect(lineOf({ check: 'disk', ok: false, says: '1 GB' })).toMatch(
      /^PROBLEM disk .*→ docs\/operating\.md#doctor-disk$/,
    )
  })

  test('sees that live files were never backed up, and that a certificate ends or is for another name', async () => {
    const config = { ...defaultConfig, dataDir: service.dataDir }
    const now = Date.now()
    expect(checkBackup(config, now)).toEqual([{ check: 'backup', ok: true, says: 'none was made yet; live files: 0' }])
    await sample(100)
    await service.platform.db.updateTable('files').set({ environment: 'live' }).execute()
    expect(checkBackup(config, now)).toMatchObject([{ ok: false }])
    await backup(service.dataDir, join(dir, 'a.tar'))
    expect(checkBackup(config, now)).toMatchObject([{ ok: true }])
    expect(checkBackup(config, now + 37 * 3_600_000)).toMatchObject([
      { ok: false, says: expect.stringMatching(/3[67] h ago$/) },
    ])

    const tls = await makeCertificate(dir)
    const days = Math.floor((certificateEnd({ tls }) - now) / 86_400_000)
    expect(checkCertificate({ ...config, tls }, now)).toEqual([
      { check: 'certificate', ok: days >= 14, says: `valid for ${days} days` },
    ])
    const publicUrl = new URL('https://other.example')
    expect(checkCertificate({ ...config, tls, publicUrl }, now)).toMatchObject([
      { ok: false, says: expect.stringContaining('it is not for other.example') },
    ])
    const later = certificateEnd({ tls }) - 13 * 86_400_000
    expect(checkCertificate({ ...config, tls }, later)).toMatchObject([{ ok: false }])
    const gone = { certPath: join(dir, 'gone.pem'), keyPath: '' }
    expect(checkCertificate({ ...config, tls: gone }, now)).toMatchObject([{ ok: false }])
  })

  test('calls a directory without data a problem, as it is most likely a mistyped one', async () => {
    const findings = await doctor({ ...defaultConfig, dataDir: join(dir, 'mistyped') })
    expect(findings.find(({ check }) => check === 'database')).toMatchObject({
      ok: false,
      says: expect.stringContaining('is --data right?'),
    })
  })

  test('says of a database that the service would not start with why it would not', async () => {
    const { dataDir, platform } = service
    const found = async (rates = defaultConfig.rates) =>
      (await doctor({ ...defaultConfig, dataDir, rates })).find(({ check }) => check === 'database')
    await service.account({ environment: 'live' })
    expect(await found({ EUR: [] })).toMatchObject({ ok: false, says: expect.stringMatching(/^Accounts pay in USD, /) })
    await platform.db
      .insertInto('migrations' as never)
      .values({ name: '998-next', applied_at: 0 } as never)
      .execute()
    expect(await found()).toMatchObject({ ok: false, says: expect.stringMatching(/^The database is newer than /) })
  })

  test('counts staff, and names orders that wait or are late with their reasons', async () => {
    const { db, clock } = service.platform
    const live = await service.account({ environment: 'live' })
    await insertParts(db, live.id, { parts: 2, dueAt: Date.now() - 3 * 3_600_000 })
    const says = async () => {
      const findings = await doctor({ ...defaultConfig, dataDir: service.dataDir })
      return Object.fromEntries(findings.map(({ check, ...finding }) => [check, finding]))
    }
    await addStaff(db, { name: 'Ann', role: 'typist' }, clock())
    const before = await says()
    expect(before.staff).toEqual({ ok: true, says: '1 typist, 0 reviewers, 0 managers' })
    expect(before.orders?.says).toMatch(/^1 live in progress; 2 parts to be typed, the oldest for \d+ h$/)
    expect(before.late).toEqual({ ok: false, says: expect.stringMatching(/^f\w+ by 3 h \(no reason is known\)$/) })
    await db.updateTable('work_parts').set({ step: 'review' }).execute()
    expect((await says()).staff).toEqual({
      ok: false,
      says: '1 typist, 0 reviewers, 0 managers; 2 parts wait to be reviewed, and nobody may',
    })
  })

  test('names a damaged database and a port that another program uses', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    await writeFile(join(dir, 'parley.db'), Buffer.alloc(8_192, 7))
    await writeFile(join(dir, 'search.db'), Buffer.alloc(8_192, 7))
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const findings = await doctor({ ...defaultConfig, dataDir: dir, port })
    expect(findings.find(({ check }) => check === 'database')).toMatchObject({ ok: false })
    expect(findings.find(({ check }) => check === 'search')).toMatchObject({ ok: false })
    expect(findings.find(({ check }) => check === 'port')).toMatchObject({ ok: false })
    other.close()
  })
})

describe('a database that cannot be written', () => {
  test('because another process holds it is a 503, reads go on, and it recovers', async () => {
    const client = accountClient(service.address, account.key)
    const holder = new DatabaseSync(join(service.dataDir, 'parley.db'))
    holder.exec('begin immediate')
    const refused = client.ask('PUT', 'settings', { theme: 'dark' })
    expect((await service.fetch(account.key, 'files')).status).toBe(200)
    const answer = await refused
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    const startedMs = performance.now()
    expect((await client.ask('PUT', 'settings', { theme: 'dark' })).status).toBe(503)
    expect(await client.read('GET', 'files')).toMatchObject({ total: 0 })
    // Later ones do not wait for the lock again, which takes 5 s.
    expect(performance.now() - startedMs).toBeLessThan(4_000)
    holder.exec('rollback')
    holder.close()
    expect((await client.ask('PUT', 'settings', { theme: 'dark' })).status).toBe(200)
    service.loggedErrors.length = 0 // chores that hit the lock may log so
  })

  test('because it is full is a 507, and it recovers', async () => {
    const client = accountClient(service.address, account.key)
    const { db } = service.platform
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count ?? 1}`).execute(db)
    const answer = await client.ask('PUT', 'settings', { notes: 'x'.repeat(60_000) })
    expect([answer.status, await answer.json()]).toEqual([
      507,
      { error: expect.stringMatching(/out of storage space/) },
    ])
    await sql.raw('pragma max_page_count = 1073741823').execute(db)
    expect((await client.ask('PUT', 'settings', { notes: 'x'.repeat(60_000) })).status).toBe(200)
    expect(await client.read('GET', 'ledger')).toMatchObject({ total: 0 })
    expect((await service.post(account.key, await service.tone(1))).status).toBe(201)
    service.loggedErrors.length = 0
  })
})
