/** Blob storage other than the data directory. Credentials are found as the AWS SDK finds them. */
export type S3Config = {
  bucket: string
  /** before every key; empty, or ends in `/` */
  prefix: string
  /** null: Amazon's */
  endpoint: URL | null
  region: string
  /** the bucket is in the path of the URL instead of its host name */
  isPathStyle: boolean
}
