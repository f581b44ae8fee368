import { execFile } from 'node:child_process'
import {
  appendFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { backup, runTar } from './backup.ts'
import { manifestName, readManifest } from './check-backup.ts'
import { restore } from './restore.ts'

const run = promisify(execFile)
const agreed = { lose: 0, revokeAllKeys: false }
let service: TestService
let key: string
let id: string
let dir: string
let good: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-restore-'))
  service = await startTestService()
  key = (await service.account()).key
  id = (await service.order(key, await service.tone(2), '?transcript_type=automated')).id
  await service.until(() => service.platform.blobs.size(id, 'peaks'))
  await service.platform.blobs.write(id, 'listen', 'its copy')
  good = join(dir, 'good.tar')
  await backup(service.dataDir, good)
})
afterAll(async () => {
  await service.close()
  await rm(dir, { recursive: true })
})

/**
 * Builds a tampered backup.
 * @param change modifies the unpacked backup
 * @param isForged whether the manifest is updated to match, if possible
 */
async function changed(change: (unpacked: string) => Promise<unknown> | unknown, isForged = false): Promise<string> {
  const unpacked = await mkdtemp(join(dir, 'unpacked-'))
  await run('tar', ['-xf', good, '-C', unpacked])
  await change(unpacked)
  if (isForged) {
    const manifest = await readManifest(unpacked, 1).catch(() => ({}))
    await writeFile(join(unpacked, manifestName), JSON.stringify(manifest))
  }
  const file = `${unpacked}.tar`
  await run('tar', ['-cf', file, '-C', unpacked, ...(await readdir(unpacked))])
  return file
}

const media = (unpacked: string) => join(unpacked, 'blobs/files', id, 'media')
const database = (unpacked: string) => join(unpacked, 'parley.db')
function sql(unpacked: string, text: string): void {
  const opened = new DatabaseSync(database(unpacked))
  opened.exec(text)
  opened.close()
}
async function replaceBy(path: string, make: () => Promise<unknown>): Promise<void> {
  await rm(path, { recursive: true })
  await make()
}

const hostile: [string, (unpacked: string) => Promise<unknown> | unknown, RegExp][] = [
  [
    'whose recording is a link',
    (at) => replaceBy(media(at), () => symlink('/etc/passwd', media(at))),
    /media does not/,
  ],
  ['whose recording is a pipe', (at) => replaceBy(media(at), () => run('mkfifo', [media(at)])), /media does not/],
  ['whose recording is a directory', (at) => replaceBy(media(at), () => mkdir(media(at))), /lacks the recording/],
  [
    'whose database is a link to one outside',
    async (at) => {
      await rename(database(at), join(dir, 'outside.db'))
      await symlink(join(dir, 'outside.db'), database(at))
    },
    /parley.db does not/,
  ],
  [
    'whose words are a second name of the database',
    (at) => link(database(at), join(at, 'blobs/files', id, 'words.json')),
    /does not belong/,
  ],
  ['with a journal beside the database', (at) => writeFile(`${database(at)}-wal`, 'x'), /parley.db-wal does not/],
  ['with a directory that is a link', (at) => symlink('/etc', join(at, 'blobs/files/f1')), /f1 does not/],
  ['with something of its own', (at) => mkdir(join(at, 'models')), /models does not/],
  ['with a part that no file has', (at) => writeFile(join(at, 'blobs/files', id, 'x'), ''), /does not belong/],
  ['that lacks a table', (at) => sql(at, 'drop table deliveries'), /not Parley/],
  [
    'with a trigger of its own',
    (at) => sql(at, 'create trigger t after insert on files begin delete from ledger; end'),
    /not Parley/,
  ],
  ['of a newer version', (at) => sql(at, "insert into migrations values ('999-later', 0)"), /newer version/],
  [
    'of before the first release',
    (at) => sql(at, "delete from migrations; insert into migrations values ('023-pay', 0)"),
    /from before its first release/,
  ],
  ['that was never migrated', (at) => sql(at, 'delete from migrations'), /not Parley/],
  ['with an id that is a path', (at) => sql(at, "update files set id = '../../parley.db'"), /lacks the recording/],
  ['whose database is none', (at) => writeFile(database(at), 'x'.repeat(8_192)), /cannot be read/],
  ['without a database', (at) => rm(database(at)), /not a Parley backup/],
]

describe('restore refuses, and changes nothing, a backup', () => {
  // The search index is built separately, in the background.
  const names = async () => (await readdir(service.dataDir)).filter((name) => !name.startsWith('search.db'))
  const snapshot = async () => [await names(), await (await service.fetch(key, 'files')).json()]

  test.each(hostile)('%s', async (_name, change, words) => {
    const before = await snapshot()
    await expect(restore(service.dataDir, await changed(change, true), agreed)).rejects.toThrow(words)
    expect(await snapshot()).toEqual(before)
  })

  test.each([
    ['whose waveform was changed', (at: string) => appendFile(join(at, 'blobs/files', id, 'peaks'), 'x')],
    ['that lacks a listening copy', (at: string) => rm(join(at, 'blobs/files', id, 'listen'))],
    ['that lacks a waveform', (at: string) => rm(join(at, 'blobs/files', id, 'peaks'))],
    ['whose recording is cut', (at: string) => truncate(media(at), 1_000)],
    ['with a file more', (at: string) => writeFile(join(at, 'blobs/files', id, 'words.json'), '[]')],
  ])('%s since it was written', async (_name, change) => {
    const before = await snapshot()
    await expect(restore(service.dataDir, await changed(change), agreed)).rejects.toThrow(
      /not the ones that were saved/,
    )
    expect(await snapshot()).toEqual(before)
  })
})

test('a backup without a manifest is refused', async () => {
  const file = await changed((at) => rm(join(at, manifestName)))
  await expect(restore(service.dataDir, file, agreed)).rejects.toThrow('This is not a Parley backup.')
})

test('a backup without a recording that a rule deleted is restored with the rest', async () => {
  const { db, blobs } = service.platform
  const deleted = { recording_deleted_at: 1, recording_deleted_by: 'all files' }
  await db.updateTable('files').set(deleted).where('id', '=', id).execute()
  await blobs.write(id, 'words.json', '[]')
  const file = join(dir, 'without-recording.tar')
  expect(await backup(service.dataDir, file)).toMatchObject({ files: 1 })
  const { stdout } = await run('tar', ['-tf', file])
  expect(stdout.split('\n').filter((line) => line.includes(id))).toEqual([
    expect.stringMatching(/\/$/),
    expect.stringMatching(/words\.json$/),
  ])
  const restoring = restore(service.dataDir, file, agreed)
  while (!(await readdir(service.dataDir)).includes('restore-ready')) await new Promise(setImmediate)
  service.advance(1_000)
  await service.restart()
  expect(await restoring).toMatchObject({ restored: true, files: 1, lost: {} })
})

test('pages for customers come with the data to a new machine; those that are there stay', async () => {
  await mkdir(join(service.dataDir, 'pages'))
  await writeFile(join(service.dataDir, 'pages/terms.md'), 'Terms of before')
  await writeFile(join(service.dataDir, 'pages/terms.md~'), 'an editor’s')
  const file = join(dir, 'with-pages.tar')
  await backup(service.dataDir, file)
  const target = await mkdtemp(join(dir, 'new-machine-'))
  const pages = join(target, 'pages')
  await restore(target, file, agreed)
  expect(await readdir(pages)).toEqual(['terms.md'])
  await writeFile(join(pages, 'terms.md'), 'Terms of today')
  await restore(target, file, agreed)
  expect(await readFile(join(pages, 'terms.md'), 'utf8')).toBe('Terms of today')
  expect((await readdir(target)).filter((name) => /restore-(ready|\d+)$/.test(name))).toEqual([])
})

test('a full disk is named as such', async () => {
  const packed = runTar(['-cf', '/dev/full', '-C', import.meta.dirname, '.'], '/backups/today.tar')
  const words = 'The disk that holds /backups/today.tar is full. Nothing was changed: make room there, and try again.'
  await expect(packed).rejects.toThrow(words)
})
