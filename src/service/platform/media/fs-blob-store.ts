import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BlobPart, type BlobStore, requireFileId, requirePart, type StagedBlob } from './blob-store.ts'
import { isChangedBefore } from './changed-before.ts'
import { asWriteError, isAbsent } from './file-errors.ts'
import type { MediaSource } from './media-source.ts'
import { StagedFile } from './staged-file.ts'

/** A rename is durable only once its directory is flushed. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Blobs in one directory: `files/<id>/<part>`, and `staging/` on the same file system for blobs that are incomplete or
 * being removed.
 */
class FsBlobStore implements BlobStore {
  readonly resumed = { adopt: (path: string) => this.#adopt(path) }
  readonly #files: string
  readonly #staging: string

  constructor(root: string) {
    this.#files = join(root, 'files')
    this.#staging = join(root, 'staging')
  }

  /** Creates the directories. */
  async start(): Promise<void> {
    await mkdir(this.#staging, { recursive: true })
    await mkdir(this.#files, { recursive: true })
  }

  async stage(): Promise<StagedBlob> {
    const path = this.#aside()
    try {
      return this.#staged(path, await open(path, 'wx+', 0o600), 0)
    } catch (error) {
      throw asWriteError(error)
    }
  }

  async write(fileId: string, part: BlobPart, content: Readable | Uint8Array | string): Promise<void> {
    const target = this.localPath(fileId, part)
    const path = this.#aside()
    try {
      const source = content instanceof Readable ? content : Readable.from([content], { objectMode: false })
      // Nothing is awaited before: a source that fails early needs its listener.
      await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
      await this.#place(path, target)
    } catch (error) {
      await rm(path, { force: true })
      throw asWriteError(error)
    }
  }

  async place(fileId: string, part: BlobPart, path: string): Promise<void> {
    try {
      const file = await open(path, 'r+')
      await file.sync().finally(() => file.close())
      await this.#place(path, this.localPath(fileId, part))
    } catch (error) {
      throw asWriteError(error)
    }
  }

  read(fileId: string, part: BlobPart, range?: { start: number; end: number }): Readable {
    return createReadStream(this.localPath(fileId, part), { highWaterMark: 262_144, ...range })
  }

  async size(fileId: string, part: BlobPart): Promise<number | null> {
    try {
      return (await stat(this.localPath(fileId, part))).size
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }

  localPath(fileId: string, part: BlobPart): string {
    return join(this.#home(fileId), requirePart(part))
  }

  withMedia<Result>(fileId: string, work: (source: MediaSource) => Promise<Result>): Promise<Result> {
    return work(this.localPath(fileId, 'media'))
  }

  temporary(): string {
    return this.#aside()
  }

  async remove(fileId: string, only = ''): Promise<void> {
    const [path, aside] = [join(this.#home(fileId), only), this.#aside()]
    try {
      await rename(path, aside) // from here on it is removed, even after a crash
    } catch (error) {
      if (isAbsent(error)) return
      throw error
    }
    await flushDirectory(dirname(path))
    await rm(aside, { recursive: true, force: true })
  }

  async *ids(changedBefore = Number.POSITIVE_INFINITY): AsyncIterable<string> {
    for await (const entry of await opendir(this.#files)) {
      const isOld = entry.isDirectory() && (await isChangedBefore(join(this.#files, entry.name), changedBefore))
      if (isOld) yield entry.name
    }
  }

  async removeStaged(changedBefore: number): Promise<void> {
    for (const name of await readdir(this.#staging)) {
      const path = join(this.#staging, name)
      if (await isChangedBefore(path, changedBefore)) await rm(path, { recursive: true, force: true })
    }
  }

  async #adopt(path: string): Promise<StagedBlob> {
    const own = this.#aside()
    await rename(path, own)
    const file = await open(own, 'r+')
    return this.#staged(own, file, (await file.stat()).size)
  }

  #home(fileId: string): string {
    return join(this.#files, requireFileId(fileId))
  }

  #aside(): string {
    return join(this.#staging, randomUUID())
  }

  #staged(path: string, file: Awaited<ReturnType<typeof open>>, bytes: number): StagedBlob {
    return new StagedFile(path, file, bytes, {
      placeFile: (from, fileId) => this.#place(from, this.localPath(fileId, 'media')),
      readStored: (fileId) => this.read(fileId, 'media'),
    })
  }

  /** Moves a flushed file to its place and flushes every directory that changed. */
  async #place(path: string, target: string): Promise<void> {
    const directory = dirname(target)
    const made = await mkdir(directory, { recursive: true })
    await rename(path, target)
    await flushDirectory(directory)
    for (let parent = directory; made !== undefined && parent !== dirname(made); ) {
      parent = dirname(parent)
      await flushDirectory(parent)
    }
  }
}

/** Opens the blobs below a directory, creating it if absent. */
export async function openFsBlobStore(root: string): Promise<BlobStore> {
  const store = new FsBlobStore(root)
  await store.start()
  return store
}
