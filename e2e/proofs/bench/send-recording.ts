import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { unlessShort } from './short.ts'
import { wavHeader } from './wav-header.ts'

const boundary = '----ParleyBench7MA4YWxkTrZu0gW'

const noise = randomBytes(1_048_576)

/** A recording of `bytes` bytes, chunk by chunk. */
export function* recordingOf(bytes: number): Generator<Buffer> {
  yield wavHeader(bytes - 44)
  for (let left = bytes - 44; left > 0; left -= noise.byteLength)
    yield noise.subarray(0, Math.min(left, noise.byteLength))
}

/** A multipart form with one recording. */
function* formOf(bytes: number): Generator<Buffer> {
  yield Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.wav"\r\nContent-Type: audio/wav\r\n\r\n`,
  )
  yield* recordingOf(bytes)
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

export function streamOf(chunks: Iterable<Buffer>): Readable {
  return Readable.from(chunks, { objectMode: false, highWaterMark: 1_048_576 })
}

/** Posts a form with a recording. @returns seconds until the response, and its body */
export async function sendForm(url: URL, bytes: number, key: string): Promise<{ seconds: number; body: string }> {
  const startedAt = performance.now()
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, authorization: authorization(key) }
  const sending = request(url, { method: 'POST', agent: false, headers })
  const answered = once(sending, 'response')
  await pipeline(streamOf(formOf(bytes)), sending)
  const [response] = await answered
  const body = await text(response)
  if (response.statusCode !== 201) throw new Error(`The upload was answered ${response.statusCode}: ${body}`)
  return { seconds: (performance.now() - startedAt) / 1_000, body }
}

/** Bytes of the option `--size`; 2 GB by default. */
export function readSize(text: string | undefined): number {
  const match = /^(\d+)(m|g)$/.exec(text ?? unlessShort('2g', '10m'))
  if (match === null) throw new Error('--size takes a number of megabytes or gigabytes, as 200m or 10g.')
  return Number(match[1]) * (match[2] === 'g' ? 1_000_000_000 : 1_000_000)
}
