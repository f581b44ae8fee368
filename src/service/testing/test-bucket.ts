import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import { openBucket } from '../media/s3/bucket.ts'
import type { S3Config } from '../media/s3/s3-config.ts'
import { bucketName, gatewayUser } from './start-gateway.ts'

/** Where the SDK looks for credentials first. */
process.env.AWS_ACCESS_KEY_ID = gatewayUser.accessKeyId
process.env.AWS_SECRET_ACCESS_KEY = gatewayUser.secretAccessKey

/** For tests: a bucket of the run's gateway that is not there yet. */
export function bucketConfig(): S3Config {
  const endpoint = new URL(inject('s3Endpoint'))
  return { bucket: bucketName(), prefix: 'parley/', endpoint, region: 'us-east-1', isPathStyle: true }
}

/** For tests: an empty bucket of its own. */
export async function makeBucket(): Promise<S3Config> {
  const config = bucketConfig()
  await openBucket(config).client.send(new CreateBucketCommand({ Bucket: config.bucket }))
  return config
}
