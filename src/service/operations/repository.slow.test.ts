import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountClient } from '../testing/account-client.ts'
import { hasPrivateMounts } from '../testing/private-mounts.ts'
import { firstKey, main, nodeFlags, type RealProcess, runParley, serveProcess } from '../testing/real-process.ts'

let dir: string
let dataDir: string
let repository: string
let service: RealProcess
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-repository-'))
  dataDir = join(dir, 'data')
  repository = join(dir, 'backups')
  process.env.RESTIC_PASSWORD = 'correct horse'
  process.env.RESTIC_CACHE_DIR = join(dir, 'cache')
  service = await serveProcess(dataDir)
})
afterEach(async () => {
  delete process.env.RESTIC_PASSWORD
  await service.end('SIGKILL')
  await rm(dir, { recursive: true })
})

const client = () => accountClient(service.url.href, firstKey(service, 'sandbox'))
const sample = async () =>
  (await client().read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 100 })).id
const backUp = async () => JSON.parse((await runParley(dataDir, 'backup', '--to', repository)).out)
const bytesOf = (path: string) => Number(execFileSync('du', ['-sb', path], { encoding: 'utf8' }).split('\t')[0])

/** The lock of a run that was killed while it pruned or verified: nobody else may do anything. */
async function leaveLock(): Promise<void> {
  const locks = () => readdir(join(repository, 'locks'))
  while ((await locks()).length === 0) {
    const child = spawn('restic', ['-r', repository, 'check'], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    while (child.exitCode === null && (await locks()).length === 0) await wait(2)
    child.kill('SIGKILL')
    await ended
  }
}

describe.skipIf(!existsSync('/usr/bin/restic'))('a repository of backups (needs restic)', () => {
  test('stores what is new, and restores the moment that is asked for', async () => {
    const id = await sample()
    const first = await backUp()
    const before = bytesOf(repository)
    await sample()
    const second = await backUp()
    expect([first.files, second.files]).toEqual([1, 2])
    // The recording of the second is that of the first: only the database is new.
    expect(bytesOf(repository) - before).toBeLessThan(120_000)
    expect((await runParley(dataDir, 'restore', '--from', repository, '--at', 'nothing')).error).toContain(
      `It has: ${first.snapshot} ${second.snapshot}.`,
    )
    const refused = await runParley(dataDir, 'restore', '--from', repository, '--at', first.snapshot)
    expect(refused.error).toContain('--lose 1')
    const restored = await runParley(dataDir, 'restore', '--from', repository, '--at', first.snapshot, '--lose', '1')
    expect(JSON.parse(restored.out)).toMatchObject({ restored: true, files: 1 })
    expect(await readdir(join(dataDir, 'blobs', 'files'))).toEqual([id])
    expect(JSON.parse((await runParley(dataDir, 'backup', 'verify', repository)).out)).toMatchObject({ snapshots: 2 })
  })

  test.skipIf(!hasPrivateMounts)('names the disk that a restore fills (needs unshare)', async () => {
    await sample()
    await backUp()
    const beside = join(dir, 'beside')
    await mkdir(beside)
    const script = 'mount -t tmpfs -o size=200k tmpfs "$0" && exec "$@"'
    const restore = [process.execPath, ...nodeFlags, main, 'restore', '--from', repository, '--data', beside]
    const { stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, beside, ...restore], { encoding: 'utf8' })
    expect(stderr).toContain(`The disk that holds ${beside} is full.`)
  })

  test('refuses without a passphrase, with a wrong one, and a repository that is absent or damaged', async () => {
    await sample()
    expect(await backUp()).toMatchObject({ at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) })
    for (const command of [
      ['restore', '--from', `${repository}-none`],
      ['backup', 'verify', `${repository}-none`],
    ])
      expect((await runParley(dataDir, ...command)).error).toBe(`There is no repository at ${repository}-none.`)
    process.env.RESTIC_PASSWORD = 'wrong'
    for (const command of [
      ['backup', '--to', repository],
      ['restore', '--from', repository],
      ['backup', 'verify', repository],
    ])
      expect((await runParley(dataDir, ...command)).error).toMatch(
        /^The passphrase is not that of the repository\. If /,
      )
    delete process.env.RESTIC_PASSWORD
    process.env.RESTIC_PASSWORD_FILE = join(dir, 'no-passphrase')
    for (const to of [repository, `${repository}-new`])
      expect((await runParley(dataDir, 'backup', '--to', to)).error).toMatch(/^The passphrase in .* cannot be read\./)
    delete process.env.RESTIC_PASSWORD_FILE
    expect((await runParley(dataDir, 'backup', '--to', repository)).error).toContain('without it nobody can read')
    process.env.RESTIC_PASSWORD = 'correct horse'
    const packs = await readdir(join(repository, 'data'), { recursive: true, withFileTypes: true })
    const [pack] = packs.filter((one) => one.isFile())
    execFileSync('chmod', ['-R', 'u+w', repository])
    const file = await open(join(pack?.parentPath ?? '', pack?.name ?? ''), 'r+')
    await file.write(Buffer.from('?'), 0, 1, 40)
    await file.close()
    expect((await runParley(dataDir, 'backup', 'verify', repository)).code).toBe(1)
    expect((await client().ask('GET', '')).status).toBe(200)
  })

  test('refuses the repository of another installation, and one that has nothing of Parley', async () => {
    const other = await serveProcess(join(dir, 'other'))
    expect(await other.end('SIGTERM')).toBe(0)
    expect(JSON.parse((await runParley(join(dir, 'other'), 'backup', '--to', repository)).out)).toMatchObject({
      files: 0,
    })
    expect((await runParley(dataDir, 'backup', '--to', repository)).error).toMatch(
      / of another installation of Parley\. /,
    )
    const listed = () => execFileSync('restic', ['-r', repository, 'snapshots', '--json'], { encoding: 'utf8' })
    expect(JSON.parse(listed())).toHaveLength(1)
    execFileSync('restic', ['-r', join(dir, 'strange'), 'init'])
    const strange = await runParley(dataDir, 'restore', '--from', join(dir, 'strange'))
    expect(strange.error).toContain('It has none of Parley.')
    expect((await runParley(dataDir, 'restore', '--from', join(dir, 'nowhere'))).code).toBe(1)
  })

  test('a run that is killed loses no snapshot, and the next one goes on', async () => {
    await sample()
    const first = await backUp()
    for (const afterMs of [300, 700, 1_200]) {
      const args = [...nodeFlags, main, 'backup', '--to', repository, '--data', dataDir]
      const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true })
      await wait(afterMs)
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // It was faster.
      }
    }
    await leaveLock()
    const next = await backUp()
    const listed = execFileSync('restic', ['-r', repository, 'snapshots', '--json'], { encoding: 'utf8' })
    const ids = (JSON.parse(listed) as { short_id: string }[]).map(({ short_id }) => short_id)
    expect(ids).toContain(next.snapshot)
    expect((await runParley(dataDir, 'backup', 'verify', repository)).code).toBe(0)
    expect(first.files).toBe(1)
  })
})
