import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { main as parley, runParley } from '../../../src/service/testing/real-process.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench, Measurement } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { comesTrue, newKeys, quiet, Tally } from './rounds.ts'

const run = promisify(execFile)
/** A recording's bytes: noise, which restic cannot make smaller or find twice. */
const recordingBytes = 2_000_000

type Kit = { service: ServiceProcess; key: string; repository: string }

async function addRecording({ service, key }: Kit): Promise<string> {
  const client = accountClient(service.url.href, key)
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 20, progress_percent: 100 })
  await writeFile(join(service.dataDir, 'blobs/files', id, 'media'), randomBytes(recordingBytes))
  return id
}

const command = (kit: Kit, ...words: string[]) => runParley(kit.service.dataDir, ...words)

async function snapshots({ repository }: Kit): Promise<string[]> {
  const { stdout } = await run('restic', ['-r', repository, '--no-lock', 'snapshots', '--json'])
  return (JSON.parse(stdout) as { short_id: string }[]).map(({ short_id }) => short_id)
}

async function bytesIn(path: string): Promise<number> {
  const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  const sizes = await Promise.all(files.map(async (one) => (await stat(join(one.parentPath, one.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Kills a backup, with restic, at any moment before @param withinMs, and waits for both ends. */
async function killOne(kit: Kit, withinMs: number): Promise<void> {
  const args = [parley, 'backup', '--to', kit.repository, '--data', kit.service.dataDir]
  const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true })
  const ended = once(child, 'close')
  await Promise.race([wait(Math.random() * withinMs), ended])
  const signal = (name: NodeJS.Signals | 0) => {
    try {
      return process.kill(-(child.pid ?? 0), name)
    } catch {
      return false // All have ended.
    }
  }
  signal('SIGKILL')
  await ended
  // Until it has ended, the next backup is refused: another one runs.
  await comesTrue(() => !signal(0), 5_000)
}

/** Restores a snapshot beside, and compares the recordings with those of the service. */
async function restoresTo(kit: Kit, snapshot: string, ids: readonly string[]): Promise<boolean> {
  const beside = await mkdtemp(join(tmpdir(), 'parley-beside-'))
  try {
    const { code } = await runParley(beside, 'restore', '--from', kit.repository, '--at', snapshot)
    if (code !== 0) return false
    const there = (await readdir(join(beside, 'blobs/files'))).sort().join()
    if (there !== [...ids].sort().join()) return false
    const differ = await run('diff', [
      '-rq',
      join(beside, 'blobs/files'),
      join(kit.service.dataDir, 'blobs/files'),
    ]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
    // What the service makes again, the backup has not; and it has what was ordered later.
    return differ.split('\n').every((line) => line === '' || line.startsWith(`Only in ${kit.service.dataDir}`))
  } finally {
    await rm(beside, { recursive: true })
  }
}

/** Flips one bit of what holds snapshots and their bytes, has it verified, and puts it right again. */
async function findsBitError({ repository }: Kit): Promise<boolean> {
  const folders = ['data', 'index', 'snapshots'].map((name) => join(repository, name))
  const lists = await Promise.all(folders.map((path) => readdir(path, { recursive: true, withFileTypes: true })))
  // What a killed run had not finished belongs to nothing.
  const files = lists.flat().filter((one) => one.isFile() && !one.name.includes('-tmp-'))
  const chosen = files[Math.floor(Math.random() * files.length)]
  if (chosen === undefined) throw new Error('The repository is empty.')
  const path = join(chosen.parentPath, chosen.name)
  const position = Math.floor(Math.random() * (await stat(path)).size)
  const flip = async () => {
    await using file = await open(path, 'r+')
    const byte = Buffer.alloc(1)
    await file.read(byte, 0, 1, position)
    byte[0] = (byte[0] ?? 0) ^ (1 << (position % 8))
    await file.write(byte, 0, 1, position)
  }
  await flip()
  const { code } = await runParley('.', 'backup', 'verify', repository)
  await flip()
  if (code === 0) console.error(`a bit of ${path} at ${position} was not found`)
  return code !== 0
}

/** As large as an archive of years, and sparse: it has few blocks on the disk, and restic reads and divides all of it. */
const largeFiles = 1_000
const changedFiles = largeFiles / 100

/**
 * A backup of many gigabytes, and another one after a hundredth of them was replaced by other recordings.
 * @returns the bytes that the second one added
 */
async function backUpLarge(gigabytes: number): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-large-'))
  const service = await ServiceProcess.start(quiet)
  try {
    const { account, key } = await service.createAccount('live')
    const kit: Kit = { service, key, repository: join(folder, 'repository') }
    const bytes = Math.round((gigabytes * 1e9) / largeFiles)
    const add = async (count: number, write: (path: string) => Promise<unknown>) => {
      const samples = Array.from({ length: count }, (_, index) => ({ name: `Tape ${index}`, bytes }))
      for (const id of await seedFiles(service.dataDir, account, 'live', samples)) {
        await mkdir(join(service.dataDir, 'blobs/files', id), { recursive: true })
        await write(join(service.dataDir, 'blobs/files', id, 'media'))
      }
    }
    await add(largeFiles - changedFiles, (path) => writeFile(path, randomBytes(100)).then(() => truncate(path, bytes)))
    const backUp = async () => {
      const { out, error } = await command(kit, 'backup', '--to', kit.repository)
      if (out === '') throw new Error(error)
      return await bytesIn(kit.repository)
    }
    const before = await backUp()
    await add(changedFiles, (path) => writeFile(path, randomBytes(bytes)))
    const startedMs = performance.now()
    const added = (await backUp()) - before
    return [
      {
        what: `${gigabytes} GB: bytes added after 1 % changed`,
        value: (added / gigabytes / 1e9) * 100,
        unit: '%',
        goal: { atMost: 2 },
      },
      { what: `${gigabytes} GB: seconds of that backup`, value: (performance.now() - startedMs) / 1_000, unit: 's' },
    ]
  } finally {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Backups of a running service: killed while they write and prune, restored to beside, and with single bits changed.
 * `--kills` and `--errors` say how many; `--gigabytes 100` backs up an archive of that size instead.
 */
export const tortureBackups: Bench = async ({
  kills = unlessShort('200', '4'),
  errors = unlessShort('100', '2'),
  gigabytes,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-backups-'))
  Object.assign(process.env, { RESTIC_PASSWORD: 'correct horse', RESTIC_CACHE_DIR: join(folder, 'cache') })
  if (gigabytes !== undefined) return await backUpLarge(Number(gigabytes))
  const service = await ServiceProcess.start(quiet)
  try {
    const [key = ''] = await newKeys(service, 'sandbox', 1)
    const kit: Kit = { service, key, repository: join(folder, 'repository') }
    const ids: string[] = []
    while (ids.length < unlessShort(50, 10)) ids.push(await addRecording(kit))
    await command(kit, 'backup', '--to', kit.repository)
    const [first = '', ...none] = await snapshots(kit)
    const firstIds = [...ids]
    const wholeBytes = await bytesIn(kit.repository)

    ids.push(await addRecording(kit))
    const startedMs = performance.now()
    await command(kit, 'backup', '--to', kit.repository)
    const takesMs = performance.now() - startedMs
    const share = (await bytesIn(kit.repository)) / wholeBytes - 1

    const [kept, whole, restored, found] = ['snapshots kept', 'repository whole', 'restored', 'bit errors found'].map(
      (what) => new Tally(what),
    ) as [Tally, Tally, Tally, Tally]
    let before = await snapshots(kit)
    // If all came too early, a few come later: the machine may have become slower since the backup was timed.
    const isEnough = (killed: number) => killed >= Number(kills) + (before.length > 2 ? 0 : 5)
    for (let killed = 0; !isEnough(killed); killed += 1) {
      if (killed % 10 === 0) ids.push(await addRecording(kit))
      await killOne(kit, takesMs * 1.1 * 2 ** Math.max(0, killed - Number(kills)))
      const after = await snapshots(kit)
      const areAll = before.every((id) => after.includes(id))
      kept.count(areAll, `${before} became ${after}`)
      before = after
    }
    kept.count(none.length === 0, 'the first backup made more than one snapshot')
    const { out, error } = await command(kit, 'backup', '--to', kit.repository)
    if (out === '') throw new Error(`The backup after the kills failed: ${error}`)
    const last = JSON.parse(out) as { snapshot: string }
    whole.count((await command(kit, 'backup', 'verify', kit.repository)).code === 0, 'verify found an error')
    restored.count(await restoresTo(kit, last.snapshot, ids), `${last.snapshot}, the last`)
    restored.count(await restoresTo(kit, first, firstIds), `${first}, the first`)
    for (let made = 0; made < Number(errors); made += 1) found.count(await findsBitError(kit), 'one was not')
    whole.count((await command(kit, 'backup', 'verify', kit.repository)).code === 0, 'after the bits were put right')
    return [
      ...[kept, whole, restored, found].flatMap((tally) => tally.rows()),
      // Else all kills came before a snapshot was written, or one of them was in the way of all later backups.
      { what: 'snapshots that were written before a kill', value: before.length - 2, unit: '', goal: { atLeast: 1 } },
      { what: `one of ${firstIds.length} recordings more: bytes added`, value: share * 100, unit: '%' },
    ]
  } finally {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
}
