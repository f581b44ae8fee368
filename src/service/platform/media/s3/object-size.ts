import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { asStorageError, type Bucket, isNoSuchKey, isNotFound, sentByS3 } from './bucket.ts'

/** Size of an object in bytes, null if there is none. @throws StorageAwayError, too, if there is no bucket */
export async function objectSize(bucket: Bucket, Key: string): Promise<number | null> {
  const object = { Bucket: bucket.bucket, Key }
  try {
    const head = await bucket.client.send(new HeadObjectCommand(object)).catch((error: unknown) => {
      // The response to HEAD has no body that distinguishes an absent object from an absent bucket.
      if (!isNotFound(error)) throw error
      return bucket.client.send(new GetObjectCommand({ ...object, Range: 'bytes=0-0' }))
    })
    sentByS3(head.ETag)
    return head.ContentLength ?? 0
  } catch (error) {
    if (isNoSuchKey(error)) return null
    throw asStorageError(error, bucket)
  }
}
