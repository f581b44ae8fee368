import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openFsBlobStore } from './fs-blob-store.ts'
import { StagedFile } from './staged-file.ts'
import { blobStoreConformance } from './testing/blob-store-conformance.ts'

blobStoreConformance('a directory', async () => {
  const besides = await mkdtemp(join(tmpdir(), 'parley-blobs-'))
  const root = join(besides, 'blobs')
  return {
    store: await openFsBlobStore(root),
    reopen: () => openFsBlobStore(root),
    unkept: () => readdir(join(root, 'staging')),
    close: () => rm(besides, { recursive: true, force: true }),
  }
})

it('reports a full disk as 507, and can still be discarded', async () => {
  // The system's own full disk: every write to it fails with ENOSPC. Its path is not passed, for a staged blob may
  // remove its own.
  const fullDisk = await open('/dev/full', 'r+')
  const staged = new StagedFile(join(tmpdir(), 'parley-no-such-file'), fullDisk, 0, {
    placeFile: () => Promise.reject(new Error('nothing may be kept')),
    readStored: () => {
      throw new Error('nothing is kept')
    },
  })
  const appended = (async () => {
    for (let megabyte = 0; megabyte < 20; megabyte += 1) await staged.append(new Uint8Array(1_048_576))
  })()
  await expect(appended).rejects.toMatchObject({ status: 507, message: expect.stringContaining('Nothing was charged') })
  await expect(staged.keep('a')).rejects.toMatchObject({ status: 507 })
  await staged.discard()
})

it('says that a staged file cannot be read, in the place of ending the process', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-blobs-'))
  const store = await openFsBlobStore(root)
  const [first, second] = [await store.stage(), await store.stage()]
  for (const staged of [first, second]) await staged.append(new Uint8Array(1_000))
  await first.keep('a')
  await second.finish()
  await rm(join(root, 'staging'), { recursive: true })
  await expect(second.sameAs('a')).rejects.toMatchObject({ code: 'ENOENT' })
  await second.discard()
  await rm(root, { recursive: true })
})

it('adopts a file of another writer', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-blobs-'))
  const store = await openFsBlobStore(root)
  const path = join(root, 'resumed')
  await writeFile(path, 'from elsewhere')
  if (!('adopt' in store.resumed)) throw new Error('Files are adopted.')
  const staged = await store.resumed.adopt(path)
  expect((await staged.finish()).bytes).toBe(14)
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
  await staged.keep('a')
  expect(await text(store.read('a', 'media'))).toBe('from elsewhere')
  await rm(root, { recursive: true })
})

it('leaves nothing in staging after keep, write and remove', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-blobs-'))
  const store = await openFsBlobStore(root)
  const staged = await store.stage()
  await staged.keep('a')
  await store.write('a', 'words.json', '[]')
  await expect(store.write('a/b', 'words.json', '[]')).rejects.toThrow()
  await store.remove('a')
  expect(await readdir(join(root, 'staging'))).toEqual([])
  await rm(root, { recursive: true })
})
