import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { asStorageError, type Bucket } from './bucket.ts'
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

type SentPart = { PartNumber: number; ETag: string | undefined }

/**
 * Writes one object: a multipart upload of what is longer than a part, one part under way while the next one fills. There
 * is no object before `finish`.
 */
export class ObjectWriter {
  readonly #bucket: Bucket
  readonly #object: { Bucket: string; Key: string }
  #gathered: Uint8Array[] = []
  #gatheredBytes = 0
  #uploadId: string | undefined
  #parts: SentPart[] = []
  #sending: Promise<void> = Promise.resolve()
  #isFinished = false
  #bytes = 0

  constructor(bucket: Bucket, key: string) {
    this.#bucket = bucket
    this.#object = { Bucket: bucket.bucket, Key: key }
  }

  /** appended so far */
  get bytes(): number {
    return this.#bytes
  }

  /** Appends; resolves once the caller may append more. @throws ServiceError 503, 507 */
  async append(chunk: Uint8Array): Promise<void> {
    this.#gathered.push(chunk)
    this.#gatheredBytes += chunk.byteLength
    this.#bytes += chunk.byteLength
    if (this.#gatheredBytes >= partBytes) await this.#sendFull()
  }

  /** Makes the object of all that was appended. @throws ServiceError 503, 507; there is none then */
  async finish(): Promise<void> {
    await this.#sending
    const { client } = this.#bucket
    const Body = Buffer.concat(this.#gathered)
    this.#gathered = []
    try {
      if (this.#uploadId === undefined) {
        await inTurn(() => client.send(new PutObjectCommand({ ...this.#object, Body, ContentLength: Body.byteLength })))
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
    this.#gathered = []
    await this.#sending.catch(() => undefined)
    const upload = this.#uploadId
    const removed = this.#isFinished
      ? client.send(new DeleteObjectCommand(this.#object))
      : upload && client.send(new AbortMultipartUploadCommand({ ...this.#object, UploadId: upload }))
    await Promise.resolve(removed).catch(() => undefined)
  }

  /** Waits for the parts before, so that no more than two are in memory. */
  async #sendFull(): Promise<void> {
    await this.#sending
    const all = Buffer.concat(this.#gathered)
    const whole = all.byteLength - (all.byteLength % partBytes)
    this.#gathered = [Buffer.from(all.subarray(whole))]
    this.#gatheredBytes = all.byteLength - whole
    this.#sending = this.#sendParts(all.subarray(0, whole))
    this.#sending.catch(() => undefined) // the next call throws it
  }

  async #sendParts(content: Buffer): Promise<void> {
    try {
      this.#uploadId ??= await this.#begin()
      for (let at = 0; at < content.byteLength; at += partBytes) {
        await this.#sendPart(content.subarray(at, at + partBytes))
      }
    } catch (error) {
      throw asStorageError(error, this.#bucket)
    }
  }

  async #begin(): Promise<string | undefined> {
    return (await this.#bucket.client.send(new CreateMultipartUploadCommand(this.#object))).UploadId
  }

  async #sendPart(Body: Buffer): Promise<void> {
    const PartNumber = this.#parts.length + 1
    const part = { ...this.#object, UploadId: this.#uploadId, PartNumber, Body, ContentLength: Body.byteLength }
    const { ETag } = await inTurn(() => this.#bucket.client.send(new UploadPartCommand(part)))
    this.#parts.push({ PartNumber, ETag })
  }

  /** Where the answer is lost, the object says whether it is done. */
  async #complete(UploadId: string): Promise<void> {
    const MultipartUpload = { Parts: this.#parts }
    try {
      await this.#bucket.client.send(new CompleteMultipartUploadCommand({ ...this.#object, UploadId, MultipartUpload }))
    } catch (error) {
      if ((await objectSize(this.#bucket, this.#object.Key).catch(() => null)) !== this.#bytes) throw error
    }
  }
}
