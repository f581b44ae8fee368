import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dataPaths } from '../platform/data-directory.ts'
import { FullDiskError, saysFullDisk } from '../platform/full-disk.ts'
import { StartError } from '../platform/start-error.ts'
import { snapshotInto } from './backup.ts'
import { manifestName, readManifest } from './check-backup.ts'
import { noteBackup } from './last-backup.ts'

/*
 * Backups that are incremental by content, in a repository of restic: a directory, a bucket, an SFTP server. What is new
 * here is only what restic cannot know: a snapshot of the database and of the recordings at one moment. It finds what is
 * there already, encrypts, prunes and verifies, and a run that was killed loses no earlier snapshot.
 */

/** The folder of the snapshot while it is read. One name: restic compares with what had the same path before. */
const folderName = 'backup-snapshot'
const tag = 'parley'
/** What is kept of older snapshots. */
const kept = ['--keep-within', '48h', '--keep-daily', '7', '--keep-weekly', '5', '--keep-monthly', '12']

type Ran = { code: number; out: string; error: string }

async function runRestic(repository: string, args: readonly string[]): Promise<Ran> {
  const child = spawn('restic', ['--repo', repository, '--quiet', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, error]: [string[], string[]] = [[], []]
  // Decoded as a stream: a character may be divided between chunks.
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => out.push(chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => error.push(chunk))
  const code = await new Promise<number>((done, failed) => {
    child.on('close', (status) => done(status ?? 1))
    child.on('error', failed)
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw new StartError('restic is not installed: apt install restic.', { cause })
    throw cause
  })
  return { code, out: out.join(''), error: error.join('').trim() }
}

/** A process that was killed leaves its lock, in the way of all others; locks of those that run stay. */
async function tryRestic(repository: string, args: readonly string[]): Promise<Ran> {
  const ran = await runRestic(repository, args)
  if (ran.code === 0 || !/lock was created/.test(ran.error)) return ran
  await runRestic(repository, ['unlock'])
  return await runRestic(repository, args)
}

/** @param written what it fills, to be named if the disk is full @throws StartError with restic's words */
async function restic(repository: string, args: readonly string[], written = repository): Promise<string> {
  const { code, out, error } = await tryRestic(repository, args)
  if (code === 0) return out
  requireRightPassphrase(error)
  if (saysFullDisk(error)) throw new FullDiskError(written)
  if (isAbsent(error)) throw new StartError(`There is no repository at ${repository}.`)
  throw new StartError(`restic ${args[0]} failed: ${error.split('\n').slice(-3).join(' ') || `exit ${code}`}`)
}

/** Whether these words of restic say that there is no repository. */
const isAbsent = (words: string) => /Is there a repository|does not exist|unable to open config/i.test(words)

/** @throws StartError if these words of restic say that the passphrase is another one, or its file cannot be read */
function requireRightPassphrase(words: string): void {
  if (/resolving password/i.test(words)) {
    const { RESTIC_PASSWORD_FILE: file } = process.env
    throw new StartError(`The passphrase in RESTIC_PASSWORD_FILE (${file}) cannot be read. Nothing was changed.`)
  }
  if (!/wrong password|no key found/i.test(words)) return
  throw new StartError(
    'The passphrase is not that of the repository. If that one is lost, nobody can read these backups: begin another repository.',
  )
}

function requirePassphrase(): void {
  const { RESTIC_PASSWORD, RESTIC_PASSWORD_FILE, RESTIC_PASSWORD_COMMAND } = process.env
  if (RESTIC_PASSWORD || RESTIC_PASSWORD_FILE || RESTIC_PASSWORD_COMMAND) return
  throw new StartError(
    'Set RESTIC_PASSWORD_FILE to a file with the passphrase of the repository. Keep a copy elsewhere: without it nobody can read the backups, and nobody can help.',
  )
}

/** Marks the snapshots of one installation: its first account, which is never removed. */
function ownTag(folder: string): string {
  using snapshot = new DatabaseSync(join(folder, 'parley.db'), { readOnly: true })
  return `of-${String(snapshot.prepare('select id from accounts order by created_at, id limit 1').get()?.id)}`
}

/**
 * Two installations in one repository would prune each other's snapshots, and `restore` would take whichever is newer.
 * Snapshots of releases that did not mark theirs are taken for this one's.
 * @throws StartError if it is another one's
 */
async function requireOwn(repository: string, own: string): Promise<void> {
  const { code, out } = await tryRestic(repository, ['snapshots', '--tag', tag, '--json'])
  if (code !== 0) return
  const marks = (JSON.parse(out) as { tags: string[] }[]).flatMap(({ tags }) =>
    tags.filter((one) => one.startsWith('of-')),
  )
  if (marks.length === 0 || marks.includes(own)) return
  throw new StartError(
    `${repository} has the backups of another installation of Parley. Give this one a repository of its own.`,
  )
}

/** Stores a folder, in a new repository if there is none; a wrong passphrase is not taken for that. @returns the id */
async function store(repository: string, folder: string): Promise<string> {
  const own = ownTag(folder)
  await requireOwn(repository, own)
  // The hard links of the snapshot are new, what they lead to is not.
  const args = ['backup', '--json', '--tag', tag, '--tag', own, '--host', tag, '--ignore-ctime', folder]
  let ran = await tryRestic(repository, args)
  requireRightPassphrase(ran.error)
  if (ran.code !== 0 && isAbsent(ran.error)) {
    await restic(repository, ['init'])
    ran = await tryRestic(repository, args)
  }
  const [, id] = /"snapshot_id":"(\w{8})/.exec(ran.out) ?? []
  if (ran.code === 0 && id !== undefined) return id
  if (saysFullDisk(ran.error)) throw new FullDiskError(repository)
  throw new StartError(`restic backup failed: ${ran.error.split('\n').slice(-3).join(' ')}`)
}

/** Removes old snapshots by rule. */
async function prune(repository: string): Promise<void> {
  await restic(repository, ['forget', '--tag', tag, '--host', tag, ...kept, '--prune'])
}

/** `at`: ISO 8601 */
type Kept = { at: string; snapshot: string; files: number }

/**
 * `backup --to REPOSITORY`: a snapshot of database and recordings, what is new of it stored, old snapshots pruned by rule.
 * The caller holds the operators' lock.
 * @throws StartError
 */
export async function backupTo(dataDir: string, repository: string): Promise<Kept> {
  if (!existsSync(dataPaths(dataDir).database)) throw new StartError(`There is no Parley data in ${dataDir}.`)
  requirePassphrase()
  const folder = join(dataDir, folderName)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  try {
    const at = Date.now()
    const files = await snapshotInto(folder, dataDir)
    const snapshot = await store(repository, folder)
    await prune(repository)
    noteBackup(dataDir, { at, files })
    return { at: new Date(at).toISOString(), snapshot, files }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Unpacks a snapshot as a tar of `backup` would be.
 * @param snapshot its id; `latest`
 * @param folder empty
 * @throws StartError if there is no such snapshot, or it is none of Parley's
 */
export async function unpackSnapshot(repository: string, snapshot: string, folder: string): Promise<void> {
  requirePassphrase()
  const listed = JSON.parse(await restic(repository, ['snapshots', '--tag', tag, '--json'])) as {
    short_id: string
    paths: string[]
  }[]
  const chosen = snapshot === 'latest' ? listed.at(-1) : listed.find(({ short_id }) => snapshot.startsWith(short_id))
  if (chosen === undefined) {
    const words =
      listed.length === 0 ? 'It has none of Parley.' : `It has: ${listed.map((one) => one.short_id).join(' ')}.`
    throw new StartError(`There is no snapshot ${snapshot} in ${repository}. ${words}`)
  }
  await restic(repository, ['restore', chosen.short_id, '--target', folder, '--verify'], dirname(folder))
  const inside = join(folder, chosen.paths[0] ?? '')
  for (const name of await readdir(inside)) await rename(join(inside, name), join(folder, name))
  const [first = ''] = (chosen.paths[0] ?? '').split('/').filter(Boolean)
  await rm(join(folder, first), { recursive: true, force: true })
  // restic has compared each byte with its hash.
  await writeFile(join(folder, manifestName), JSON.stringify(await readManifest(folder, 1)))
}

/** `backup verify REPOSITORY`: reads every byte of the repository and compares it with its hash. @throws StartError */
export async function verifyRepository(repository: string): Promise<object> {
  requirePassphrase()
  await restic(repository, ['check', '--read-data'])
  const listed = JSON.parse(await restic(repository, ['snapshots', '--tag', tag, '--json'])) as { time: string }[]
  return { whole: true, snapshots: listed.length, newest: listed.at(-1)?.time ?? null }
}
