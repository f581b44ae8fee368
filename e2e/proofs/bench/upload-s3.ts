import { availableParallelism } from 'node:os'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { openBucket } from '../../../src/service/platform/media/s3/bucket.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { freePort, gatewayUser } from '../../../src/service/testing/start-gateway.ts'
import { Cluster } from '../cluster/cluster.ts'
import { keepToCores } from './keep-to-cores.ts'
import { type Bench, type Measurement, median } from './measurement.ts'
import { memoryMb } from './process-memory.ts'
import { readSize, recordingOf, sendForm, streamOf } from './send-recording.ts'
import { unlessShort } from './short.ts'

/** Above this, the gateway takes only multipart uploads. */
const largestPut = 5_000_000_000

const cores = availableParallelism()

/** Pins this process and its future children to a range of cores. */
function keepTo(first: number, end: number): void {
  if (cores > 1) keepToCores(process.pid, `${first}-${end - 1}`)
}

/**
 * Upload of a long recording through an API node of a cluster into a bucket (Ceph, objects in memory), against a direct
 * PUT of the same bytes to the gateway, interleaved. Gateway and database have half of the cores, as they have separate
 * machines in production; node and client have the others. `--size 10g` (default 2g): above 5 GB the gateway takes no
 * PUT, and only memory is measured. `--rounds 3`. Needs `npm run setup -- --scale`, and memory for the uploaded bytes.
 */
export const benchUploadS3: Bench = async ({ size, rounds = unlessShort('3', '1') }) => {
  const bytes = readSize(size)
  const put: number[] = []
  const route: number[] = []
  let growthMb = 0
  keepTo(0, cores >> 1)
  await Cluster.with({ RECOGNIZER: 'sherpa' }, async (cluster) => {
    keepTo(cores >> 1, cores)
    cluster.migrate()
    const node = await cluster.node('api', await freePort())
    const { key } = await node.createAccount()
    const s3 = { bucket: 'parley', prefix: '', region: 'us-east-1', isPathStyle: true }
    const { client } = openBucket({ ...s3, endpoint: new URL(cluster.env.S3_ENDPOINT ?? '') }, gatewayUser)
    const files = new URL('v1/files', node.url)
    await sendForm(files, 1_000_000, key)
    for (let round = 0; round < Number(rounds); round += 1) {
      if (bytes <= largestPut) {
        const body = { Body: streamOf(recordingOf(bytes)), ContentLength: bytes }
        const startedAt = performance.now()
        await client.send(new PutObjectCommand({ Bucket: s3.bucket, Key: 'bench', ...body }))
        put.push(bytes / 1e3 / (performance.now() - startedAt))
      }
      const beforeMb = memoryMb(node.pid, 'VmRSS')
      const { seconds, body } = await sendForm(files, bytes, key)
      growthMb = Math.max(growthMb, memoryMb(node.pid, 'VmHWM') - beforeMb)
      route.push(bytes / 1e6 / seconds)
      await askApi(node.url, key, `file/${(JSON.parse(body) as { id: string }).id}`, { method: 'DELETE' })
    }
    await cluster.stop()
  }).finally(() => keepTo(0, cores))
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
