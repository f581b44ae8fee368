import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Playback } from '../../contract/account/file-pages.ts'
import { decodePeaks } from '../../contract/interface/peaks.ts'
import type { Claim, PartPlayback } from '../../contract/work/parts.ts'
import { runFfmpeg } from '../platform/media/testing/run-ffmpeg.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { hire, typedOrder, type Worker, withClaim } from './testing/work-room.ts'

let kit: TestService
let typist: Worker
let id: string
beforeAll(async () => {
  kit = await startTestService()
  typist = await hire(kit, 'typist')
  id = await typedOrder(kit, await kit.account({ environment: 'live' }), 900)
})
afterAll(() => kit.close())

const playback = (claim: Claim) =>
  typist.read<PartPlayback>('POST', `parts/${claim.part}/playback`, undefined, withClaim(claim))
const bytesPerSecond = 32_000

test('a part plays with only ten seconds of context, by ranges, and has its own waveform', async () => {
  const [, second] = (await typist.read<{ parts: { id: string; start: number; end: number }[] }>('GET', 'queue')).parts
  const claim = await typist.take(second?.id)
  const { url, start, seconds } = await playback(claim)
  const [from, to] = [second?.start ?? 0, second?.end ?? 0]
  expect([start, seconds]).toEqual([from - 10, expect.closeTo(to - from + 20, 3)])
  const whole = await fetch(kit.address + url)
  const wav = new Uint8Array(await whole.arrayBuffer())
  expect([whole.status, whole.headers.get('content-type'), wav.length]).toEqual([
    200,
    'audio/wav',
    44 + seconds * bytesPerSecond,
  ])
  expect(Buffer.from(wav.subarray(0, 4)).toString()).toBe('RIFF')
  const range = await fetch(kit.address + url, { headers: { range: 'bytes=40-99' } })
  expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 40-99/${wav.length}`])
  expect(new Uint8Array(await range.arrayBuffer())).toEqual(wav.subarray(40, 100))
  const beyond = await fetch(kit.address + url, { headers: { range: `bytes=${wav.length}-` } })
  expect(beyond.status).toBe(416)
  await kit.until(async () => (await kit.platform.blobs.size(id, 'peaks')) !== null)
  const peaks = await typist.ask('GET', `parts/${claim.part}/peaks`, undefined, withClaim(claim))
  expect(decodePeaks(new Uint8Array(await peaks.arrayBuffer()))?.length).toBeGreaterThan(1_000)
  await typist.read('POST', `parts/${claim.part}/return`, { reason: 'other' }, withClaim(claim))
  expect((await fetch(kit.address + url)).status, 'given back').toBe(404)
})

test('a manual order has a listening copy without a recognizer, too', async () => {
  const { key } = await kit.account({ environment: 'live' })
  const path = join(kit.dataDir, 'whole.aiff')
  runFfmpeg('-f', 'lavfi', '-i', 'sine=d=40', path)
  const made = await kit.order(key, readFileSync(path), '', { name: 'whole.aiff' })
  kit.advance(16 * 60_000)
  const account = accountClient(kit.address, key)
  const copy = async () => (await account.read<Playback>('POST', `files/${made.id}/playback`)).copy
  expect(await copy()).toBe('coming')
  await expect.poll(copy, { timeout: 60_000 }).toBe('made')
})

test('audio streaming stops when the hold ends', async () => {
  const claim = await typist.take()
  const { url, seconds } = await playback(claim)
  const [answer] = (await once(get(kit.address + url), 'response')) as [IncomingMessage]
  let bytes = 0
  let ended = false
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    answer.pause()
  })
  answer
    .on('error', () => undefined)
    .on('close', () => {
      ended = true
    })
  await expect.poll(() => bytes).toBeGreaterThan(0)
  kit.advance(16 * 60_000)
  // It reads on slowly, like a player with a full buffer.
  await expect.poll(() => answer.resume() && ended, { interval: 20, timeout: 50_000 }).toBe(true)
  expect(bytes).toBeLessThan(seconds * bytesPerSecond)
  expect((await fetch(kit.address + url)).status).toBe(404)
})
