import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { makeBucket } from '../../../testing/test-bucket.ts'
import { blobStoreConformance } from '../testing/blob-store-conformance.ts'
import { openBucket } from './bucket.ts'
import { S3BlobStore } from './s3-blob-store.ts'

blobStoreConformance('a bucket', async () => {
  const besides = await mkdtemp(join(tmpdir(), 'parley-s3-'))
  const bucket = openBucket(await makeBucket())
  const open = async () => {
    const store = new S3BlobStore(bucket, join(besides, 'scratch'))
    await store.start()
    return store
  }
  return {
    store: await open(),
    reopen: open,
    async unkept() {
      const { Uploads } = await bucket.client.send(new ListMultipartUploadsCommand({ Bucket: bucket.bucket }))
      return (Uploads ?? []).map(({ Key = '' }) => Key)
    },
    close: () => rm(besides, { recursive: true, force: true }),
  }
})
