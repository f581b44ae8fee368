import { randomUUID } from 'node:crypto'
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { StartError } from '../../start-error.ts'
import type { BlobStore, RecordingsPlace } from '../blob-store.ts'
import { type Bucket, describeError, isNoSuchKey, openBucket, type S3Config } from './bucket.ts'
import { S3BlobStore } from './s3-blob-store.ts'

const markName = 'recordings-of'

/** A web server's response may be read as an empty list. */
async function hasBlobs({ client, bucket, prefix, endpoint }: Bucket): Promise<boolean> {
  const { Name, KeyCount } = await client.send(
    new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}files/`, MaxKeys: 1 }),
  )
  if (Name === undefined) throw new StartError(`The S3 server ${endpoint?.host ?? ''} does not answer as S3 does.`)
  return (KeyCount ?? 0) > 0
}

/** Writes and removes an object, as the service will. */
async function requireWritable({ client, bucket: Bucket, prefix }: Bucket): Promise<void> {
  const probe = { Bucket, Key: `${prefix}probe-${randomUUID()}` }
  await client.send(new PutObjectCommand({ ...probe, Body: 'x' }))
  await client.send(new DeleteObjectCommand(probe))
}

function toRecordingsPlace(bucket: Bucket): RecordingsPlace {
  const mark = { Bucket: bucket.bucket, Key: bucket.prefix + markName }
  return {
    name: `s3://${bucket.bucket}/${bucket.prefix}`,
    hasRecordings: () => hasBlobs(bucket),
    async readMark() {
      try {
        const { Body } = await bucket.client.send(new GetObjectCommand(mark))
        return Body === undefined ? null : await Body.transformToString()
      } catch (error) {
        if (isNoSuchKey(error)) return null
        throw error
      }
    },
    async writeMark(value) {
      await bucket.client.send(new PutObjectCommand({ ...mark, Body: value }))
    },
  }
}

async function openStore(bucket: Bucket, scratch: string): Promise<BlobStore> {
  const store = new S3BlobStore(bucket, scratch)
  await store.start()
  return store
}

/**
 * Verifies that a bucket can be read and written, for blobs.
 * @param scratch a directory of this machine
 * @throws StartError, in one sentence, if the bucket cannot be used
 */
export async function openS3(
  config: S3Config,
  scratch: string,
): Promise<{ place: RecordingsPlace; open(): Promise<BlobStore> }> {
  const bucket = openBucket(config)
  try {
    await hasBlobs(bucket)
    await requireWritable(bucket)
    return { place: toRecordingsPlace(bucket), open: () => openStore(bucket, scratch) }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(describeError(error, config), { cause: error })
  }
}
