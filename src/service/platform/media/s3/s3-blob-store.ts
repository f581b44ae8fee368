import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  type _Object,
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { mintId } from '../../ids.ts'
import {
  type BlobPart,
  type BlobStore,
  type PartedBlobs,
  requireFileId,
  requirePart,
  type StagedBlob,
} from '../blob-store.ts'
import { isChangedBefore } from '../changed-before.ts'
import { isAbsent } from '../file-errors.ts'
import type { MediaSource } from '../media-source.ts'
import { asStorageError, type Bucket, objectSize, requireRemoved, sentByS3 } from './bucket.ts'
import { readObject } from './object-reader.ts'
import { ObjectWriter } from './object-writer.ts'
import { PartedObjects } from './parted-objects.ts'
import { RangeServer } from './range-server.ts'
import { StagedObject } from './staged-object.ts'

/**
 * Blobs in a bucket: `files/<2 hex digits>/<id>/<part>` below its prefix, spread by the hash of the id. A recording is
 * uploaded under the id of its future file, so nothing is copied or renamed; until its row exists it is an orphan.
 */
export class S3BlobStore implements BlobStore {
  readonly resumed: PartedBlobs
  readonly #bucket: Bucket
  readonly #scratch: string
  readonly #ranges = new RangeServer()

  /** @param scratch a directory of this machine */
  constructor(bucket: Bucket, scratch: string) {
    this.#bucket = bucket
    this.#scratch = scratch
    this.resumed = new PartedObjects(bucket, (fileId) => this.#key(fileId, 'media'), this)
  }

  /** Creates the directory of this machine. */
  async start(): Promise<void> {
    await mkdir(this.#scratch, { recursive: true, mode: 0o700 })
  }

  async stage(): Promise<StagedBlob> {
    const fileId = mintId('f')
    return new StagedObject(fileId, new ObjectWriter(this.#bucket, this.#key(fileId, 'media')), this)
  }

  async write(fileId: string, part: BlobPart, content: Readable | Uint8Array | string): Promise<void> {
    const writer = new ObjectWriter(this.#bucket, this.#key(fileId, part))
    const source = content instanceof Readable ? content : [content]
    try {
      for await (const chunk of source) await writer.append(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
      await writer.finish()
    } catch (error) {
      await writer.remove()
      throw error
    }
  }

  async place(fileId: string, part: BlobPart, path: string): Promise<void> {
    await this.write(fileId, part, createReadStream(path))
    await rm(path)
  }

  read(fileId: string, part: BlobPart, range?: { start: number; end: number }): Readable {
    return Readable.from(readObject(this.#bucket, this.#key(fileId, part), range), { objectMode: false })
  }

  async size(fileId: string, part: BlobPart): Promise<number | null> {
    return await objectSize(this.#bucket, this.#key(fileId, part))
  }

  localPath(): null {
    return null
  }

  async withMedia<Result>(fileId: string, work: (source: MediaSource) => Promise<Result>): Promise<Result> {
    const bytes = (await this.size(fileId, 'media')) ?? 0
    const key = this.#key(fileId, 'media')
    const read = (range: { start: number; end?: number }) => readObject(this.#bucket, key, range)
    const head = (length: number) =>
      bytes === 0 ? Promise.resolve(Buffer.alloc(0)) : concatenate(read({ start: 0, end: Math.min(length, bytes) - 1 }))
    return await this.#ranges.offer(bytes, read, (url) => work({ url, bytes, head }))
  }

  temporary(): string {
    return join(this.#scratch, randomUUID())
  }

  async remove(fileId: string, only = ''): Promise<void> {
    const { client, bucket: Bucket } = this.#bucket
    for await (const { Key } of this.#list(this.#home(fileId) + only)) {
      try {
        requireRemoved(await client.send(new DeleteObjectCommand({ Bucket, Key })))
      } catch (error) {
        throw asStorageError(error, this.#bucket)
      }
    }
  }

  async *ids(changedBefore = Number.POSITIVE_INFINITY): AsyncIterable<string> {
    const prefix = `${this.#bucket.prefix}files/`
    let [last, isOld] = ['', false]
    // The parts of a file are listed consecutively.
    for await (const { Key = '', LastModified } of this.#list(prefix)) {
      const id = Key.slice(prefix.length).split('/')[1] ?? ''
      if (id !== last && isOld) yield last
      isOld = (id !== last || isOld) && (LastModified?.getTime() ?? 0) < changedBefore
      last = id
    }
    if (isOld) yield last
  }

  async removeStaged(changedBefore: number, kept: ReadonlySet<string>): Promise<void> {
    const { client, bucket: Bucket } = this.#bucket
    for await (const { Key, UploadId, Initiated } of this.#unfinished()) {
      if ((Initiated?.getTime() ?? 0) < changedBefore && !kept.has(Key?.split('/').at(-2) ?? '')) {
        requireRemoved(await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })))
      }
    }
    for (const name of await readdir(this.#scratch)) {
      const path = join(this.#scratch, name)
      if (await isChangedBefore(path, changedBefore)) await rm(path, { recursive: true, force: true })
    }
  }

  #home(fileId: string): string {
    const spread = createHash('sha256').update(requireFileId(fileId)).digest('hex').slice(0, 2)
    return `${this.#bucket.prefix}files/${spread}/${fileId}/`
  }

  #key(fileId: string, part: BlobPart): string {
    return this.#home(fileId) + requirePart(part)
  }

  async *#list(Prefix: string): AsyncGenerator<_Object> {
    const { client, bucket: Bucket } = this.#bucket
    try {
      for await (const { Name, Contents } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
        // A web server's page would look like an empty bucket.
        sentByS3(Name)
        yield* Contents ?? []
      }
    } catch (error) {
      throw asStorageError(error, this.#bucket)
    }
  }

  async *#unfinished() {
    const { client, bucket: Bucket, prefix: Prefix } = this.#bucket
    let page: Partial<ListMultipartUploadsCommandOutput> = {}
    do {
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
      page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, KeyMarker, UploadIdMarker }))
      sentByS3(page.Bucket)
      yield* page.Uploads ?? []
    } while (page.IsTruncated === true)
  }
}

async function concatenate(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  try {
    for await (const chunk of chunks) all.push(chunk)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
  return Buffer.concat(all)
}
