import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mediaExtensions } from '../../../contract/interface/media-formats.ts'
import { decodePeaks, encodePeaks } from '../../../contract/interface/peaks.ts'
import { decode, firstTrack } from './decode.ts'
import { openFsBlobStore } from './fs-blob-store.ts'
import { ensurePeaks, PeakMeter } from './peaks.ts'
import { makeSample } from './testing/make-sample.ts'
import { runFfmpeg } from './testing/run-ffmpeg.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-decode-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const never = new AbortController().signal

async function read(
  path: string,
  signal = never,
): Promise<{ samples: number; loudest: number; ok: boolean; ms: number }> {
  const { pcm, outcome } = decode(path, firstTrack, { signal })
  let samples = 0
  let loudest = 0
  for await (const chunk of pcm) {
    samples += chunk.length
    for (const sample of chunk) loudest = Math.max(loudest, Math.abs(sample))
  }
  const { ok, decodedMs } = await outcome
  return { samples, loudest, ok, ms: decodedMs }
}

describe('decoding', () => {
  it.each(mediaExtensions)('%s gives two seconds at 16 kHz', async (extension) => {
    const { samples, ok } = await read(makeSample(directory, extension))
    expect(ok).toBe(true)
    expect(Math.abs(samples / 16_000 - 2)).toBeLessThan(0.12)
  })

  it('mixes 8 channels at 8 kHz', async () => {
    const path = join(directory, 'eight.wav')
    runFfmpeg('-f', 'lavfi', '-i', 'sine=440:d=1:r=8000', '-filter:a', 'pan=7.1|c5=c0', path)
    const { samples, loudest } = await read(path)
    expect(Math.abs(samples - 16_000)).toBeLessThan(200)
    expect(loudest).toBeGreaterThan(100)
  })

  it('reads the intact part of a recording with a broken tail', async () => {
    const path = join(directory, 'broken.wav')
    runFfmpeg('-f', 'lavfi', '-i', 'sine=440:d=4', path)
    truncateSync(path, Math.floor(statSync(path).size / 2) + 1)
    const { ms } = await read(path)
    expect(Math.abs(ms - 2_000)).toBeLessThan(50)
  })

  it.each(['not media at all', ''])('reports that nothing of "%s" is readable', async (content) => {
    const path = join(directory, 'nothing.wav')
    writeFileSync(path, content)
    expect(await read(path)).toEqual({ samples: 0, loudest: 0, ok: false, ms: 0 })
  })

  it('does not follow a playlist', async () => {
    const path = join(directory, 'list.mp3')
    writeFileSync(path, `#EXTM3U\n#EXTINF:2,\n${makeSample(directory, 'aac')}\n#EXT-X-ENDLIST\n`)
    expect((await read(path)).samples).toBe(0)
  })

  it('stops when it is aborted', async () => {
    const path = join(directory, 'long.wav')
    runFfmpeg('-f', 'lavfi', '-i', 'sine=440:d=600:r=8000', path)
    const stop = new AbortController()
    const { pcm } = decode(path, firstTrack, { signal: stop.signal })
    await expect(async () => {
      for await (const chunk of pcm) if (chunk.length > 0) stop.abort()
    }).rejects.toThrow(/abort/)
  })
})

describe('peaks', () => {
  it('are the lowest and highest sample of each stretch, in 8 bits', () => {
    const meter = new PeakMeter(2, 8)
    meter.add(Int16Array.from([0, 32_767, -100, 50, 258]))
    meter.add(Int16Array.from([-32_768]))
    expect(meter.finish()).toEqual(Int8Array.from([0, 127, -127, 1]))
  })

  it('are stored once, small, and read back', async () => {
    const blobs = await openFsBlobStore(directory)
    const staged = await blobs.stage()
    await staged.append(readFileSync(makeSample(directory, 'flac')))
    await staged.keep('one')
    await ensurePeaks(blobs, { id: 'one', duration_ms: 2_000, sound: null }, never)
    const bytes = Buffer.concat(await blobs.read('one', 'peaks').toArray())
    const peaks = decodePeaks(bytes)
    expect(peaks?.length).toBe(80)
    expect(Math.max(...(peaks ?? []))).toBeGreaterThan(10)
    expect(peaks === null ? null : encodePeaks(peaks)).toEqual(new Uint8Array(bytes))
    expect(decodePeaks(bytes.subarray(0, 50))).toBeNull()
  })
})
