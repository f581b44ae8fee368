import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MediaExtension, mediaExtensions, mediaFormats } from '../../../contract/interface/media-formats.ts'
import { probeMedia } from './probe.ts'
import { makeSample } from './testing/make-sample.ts'
import { runFfmpeg } from './testing/run-ffmpeg.ts'

let directory: string
const samples = {} as Record<MediaExtension, string>

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-probe-'))
  for (const extension of mediaExtensions) samples[extension] = makeSample(directory, extension)
})
afterAll(() => rmSync(directory, { recursive: true }))

function made(name: string, content: string | Uint8Array): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

/** Extensions of the same content that ffprobe cannot distinguish without the file name or the declared type. */
const twins: Partial<Record<MediaExtension, MediaExtension>> = { mpeg: 'mpg', aif: 'aiff', m4v: 'mp4' }

describe.each(mediaExtensions)('%s', (extension) => {
  const [registered] = mediaFormats[extension].mimeTypes

  // Aliases and undeclared types go through the whole service in the conformance suite.
  it.each([`${registered.toUpperCase()}; codecs="x"`, undefined])(
    'is accepted when declared as %s',
    async (contentType) => {
      const facts = await probeMedia(samples[extension], { contentType, fileName: `Interview.${extension}` })
      expect(facts.extension).toBe(extension)
      expect(facts.kind).toBe(mediaFormats[extension].kind)
      expect(Math.abs(facts.durationMs - 2_000)).toBeLessThan(120)
      expect(facts.audioTracks).toBe(1)
      expect(facts.channels).toBeGreaterThan(0)
      expect(facts.sampleRate).toBeGreaterThan(0)
    },
  )

  it('is recognized by its content, whatever its name and declared type', async () => {
    const other = extension === 'wav' ? 'audio/mpeg' : 'audio/wav'
    const facts = await probeMedia(samples[extension], { contentType: other, fileName: 'notes.txt' })
    expect(facts.extension).toBe(twins[extension] ?? extension)
  })

  it('is refused with 415 if the declared type is not listed', async () => {
    await expect(
      probeMedia(samples[extension], { contentType: 'application/pdf', fileName: `a.${extension}` }),
    ).rejects.toMatchObject({ status: 415, message: expect.stringContaining('mp3, wav, wma') })
  })

  it('is a lie if the content is something else', async () => {
    const pdf = made('lie', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n<< >>\nendobj\n'.repeat(50))
    await expect(probeMedia(pdf, { contentType: registered, fileName: `a.${extension}` })).rejects.toMatchObject({
      status: 415,
    })
  })
})

describe('content that is not media', () => {
  const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'
  it.each([
    ['text', 'Dear all,\nplease find the notes of the meeting below.\n'.repeat(500)],
    ['a web page', '<!doctype html><title>Not found</title><p>Sorry.</p>'.repeat(100)],
    ['a playlist', playlist],
    ['a concatenation', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
    [
      'a session description',
      'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n',
    ],
    ['a DASH manifest', '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"></MPD>'],
    ['subtitles', '1\n00:00:00,000 --> 00:00:02,000\nHello\n\n'.repeat(20)],
    ['an archive', Buffer.from('504b0304140000000800', 'hex')],
    ['an image', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')],
    ['zeros', new Uint8Array(200_000)],
    ['one byte', 'x'],
    ['noise', Uint8Array.from({ length: 300_000 }, (_, index) => (index * index * 31 + (index >> 3) * 7) & 255)],
  ])('is refused with 415: %s', async (name, content) => {
    const path = made('no-media', content)
    for (const contentType of ['audio/mpeg', 'video/mp4', 'application/octet-stream']) {
      await expect(probeMedia(path, { contentType, fileName: `${name}.mp3` })).rejects.toMatchObject({ status: 415 })
    }
  })

  it('is refused with 415 if it is media of an unlisted kind', async () => {
    const path = join(directory, 'sound.au')
    runFfmpeg('-f', 'lavfi', '-i', 'sine=d=1', path)
    await expect(probeMedia(path, { contentType: undefined, fileName: 'a.wav' })).rejects.toMatchObject({ status: 415 })
  })
})

describe('media that cannot be transcribed', () => {
  it('is refused with 400 if it is empty', async () => {
    const path = made('empty', '')
    await expect(probeMedia(path, { contentType: 'audio/wav', fileName: 'a.wav' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('empty'),
    })
  })

  it.each(['mp4', 'mkv', 'mpg', 'avi', 'mov'])('is refused with 400 if it has no sound track: %s', async (ending) => {
    const path = join(directory, `silent.${ending}`)
    runFfmpeg('-f', 'lavfi', '-i', 'testsrc=s=176x144:d=1', path)
    await expect(probeMedia(path, { contentType: undefined, fileName: 'a' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('no sound track'),
    })
  })

  it('is refused with 400 if it has a header but no sound', async () => {
    const path = made('header-only.wav', readFileSync(samples.wav).subarray(0, 78))
    await expect(probeMedia(path, { contentType: 'audio/wav', fileName: 'a.wav' })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('is refused with 400 if its index is missing', async () => {
    const whole = readFileSync(samples.m4a)
    const path = made('cut.m4a', whole.subarray(0, whole.byteLength / 2))
    await expect(probeMedia(path, { contentType: 'audio/mp4', fileName: 'a.m4a' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('damaged'),
    })
  })
})

describe('length', () => {
  const durationOf = async (path: string) =>
    (await probeMedia(path, { contentType: undefined, fileName: '' })).durationMs

  function tone(name: string, ...options: string[]): string {
    const path = join(directory, name)
    runFfmpeg('-f', 'lavfi', '-i', 'sine=440:d=60', ...options, path)
    return path
  }

  it.each([
    ['an mp3 of variable bit rate without an index', 'vbr.mp3', ['-write_xing', '0', '-q:a', '5']],
    ['aac without a container', 'raw.aac', []],
    ['a webm of a recorder that wrote no length', 'live.webm', ['-c:a', 'libopus', '-live', '1']],
    ['a fragmented m4a', 'fragments.m4a', ['-movflags', 'frag_keyframe+empty_moov']],
    ['coded sound in a wav', 'adpcm.wav', ['-c:a', 'adpcm_ms']],
    ['24-bit samples', 'deep.wav', ['-c:a', 'pcm_s24le', '-ac', '2']],
    ['a sound file above 4 GB by its form', 'rf64.wav', ['-rf64', 'always']],
  ] as const)('is true for %s', async (_, name, options) => {
    expect(Math.abs((await durationOf(tone(name, ...options))) - 60_000)).toBeLessThan(120)
  })

  it('is true for a wav without sizes in its header', async () => {
    const bytes = readFileSync(tone('streamed.wav'))
    bytes.writeUInt32LE(0xffffffff, 4)
    bytes.writeUInt32LE(0xffffffff, bytes.indexOf('data') + 4)
    expect(Math.abs((await durationOf(made('streamed2.wav', bytes))) - 60_000)).toBeLessThan(120)
  })

  /** A recording of a minute that is cut after a share of its bytes. */
  function cut(ending: string, share: number, ...options: readonly string[]): string {
    const whole = readFileSync(tone(`whole.${ending}`, ...options))
    return made(`cut.${ending}`, whole.subarray(0, whole.byteLength * share))
  }

  it.each(['ogg', 'aac', 'mts'])('is that of the remaining part of a truncated %s', async (ending) => {
    const half = cut(ending, 0.5)
    const packets = execFileSync('ffmpeg', ['-v', 'quiet', '-i', half, '-f', 's16le', '-ac', '1', '-ar', '8000', '-'], {
      maxBuffer: 10_000_000,
    })
    expect(Math.abs((await durationOf(half)) - packets.byteLength / 16)).toBeLessThan(250)
  })

  const film = ['-f', 'lavfi', '-i', 'testsrc=s=176x144:r=25:d=60', '-c:v', 'mpeg2video']
  const stating = [
    ['wav', []],
    ['wav', ['-c:a', 'adpcm_ima_wav']],
    ['aiff', []],
    ['flac', []],
    ['mkv', ['-c:a', 'libopus']],
    ['m4a', ['-movflags', 'faststart']],
    ['mp3', ['-q:a', '5']],
    ['wma', []],
    ['flv', ['-ar', '44100']],
    ['avi', film],
    ['mxf', [...film, '-ar', '48000']],
  ] as const

  it.each(stating)('is refused with 400 if much of a %s is cut off', async (ending, options) => {
    await expect(durationOf(cut(ending, 0.45, ...options))).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/ends after \d\d s of 60 s\. Nothing was charged/),
    })
  })

  it.each(stating)(
    'is the whole one, which recognition checks, if a little of a %s is cut off',
    async (ending, options) => {
      expect(Math.abs((await durationOf(cut(ending, 0.93, ...options))) - 60_000)).toBeLessThan(120)
    },
  )

  it('is refused with 400 if much of an mp3 behind a large cover picture is cut off', async () => {
    const picture = Buffer.concat([Buffer.from('APIC\0\x05\0\0\0\0', 'latin1'), Buffer.alloc(81_910)])
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\x05\0\0', 'latin1'), picture])
    const bytes = Buffer.concat([tag, readFileSync(cut('mp3', 0.45, '-q:a', '5'))])
    await expect(durationOf(made('cover-cut.mp3', bytes))).rejects.toMatchObject({ status: 400 })
  })

  it('is that of an mp3 whose header counts frames that its bytes do not lack', async () => {
    const bytes = readFileSync(tone('edited.mp3', '-q:a', '5'))
    bytes.writeUInt32BE(2 * bytes.readUInt32BE(bytes.indexOf('Xing') + 8), bytes.indexOf('Xing') + 8)
    expect(Math.abs((await durationOf(made('edited.mp3', bytes))) - 60_000)).toBeLessThan(120)
  })

  it('is that of a transport stream whose sound begins minutes late, and sound that is never found is named', async () => {
    const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=1:d=310']
    const sound = ['-itsoffset', '300', '-f', 'lavfi', '-i', 'sine=d=5', '-c:a', 'aac']
    const late = join(directory, 'late.mts')
    runFfmpeg(...picture, ...sound, '-c:v', 'mpeg2video', '-f', 'mpegts', late)
    expect(Math.abs((await durationOf(late)) - 310_000)).toBeLessThan(3_000)
    const cut = made('cut.mts', readFileSync(late).subarray(0, 100_016))
    await expect(durationOf(cut)).rejects.toThrow('damaged, or begins too late in the file. Nothing was charged.')
  })

  it('ignores a timestamp jump in a joined transport stream', async () => {
    const one = readFileSync(samples.mts)
    expect(Math.abs((await durationOf(made('joined.mts', Buffer.concat([one, one, one])))) - 6_000)).toBeLessThan(200)
  })

  it('does not count a cover picture as video', async () => {
    const path = join(directory, 'cover.mp3')
    const cover = join(directory, 'cover.png')
    runFfmpeg('-f', 'lavfi', '-i', 'testsrc=s=64x64:d=1', '-frames:v', '1', cover)
    runFfmpeg(
      '-i',
      samples.mp3,
      '-i',
      cover,
      '-map',
      '0',
      '-map',
      '1',
      '-c',
      'copy',
      '-disposition:v',
      'attached_pic',
      path,
    )
    const facts = await probeMedia(path, { contentType: 'audio/mpeg', fileName: 'a.mp3' })
    expect(facts).toMatchObject({ extension: 'mp3', kind: 'audio' })
    expect(Math.abs(facts.durationMs - 2_000)).toBeLessThan(120)
  })
})

it('says what to install if ffprobe is missing', async () => {
  const path = process.env.PATH
  process.env.PATH = directory
  try {
    await expect(probeMedia(samples.wav, { contentType: 'audio/wav', fileName: 'a.wav' })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('install ffmpeg'),
    })
  } finally {
    process.env.PATH = path
  }
})
