import { randomBytes } from 'node:crypto'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import { openBucket, type S3Config } from '../platform/media/s3/bucket.ts'
import { gatewayUser } from './start-gateway.ts'

/** The SDK's first source of credentials. */
process.env.AWS_ACCESS_KEY_ID = gatewayUser.accessKeyId
process.env.AWS_SECRET_ACCESS_KEY = gatewayUser.secretAccessKey

/** For tests: a dedicated empty bucket. */
export async function makeBucket(): Promise<S3Config> {
  const endpoint = new URL(inject('s3Endpoint'))
  const bucket = `b${randomBytes(8).toString('hex')}`
  const config = { bucket, prefix: 'parley/', endpoint, region: 'us-east-1', isPathStyle: true }
  await openBucket(config).client.send(new CreateBucketCommand({ Bucket: config.bucket }))
  return config
}
