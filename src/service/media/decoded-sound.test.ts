import { existsSync } from 'node:fs'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from './blob-store.ts'
import { decode } from './decode.ts'
import { DecodedSound, removeDecodedSound } from './decoded-sound.ts'
import { openFsBlobStore } from './fs-blob-store.ts'
import { runFfmpeg } from './testing/make-sample.ts'
import { storedPath } from './testing/stored-path.ts'

const never = new AbortController().signal

let directory: string
let blobs: BlobStore
let whole: Int16Array
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-sound-'))
  blobs = await openFsBlobStore(directory)
  await blobs.write('f1', 'media', '')
  const sweep = "aevalsrc='0.4*sin(2*PI*(200+90*t)*t)':s=44100:d=40"
  runFfmpeg('-f', 'lavfi', '-i', sweep, '-f', 'mp3', '-y', storedPath(blobs, 'f1', 'media'))
  whole = await samplesOf(decode(storedPath(blobs, 'f1', 'media'), { signal: never }).pcm)
})
afterAll(() => rm(directory, { recursive: true }))

async function samplesOf(pcm: AsyncIterable<Int16Array>): Promise<Int16Array> {
  const chunks: Uint8Array[] = []
  for await (const samples of pcm) chunks.push(new Uint8Array(samples.buffer))
  return new Int16Array(Uint8Array.from(Buffer.concat(chunks)).buffer)
}

describe('the kept sound of a recording', () => {
  it('is what a decoding gives, from any place, while it is being decoded and after a restart', async () => {
    for (const run of ['decoding', 'found']) {
      expect(existsSync(storedPath(blobs, 'f1', 'sound'))).toBe(run === 'found')
      const sound = await DecodedSound.open(blobs, 'f1', never)
      const reads = [0, 10, 12_340, 39_990, 90_000].map(async (ms) => {
        expect(await samplesOf(sound.read(ms)), `${run} from ${ms}`).toEqual(whole.subarray(ms * 16))
      })
      await Promise.all(reads)
      expect(await sound.outcome).toEqual({ decodedMs: Math.floor(whole.length / 16), ok: true, missing: false })
      await sound.close()
    }
    await removeDecodedSound(blobs, 'f1')
    expect(existsSync(storedPath(blobs, 'f1', 'sound'))).toBe(false)
  })

  it('is decoded again where it was interrupted', async () => {
    const stop = new AbortController()
    const first = await DecodedSound.open(blobs, 'f1', stop.signal)
    stop.abort(new DOMException('The service ends.', 'AbortError'))
    await expect(samplesOf(first.read(0))).rejects.toThrow('The service ends.')
    await first.close()
    expect(existsSync(storedPath(blobs, 'f1', 'sound'))).toBe(false)
    const second = await DecodedSound.open(blobs, 'f1', never)
    expect(await samplesOf(second.read(30_000))).toEqual(whole.subarray(30_000 * 16))
    await second.close()
    await removeDecodedSound(blobs, 'f1')
  })

  it('does not wait for a decoding that nobody needs any more', async () => {
    const sound = await DecodedSound.open(blobs, 'f1', never)
    const reading = samplesOf(sound.read(0))
    reading.catch(() => {})
    await sound.close()
    expect(existsSync(storedPath(blobs, 'f1', 'sound'))).toBe(false)
  })

  it('throws where the file was truncated, instead of waiting for more', async () => {
    const sound = await DecodedSound.open(blobs, 'f1', never)
    await samplesOf(sound.read(0))
    await truncate(storedPath(blobs, 'f1', 'sound'), 1_000)
    await expect(samplesOf(sound.read(0))).rejects.toThrow('cut short')
    await sound.close()
    await removeDecodedSound(blobs, 'f1')
  })
})
