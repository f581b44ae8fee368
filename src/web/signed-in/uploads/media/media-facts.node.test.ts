import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MediaExtension, mediaExtensions, mediaFormats } from '../../../../contract/interface/media-formats.ts'
import { probeMedia } from '../../../../service/platform/media/probe.ts'
import { makeSample } from '../../../../service/platform/media/testing/make-sample.ts'
import { runFfmpeg } from '../../../../service/platform/media/testing/run-ffmpeg.ts'
import type { ByteSource } from './bytes.ts'
import { inspect } from './inspect.ts'
import { readFacts } from './read-facts.ts'
import { headBytes, sniff } from './sniff.ts'
import { isOfTwoSpeakers } from './two-speakers.ts'

let directory: string
const samples = {} as Record<MediaExtension, string>

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-facts-'))
  for (const extension of mediaExtensions) samples[extension] = makeSample(directory, extension)
})
afterAll(() => rmSync(directory, { recursive: true }))

function bufferSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    read: async (start, length) => {
      // Copied, like a slice of a Blob: a parser that reads outside its own request fails here, too.
      return new DataView(Uint8Array.from(bytes.subarray(start, start + length)).buffer)
    },
  }
}

const fileSource = (path: string): ByteSource => bufferSource(readFileSync(path))

describe.each(mediaExtensions)('%s', (extension) => {
  it('has the kind, sound and length that the service will charge', async () => {
    const inspection = await inspect(fileSource(samples[extension]), `Interview.${extension}`)
    expect(inspection).toMatchObject({ format: extension, kind: mediaFormats[extension].kind, unreadable: false })
    expect(inspection.hasSound).toBe(true)
    const { durationMs } = await probeMedia(samples[extension], { contentType: undefined, fileName: `a.${extension}` })
    // 100 ms is a third of a cent at the highest rate.
    expect(Math.abs((inspection.durationMs ?? 0) - durationMs)).toBeLessThanOrEqual(100)
  })

  it('is read without an error wherever it is cut off', async () => {
    const whole = readFileSync(samples[extension])
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (end) => {
        await readFacts(bufferSource(whole.subarray(0, end)), extension)
      }),
      { numRuns: 25 },
    )
  })
})

describe('sound tracks', () => {
  const tones = ['440', '550'].flatMap((hertz) => ['-f', 'lavfi', '-t', '3', '-i', `sine=frequency=${hertz}`])

  it.each(['mkv', 'mp4', 'mov'] as const)(
    'several in a %s are listed with title, language and default',
    async (extension) => {
      const path = join(directory, `tracks.${extension}`)
      const named = ['Host', 'Guest'].flatMap((title, at) => [`-metadata:s:a:${at}`, `title=${title}`])
      // ffmpeg knows the bibliographic name of QuickTime's code.
      const language = `language=${extension === 'mov' ? 'ger' : 'deu'}`
      const flags = ['-disposition:a:0', '0', '-disposition:a:1', 'default', '-metadata:s:a:1', language]
      runFfmpeg(...tones, '-map', '0', '-map', '1', ...named, ...flags, '-c:a', 'aac', path)
      const { tracks } = await inspect(fileSource(path), `a.${extension}`)
      expect(tracks).toEqual([
        { title: 'Host', language: expect.any(String), isDefault: false },
        { title: 'Guest', language: 'deu', isDefault: true },
      ])
    },
  )

  it.each(['aac', 'mp2', 'ac3', 'libopus'])('of %s in a transport stream are listed with language', async (codec) => {
    const path = join(directory, 'tracks.mts')
    const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu']
    const picture = ['-f', 'lavfi', '-i', 'testsrc=s=176x144:r=25:d=3', '-c:v', 'mpeg2video']
    const maps = ['-map', '0', '-map', '2', '-map', '1']
    runFfmpeg(...tones, ...picture, ...maps, ...languages, '-c:a', codec, '-f', 'mpegts', path)
    const { tracks } = await inspect(fileSource(path), 'a.mts')
    expect(tracks?.map(({ language }) => language)).toEqual(['eng', 'deu'])
  })

  it.each(['pcm_s16le', 'pcm_alaw', 'pcm_mulaw'])(
    'two channels of %s are two speakers if one is heard at a time',
    async (codec) => {
      const turns =
        'volume=0:enable=lt(mod(t\\,2)\\,1)[a];[1]volume=0:enable=gte(mod(t\\,2)\\,1)[b];[a][b]join=inputs=2'
      const [split, mixed] = [`[0]${turns}`, '[0][1]amix,asplit[a][b];[a][b]join=inputs=2']
      const found = await Promise.all(
        [split, mixed].map(async (graph, at) => {
          const path = join(directory, `channels-${at}-${codec}.wav`)
          runFfmpeg(...tones, '-filter_complex', graph, '-c:a', codec, path)
          return await isOfTwoSpeakers(fileSource(path), await inspect(fileSource(path), 'a.wav'))
        }),
      )
      expect(found).toEqual([true, false])
    },
  )

  it.each(['mp4', 'mkv', 'mpg', 'avi', 'mov', 'wmv', 'mxf', 'mts', 'flv', 'ogv', 'webm'] as const)(
    'a silent %s is recognized before it is sent',
    async (extension) => {
      const path = join(directory, `silent.${extension}`)
      const container = extension === 'mts' ? ['-f', 'mpegts'] : []
      runFfmpeg('-f', 'lavfi', '-i', 'testsrc=s=176x144:r=25:d=1', ...container, path)
      expect(await inspect(fileSource(path), `a.${extension}`)).toMatchObject({ format: extension, hasSound: false })
    },
  )
})

describe('longer recordings', () => {
  it.each([
    ['variable rate with a header', 'vbr.mp3', ['-c:a', 'libmp3lame', '-q:a', '4']],
    ['constant rate without a header', 'cbr.mp3', ['-c:a', 'libmp3lame', '-b:a', '96k', '-write_xing', '0']],
    ['low sampling rate', 'low.mp3', ['-c:a', 'libmp3lame', '-ar', '16000', '-b:a', '32k']],
    ['fragments', 'fragments.mp4', ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov+delay_moov']],
    ['header at the end', 'end.m4a', ['-c:a', 'aac', '-movflags', '-faststart']],
    ['plain AAC', 'long.aac', ['-c:a', 'aac', '-b:a', '64k']],
    ['Opus', 'long.opus', ['-c:a', 'libopus', '-b:a', '24k']],
    ['Opus in long packets, as in voice messages', 'long-packets.opus', ['-c:a', 'libopus', '-frame_duration', '60']],
    ['Speex in Ogg', 'speex.ogg', ['-ar', '16000', '-c:a', 'libspeex']],
    ['FLAC in Ogg', 'flac.ogg', ['-c:a', 'flac']],
    ['ADPCM, as dictation machines write it', 'adpcm.wav', ['-c:a', 'adpcm_ms']],
    ['MP3 in a WAVE file', 'mp3.wav', ['-c:a', 'libmp3lame']],
  ])('%s', async (_what, name, options) => {
    const path = join(directory, name)
    runFfmpeg('-f', 'lavfi', '-i', 'anoisesrc=d=61.5:r=44100:a=0.2', ...options, path)
    const { durationMs } = await inspect(fileSource(path), name)
    const charged = await probeMedia(path, { contentType: undefined, fileName: name })
    expect(Math.abs((durationMs ?? 0) - charged.durationMs)).toBeLessThanOrEqual(100)
  })
})

/** A recording with a hollow middle: its first and last bytes, zeros between them, 10 GB in all. */
function hollowSource(bytes: Uint8Array): ByteSource & { readBytes: number } {
  const size = 9_999_999_936 // a whole number of transport packets
  const tailStart = size - Math.floor(bytes.length / 2 / 192) * 192
  const source = {
    size,
    readBytes: 0,
    read: async (start: number, length: number) => {
      const part = new Uint8Array(Math.max(0, Math.min(length, size - start)))
      source.readBytes += part.length
      part.set(bytes.subarray(start, start + length))
      for (let at = Math.max(start, tailStart); at < start + part.length; at += 1) {
        part[at - start] = bytes[bytes.length - (size - at)] ?? 0
      }
      return new DataView(part.buffer)
    },
  }
  return source
}

describe('10 GB', () => {
  it.each(mediaExtensions)('of %s are known from a small part of them', async (extension) => {
    const source = hollowSource(readFileSync(samples[extension]))
    const { format, unreadable } = await inspect(source, `a.${extension}`)
    expect({ format, unreadable }).toEqual({ format: extension, unreadable: false })
    // AMR counts frames over 64 MiB, all others read less than 6 MB.
    expect(source.readBytes).toBeLessThan(extension === 'amr' ? 70_000_000 : 6_000_000)
  })
})

it('a transport stream of a day is not half a day backwards', async () => {
  const packets = [0, 86_399].map((beginsAt) => {
    const path = join(directory, `from-${beginsAt}.mts`)
    const sound = ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'mp2']
    runFfmpeg(...sound, '-output_ts_offset', String(beginsAt), '-f', 'mpegts', path)
    return readFileSync(path)
  })
  const [first = Buffer.alloc(0), last = Buffer.alloc(0)] = packets
  // Both ends, and nothing between them that could be read.
  const day = Buffer.concat([first, Buffer.alloc(188 * 20_000), last])
  const { durationMs } = await inspect(bufferSource(day), 'day.mts')
  expect(Math.abs((durationMs ?? 0) - 86_400_000)).toBeLessThan(200)
})

describe('files that are not recordings', () => {
  it.each([
    ['a document', '%PDF-1.7\n'],
    ['a slide show', 'PK\u0003\u0004\u0014\u0000'],
    ['a picture', '\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000'],
    ['text', 'Dear all,\nplease find the notes below.\n'],
    ['nothing', ''],
  ])('%s is recognized as such, whatever its name', (_what, text) => {
    const bytes = Uint8Array.from(text, (unit) => unit.charCodeAt(0))
    for (const extension of mediaExtensions) expect(sniff(new DataView(bytes.buffer), `a.${extension}`)).toBeNull()
  })

  it('random bytes are read without an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 4_000 }),
        fc.constantFrom(...mediaExtensions),
        async (bytes, extension) => {
          sniff(new DataView(Uint8Array.from(bytes).buffer), `a.${extension}`)
          await readFacts(bufferSource(bytes), extension)
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('names', () => {
  it('choose only among formats of one container', async () => {
    const named = async (sample: MediaExtension, name: string) =>
      sniff(await fileSource(samples[sample]).read(0, headBytes), name)
    expect(await named('wav', 'a.mp3')).toBe('wav')
    expect(await named('mp4', 'a.mov')).toBe('mov')
    expect(await named('aiff', 'a.aif')).toBe('aif')
    expect(await named('m4a', 'without an ending')).toBe('m4a')
    expect(await named('opus', 'a.ogg')).toBe('ogg')
  })
})
