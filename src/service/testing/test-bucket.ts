import { randomBytes } from 'node:crypto'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import { openBucket } from '../platform/media/s3/bucket.ts'
import type { S3Config } from '../platform/media/s3/s3-config.ts'
import { gatewayUser } from './start-gateway.ts'

/** Where the SDK looks for credentials first. */
process.env.AWS_ACCESS_KEY_ID = gatewayUser.accessKeyId
process.env.AWS_SECRET_ACCESS_KEY = gatewayUser.secretAccessKey

/** For tests: an empty bucket of its own. */
export async function makeBucket(): Promise<S3Config> {
  const endpoint = new URL(inject('s3Endpoint'))
  const bucket = `b${randomBytes(8).toString('hex')}`
  const config = { bucket, prefix: 'parley/', endpoint, region: 'us-east-1', isPathStyle: true }
  await openBucket(config).client.send(new CreateBucketCommand({ Bucket: config.bucket }))
  return config
}
