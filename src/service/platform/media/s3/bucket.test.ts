import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
import { isSecureLine, openBucket } from './bucket.ts'

it.each([
  [null, true],
  ['https://s3.example.com', true],
  ['http://127.0.0.1:9000', true],
  ['http://localhost:9000', true],
  ['http://[::1]:9000', true],
  ['http://garage:3900', false],
  ['http://10.0.0.5:9000', false],
  ['http://127.0.0.1.example.com', false],
])('bytes to %s go through TLS or stay on this machine: %s', (endpoint, expected) => {
  expect(isSecureLine(endpoint === null ? null : new URL(endpoint))).toBe(expected)
})

it('the signature covers every request, but no body that nobody could change', async () => {
  const asked: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers)
    request.resume().on('end', () => response.setHeader('etag', '"e"').end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const config = { bucket: 'b', prefix: '', endpoint, region: 'us-east-1', isPathStyle: true }
  const { client } = openBucket(config, { accessKeyId: 'id', secretAccessKey: 'secret' })
  try {
    await client.send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: Buffer.from('some bytes') }))
    expect(asked.map((headers) => headers['x-amz-content-sha256'])).toEqual(['UNSIGNED-PAYLOAD'])
    expect(asked[0]?.authorization).toMatch(/SignedHeaders=.*x-amz-content-sha256.*Signature=/)
  } finally {
    client.destroy()
    server.close()
  }
})
