import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { PartHooks, PartWriter, StoredPart } from '../blob-store.ts'
import { asStorageError, type Bucket, sentByS3 } from './bucket.ts'
import { objectSize } from './object-size.ts'

/** All parts of an object but the last have it: some servers want equal ones. 10 GB are 1,193 of the 10,000 allowed. */
const partBytes = 8_388_608
/** Parts under way in this process: further uploads wait, and their clients with them. */
const mostParts = 16
let underWay = 0
const waiting: (() => void)[] = []

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (underWay < mostParts) underWay += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) underWay -= 1
    else next()
  }
}

/** A multipart upload that an earlier request began, and what it has of it. */
type Begun = { multipartId: string; parts: readonly StoredPart[]; hooks: PartHooks }

/**
 * Writes one object: a multipart upload of what is longer than a part, one part under way while the next one fills, in two
 * buffers that take turns. There is no object before `finish`.
 */
export class ObjectWriter implements PartWriter {
  readonly #bucket: Bucket
  readonly #object: { Bucket: string; Key: string }
  readonly #hooks: PartHooks | null
  #filling: Buffer | null = null
  #filled = 0
  /** of the part under way */
  #sent: Buffer | null = null
  #uploadId: string | undefined
  #parts: StoredPart[]
  #sending: Promise<void> = Promise.resolve()
  #isFinished = false
  #storedBytes: number
  #bytes: number

  constructor(bucket: Bucket, key: string, begun: Begun | null = null) {
    this.#bucket = bucket
    this.#object = { Bucket: bucket.bucket, Key: key }
    this.#hooks = begun?.hooks ?? null
    this.#uploadId = begun?.multipartId
    this.#parts = [...(begun?.parts ?? [])]
    this.#storedBytes = this.#parts.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#bytes = this.#storedBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  async append(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.byteLength > 0; ) {
      this.#filling ??= Buffer.allocUnsafeSlow(partBytes)
      const taken = rest.subarray(0, partBytes - this.#filled)
      this.#filling.set(taken, this.#filled)
      this.#filled += taken.byteLength
      this.#bytes += taken.byteLength
      rest = rest.subarray(taken.byteLength)
      if (this.#filled === partBytes) await this.#sendFull(this.#filling)
    }
  }

  async pause(isWhole: boolean): Promise<Uint8Array> {
    await this.#sending
    if (!isWhole || this.#filled === 0) return this.#rest()
    await this.#sendPart(this.#rest())
    return new Uint8Array()
  }

  /** Makes the object of all that was appended. @throws ServiceError 503, 507; there is none then */
  async finish(): Promise<void> {
    await this.#sending
    const { client } = this.#bucket
    const Body = this.#rest()
    try {
      if (this.#uploadId === undefined) {
        const whole = new PutObjectCommand({ ...this.#object, Body, ContentLength: Body.byteLength })
        sentByS3((await inTurn(() => client.send(whole))).ETag)
      } else {
        if (Body.byteLength > 0) await this.#sendPart(Body)
        await this.#complete(this.#uploadId)
      }
      this.#isFinished = true
    } catch (error) {
      throw asStorageError(error, this.#bucket)
    }
  }

  /** Leaves nothing behind. What cannot be removed now is removed once it is a day old. */
  async remove(): Promise<void> {
    const { client } = this.#bucket
    this.#rest()
    await this.#sending.catch(() => undefined)
    const upload = this.#uploadId
    const removed = this.#isFinished
      ? client.send(new DeleteObjectCommand(this.#object))
      : upload && client.send(new AbortMultipartUploadCommand({ ...this.#object, UploadId: upload }))
    await Promise.resolve(removed).catch(() => undefined)
  }

  /** What fills no part yet. */
  #rest(): Buffer {
    const rest = this.#filling?.subarray(0, this.#filled) ?? Buffer.alloc(0)
    this.#filling = null
    this.#filled = 0
    return rest
  }

  /** Waits for the part before, whose buffer fills next. */
  async #sendFull(full: Buffer): Promise<void> {
    await this.#sending
    this.#filling = this.#sent
    this.#filled = 0
    this.#sent = full
    this.#sending = this.#sendPart(full)
    this.#sending.catch(() => undefined) // the next call throws it
  }

  async #begin(): Promise<string> {
    return sentByS3((await this.#bucket.client.send(new CreateMultipartUploadCommand(this.#object))).UploadId)
  }

  async #sendPart(Body: Buffer): Promise<void> {
    const number = (this.#parts.at(-1)?.number ?? 0) + 1
    await this.#hooks?.onBegin(number)
    const part = { number, bytes: Body.byteLength, etag: await this.#send(number, Body) }
    this.#parts.push(part)
    this.#storedBytes += part.bytes
    await this.#hooks?.onPart(part, this.#storedBytes)
  }

  async #send(PartNumber: number, Body: Buffer): Promise<string> {
    try {
      this.#uploadId ??= await this.#begin()
      const part = { ...this.#object, UploadId: this.#uploadId, PartNumber, Body, ContentLength: Body.byteLength }
      const { ETag } = await inTurn(() => this.#bucket.client.send(new UploadPartCommand(part)))
      return sentByS3(ETag)
    } catch (error) {
      throw asStorageError(error, this.#bucket)
    }
  }

  /** Where the answer is lost, the object says whether it is done. */
  async #complete(UploadId: string): Promise<void> {
    const MultipartUpload = { Parts: this.#parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) }
    const complete = new CompleteMultipartUploadCommand({ ...this.#object, UploadId, MultipartUpload })
    try {
      sentByS3((await this.#bucket.client.send(complete)).ETag)
    } catch (error) {
      if ((await objectSize(this.#bucket, this.#object.Key).catch(() => null)) !== this.#bytes) throw error
    }
  }
}
