import { AbortMultipartUploadCommand, CreateMultipartUploadCommand } from '@aws-sdk/client-s3'
import type { BegunBlob, BlobStore, PartedBlobs, PartHooks, PartWriter, StagedBlob } from '../blob-store.ts'
import { asStorageError, type Bucket, requireRemoved, sentByS3 } from './bucket.ts'
import { ObjectWriter } from './object-writer.ts'
import { StagedObject } from './staged-object.ts'

/** A complete upload sends no parts. */
const noParts: PartHooks = {
  onBegin: () => Promise.reject(new Error('the recording is complete')),
  onPart: () => Promise.reject(new Error('the recording is complete')),
}

/** Recordings that arrive in parts, each a multipart upload under the id of its future file. */
export class PartedObjects implements PartedBlobs {
  readonly #bucket: Bucket
  readonly #keyOf: (fileId: string) => string
  readonly #store: BlobStore

  constructor(bucket: Bucket, keyOf: (fileId: string) => string, store: BlobStore) {
    this.#bucket = bucket
    this.#keyOf = keyOf
    this.#store = store
  }

  async begin(fileId: string): Promise<string> {
    const { client, bucket: Bucket } = this.#bucket
    try {
      const begun = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: this.#keyOf(fileId) }))
      return sentByS3(begun.UploadId)
    } catch (error) {
      throw asStorageError(error, this.#bucket)
    }
  }

  resume(blob: BegunBlob, hooks: PartHooks): PartWriter {
    return this.#writer(blob, hooks)
  }

  stage(blob: BegunBlob): StagedBlob {
    return new StagedObject(blob.fileId, this.#writer(blob, noParts), this.#store, true)
  }

  async abort(fileId: string, multipartId: string): Promise<void> {
    const { client, bucket: Bucket } = this.#bucket
    const upload = { Bucket, Key: this.#keyOf(fileId), UploadId: multipartId }
    requireRemoved(await client.send(new AbortMultipartUploadCommand(upload)))
  }

  #writer({ fileId, multipartId, parts }: BegunBlob, hooks: PartHooks): ObjectWriter {
    return new ObjectWriter(this.#bucket, this.#keyOf(fileId), { multipartId, parts, hooks })
  }
}
