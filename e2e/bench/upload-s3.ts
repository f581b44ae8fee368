import { createHash, createHmac } from 'node:crypto'
import { askApi } from '../../src/service/testing/ask-api.ts'
import { freePort, gatewayUser } from '../../src/service/testing/start-gateway.ts'
import { Cluster } from '../cluster/cluster.ts'
import { type Bench, type Measurement, median } from './measurement.ts'
import { memoryMb } from './process-memory.ts'
import { putRecording, readSize, sendForm } from './send-recording.ts'
import { unlessShort } from './short.ts'

/** More the gateway takes in parts alone. */
const largestPut = 5_000_000_000

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** An address that an object can be sent to without credentials: signed by itself, its bytes are not. */
function signedPut(endpoint: string, path: string): URL {
  const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const scope = [date.slice(0, 8), 'us-east-1', 's3', 'aws4_request']
  const url = new URL(path, endpoint)
  url.search = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': [gatewayUser.accessKeyId, ...scope].join('/'),
    'X-Amz-Date': date,
    'X-Amz-Expires': '3600',
    'X-Amz-SignedHeaders': 'host',
  }).toString()
  const asked = ['PUT', url.pathname, url.search.slice(1), `host:${url.host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const hash = createHash('sha256').update(asked).digest('hex')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${gatewayUser.secretAccessKey}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), hash].join('\n'))
  url.searchParams.append('X-Amz-Signature', signature.toString('hex'))
  return url
}

/**
 * Upload of a long recording through an API node of a cluster into a bucket (Ceph, objects in memory), against a PUT of the
 * same bytes that is sent to the gateway itself, in turns. `--size 10g` (default 2g): above 5 GB the gateway takes no PUT, and
 * memory alone is measured. `--rounds 3`. Needs `npm run setup -- --scale`, and memory for what is sent.
 */
export const benchUploadS3: Bench = async ({ size, rounds = unlessShort('3', '1') }) => {
  const bytes = readSize(size)
  const put: number[] = []
  const route: number[] = []
  let growthMb = 0
  await Cluster.with({ RECOGNISER: 'sherpa' }, async (cluster) => {
    cluster.migrate()
    const node = await cluster.node('api', await freePort())
    const { key } = await node.createAccount()
    const files = new URL('v1/files', node.url)
    await sendForm(files, 1_000_000, key)
    for (let round = 0; round < Number(rounds); round += 1) {
      if (bytes <= largestPut) {
        const to = signedPut(cluster.env.S3_ENDPOINT ?? '', '/parley/bench')
        put.push(bytes / 1e6 / (await putRecording(to, bytes)).seconds)
      }
      const beforeMb = memoryMb(node.pid, 'VmRSS')
      const { seconds, body } = await sendForm(files, bytes, key)
      growthMb = Math.max(growthMb, memoryMb(node.pid, 'VmHWM') - beforeMb)
      route.push(bytes / 1e6 / seconds)
      await askApi(node.url, key, `file/${(JSON.parse(body) as { id: string }).id}`, { method: 'DELETE' })
    }
    await cluster.stop()
  })
  const growth = { what: 'peak memory growth of the API node', value: growthMb, unit: 'MB', goal: { atMost: 130 } }
  const through = { what: 'through the API', value: median(route), unit: 'MB/s' }
  if (put.length === 0) return [through, growth] satisfies Measurement[]
  return [
    { what: "the gateway's own PUT", value: median(put), unit: 'MB/s' },
    through,
    {
      what: "through the API of the gateway's own PUT",
      value: median(route) / median(put),
      unit: '',
      goal: { atLeast: 0.7 },
    },
    growth,
  ] satisfies Measurement[]
}
