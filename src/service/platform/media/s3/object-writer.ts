import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { PartHooks, PartWriter, StoredPart } from '../blob-store.ts'
import { asStorageError, type Bucket, objectSize, sentByS3 } from './bucket.ts'

/** Size of all parts of an object but the last: some servers want equal ones. 10 GB are 1,193 of the 10,000 allowed. */
const partBytes = 8_388_608
/** Concurrency limit of this process: further uploads wait, and their clients with them (back-pressure). */
const mostParts = 16
/** The same for one object, if there is room: a single part leaves the server idle while it stores and answers. */
const mostPartsOfOne = 3
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

/** A multipart upload begun by an earlier request, with its parts so far. */
type Begun = { multipartId: string; parts: readonly StoredPart[]; hooks: PartHooks }

/**
 * Writes one object, as a multipart upload if it is longer than a part. Some parts are in progress while the next one
 * fills, in rotating buffers; they are recorded in order. There is no object before `finish`.
 */
export class ObjectWriter implements PartWriter {
  readonly #bucket: Bucket
  readonly #object: { Bucket: string; Key: string }
  readonly #hooks: PartHooks | null
  #filling: Buffer | null = null
  #filled = 0
  readonly #free: Buffer[] = []
  #uploadId: string | undefined
  #begun: Promise<string> | null = null
  #parts: StoredPart[]
  #lastNumber: number
  /** oldest first; none settles before those before it */
  #underWay: Promise<void>[] = []
  #lastSending: Promise<void> = Promise.resolve()
  #isFinished = false
  #isRemoved = false
  #storedBytes: number
  #bytes: number

  constructor(bucket: Bucket, key: string, begun: Begun | null = null) {
    this.#bucket = bucket
    this.#object = { Bucket: bucket.bucket, Key: key }
    this.#hooks = begun?.hooks ?? null
    this.#uploadId = begun?.multipartId
    this.#parts = [...(begun?.parts ?? [])]
    this.#lastNumber = this.#parts.at(-1)?.number ?? 0
    this.#storedBytes = this.#parts.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#bytes = this.#storedBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  async append(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.byteLength > 0; ) {
      this.#filling ??= this.#free.pop() ?? Buffer.allocUnsafeSlow(partBytes)
      const taken = rest.subarray(0, partBytes - this.#filled)
      this.#filling.set(taken, this.#filled)
      this.#filled += taken.byteLength
      this.#bytes += taken.byteLength
      rest = rest.subarray(taken.byteLength)
      if (this.#filled === partBytes) await this.#sendFull(this.#filling)
    }
  }

  async pause(isWhole: boolean): Promise<Uint8Array> {
    await this.#lastSending
    if (!isWhole || this.#filled === 0) return this.#rest()
    await this.#beginPart(this.#rest())
    return new Uint8Array()
  }

  /** Creates the object from everything appended. @throws ServiceError 503, 507; there is none then */
  async finish(): Promise<void> {
    await this.#lastSending
    const { client } = this.#bucket
    const Body = this.#rest()
    try {
      if (this.#uploadId === undefined) {
        const whole = new PutObjectCommand({ ...this.#object, Body, ContentLength: Body.byteLength })
        sentByS3((await inTurn(() => client.send(whole))).ETag)
      } else {
        if (Body.byteLength > 0) await this.#beginPart(Body)
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
    this.#isRemoved = true
    this.#rest()
    await this.#begun?.catch(() => undefined)
    await this.#lastSending.catch(() => undefined)
    const upload = this.#uploadId
    const removed = this.#isFinished
      ? client.send(new DeleteObjectCommand(this.#object))
      : upload && client.send(new AbortMultipartUploadCommand({ ...this.#object, UploadId: upload }))
    await Promise.resolve(removed).catch(() => undefined)
  }

  /** The bytes that fill no part yet. */
  #rest(): Buffer {
    const rest = this.#filling?.subarray(0, this.#filled) ?? Buffer.alloc(0)
    this.#filling = null
    this.#filled = 0
    return rest
  }

  /** Resolves once another part may fill. */
  async #sendFull(full: Buffer): Promise<void> {
    this.#filling = null
    this.#filled = 0
    await this.#requireBegun()
    const isAllowed = () => this.#underWay.length < (underWay < mostParts ? mostPartsOfOne : 1)
    while (!isAllowed()) await this.#underWay.shift()
    if (this.#isRemoved) throw new Error('removed while it was being written')
    this.#underWay.push(this.#beginPart(full).then(() => void this.#free.push(full)))
    this.#underWay.at(-1)?.catch(() => undefined) // a later call throws it
  }

  async #requireBegun(): Promise<void> {
    if (this.#uploadId !== undefined) return
    this.#begun = this.#begin() // `remove` waits for it: an upload whose id is on its way must be aborted, too
    this.#uploadId = await this.#begun
  }

  async #begin(): Promise<string> {
    try {
      return sentByS3((await this.#bucket.client.send(new CreateMultipartUploadCommand(this.#object))).UploadId)
    } catch (error) {
      throw asStorageError(error, this.#bucket)
    }
  }

  #beginPart(Body: Buffer): Promise<void> {
    this.#lastNumber += 1
    this.#lastSending = this.#sendPart(this.#lastNumber, Body, this.#lastSending)
    this.#lastSending.catch(() => undefined)
    return this.#lastSending
  }

  /** @param before the previous part: recorded first, so that the record has no gap */
  async #sendPart(number: number, Body: Buffer, before: Promise<void>): Promise<void> {
    const sending = this.#send(number, Body)
    // Waits for a part in progress even if its predecessor fails: nothing may arrive after `remove`.
    await Promise.allSettled([sending, before])
    await before
    const part = { number, bytes: Body.byteLength, etag: await sending }
    this.#parts.push(part)
    this.#storedBytes += part.bytes
    await this.#hooks?.onPart(part, this.#storedBytes)
  }

  async #send(PartNumber: number, Body: Buffer): Promise<string> {
    await this.#hooks?.onBegin()
    try {
      const part = { ...this.#object, UploadId: this.#uploadId, PartNumber, Body, ContentLength: Body.byteLength }
      const { ETag } = await inTurn(() => this.#bucket.client.send(new UploadPartCommand(part)))
      return sentByS3(ETag)
    } catch (error) {
      throw asStorageError(error, this.#bucket)
    }
  }

  /** If the response is lost, the object shows whether it was completed. */
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
