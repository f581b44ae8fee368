import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { specDefaultOptions } from '../../../../contract/interface/option-values.ts'
import { calculatePrice, defaultRates } from '../../../../contract/interface/price.ts'
import { probeMedia } from '../../../../service/platform/media/probe.ts'
import { runFfmpeg } from '../../../../service/platform/media/testing/run-ffmpeg.ts'
import { inspect } from './inspect.ts'

const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=21.37:r=44100:a=0.2:s=7']
const quietFirst = ['-f', 'lavfi', '-i', "anoisesrc=d=21:s=3,volume='if(lt(t,9),0.0001,1)':eval=frame"]
const picture = ['-f', 'lavfi', '-i', 'testsrc=s=176x144:r=25:d=21.4']
const film = [...noise, ...picture]
const lateSound = ['-itsoffset', '4.087', ...film, '-map', '0', '-map', '1']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']
/** Written without going back to the beginning, as by a recorder into a pipe. */
const piped = ['-seekable', '0']
const transport = ['-f', 'mpegts']

/** ffmpeg's arguments of each recording, by its name. */
const recordings: Readonly<Record<string, readonly string[]>> = {
  'vbr.mp3': [...noise, '-q:a', '5'],
  'no-xing.mp3': [...noise, '-q:a', '5', '-write_xing', '0'],
  'quiet-first.mp3': [...quietFirst, '-q:a', '5', '-write_xing', '0'],
  'abr.mp3': [...noise, '-abr', '1', '-b:a', '64k'],
  'cbr.mp3': [...noise, '-b:a', '96k', '-write_xing', '0'],
  'version2.mp3': [...noise, '-ar', '22050', '-q:a', '7', '-write_xing', '0'],
  'low.mp3': [...noise, '-ar', '16000', '-b:a', '32k'],
  'mono.mp3': [...noise, '-ac', '1', '-b:a', '48k'],
  'layer2.mp3': [...noise, '-c:a', 'mp2', '-f', 'mp2'],
  'cbr.aac': [...noise, '-b:a', '64k', '-f', 'adts'],
  'vbr.aac': [...quietFirst, '-q:a', '1', '-f', 'adts'],
  'opus.opus': [...noise, '-c:a', 'libopus', '-b:a', '24k'],
  'opus-60ms.opus': [...noise, '-c:a', 'libopus', '-frame_duration', '60'],
  'vorbis.ogg': [...noise, '-c:a', 'libvorbis'],
  'quiet-first.ogg': [...quietFirst, '-c:a', 'libvorbis'],
  'speex.ogg': [...noise, '-ar', '16000', '-c:a', 'libspeex'],
  'flac.ogg': [...noise, '-c:a', 'flac'],
  'theora.ogv': [...film, '-c:v', 'libtheora', '-c:a', 'libvorbis'],
  'flac.flac': [...noise],
  'pipe.flac': [...noise, ...piped],
  'pcm.wav': [...noise],
  'pipe.wav': [...noise, ...piped],
  'float.wav': [...noise, '-c:a', 'pcm_f32le'],
  '24bit.wav': [...noise, '-c:a', 'pcm_s24le'],
  'rf64.wav': [...noise, '-rf64', 'always'],
  'mulaw.wav': [...noise, '-c:a', 'pcm_mulaw'],
  'alaw.wav': [...noise, '-c:a', 'pcm_alaw'],
  'ima.wav': [...noise, '-c:a', 'adpcm_ima_wav'],
  'ms.wav': [...noise, '-c:a', 'adpcm_ms'],
  'gsm.wav': [...noise, '-ar', '8000', '-ac', '1', '-c:a', 'gsm_ms'],
  'g722.wav': [...noise, '-ar', '16000', '-ac', '1', '-c:a', 'g722'],
  'g726.wav': [...noise, '-ar', '8000', '-ac', '1', '-c:a', 'g726'],
  'mp3.wav': [...noise, '-c:a', 'libmp3lame'],
  'pcm.aiff': [...noise],
  'float.aif': [...noise, '-c:a', 'pcm_f32be', '-f', 'aiff'],
  'aac.m4a': [...noise],
  'alac.m4a': [...noise, '-c:a', 'alac'],
  'faststart.m4a': [...noise, '-movflags', '+faststart'],
  'fragments.m4a': [...noise, '-movflags', 'frag_keyframe+empty_moov+delay_moov', '-frag_duration', '2000000'],
  'dash.m4a': [...noise, '-movflags', '+dash+frag_keyframe+global_sidx', '-frag_duration', '2000000'],
  'film.mp4': [...film, ...h264],
  'fragments.mp4': [...film, ...h264, '-movflags', 'frag_keyframe+empty_moov'],
  'late.mp4': [...lateSound, ...h264],
  'short-sound.mp4': [...noise, '-f', 'lavfi', '-i', 'testsrc=s=176x144:r=25:d=33', ...h264],
  'short-picture.mp4': [...noise, '-f', 'lavfi', '-i', 'testsrc=s=176x144:r=25:d=9', ...h264],
  'ac3.mov': [...film, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'ac3'],
  'film.m4v': [...film, ...h264, '-f', 'ipod'],
  'film.3gp': [...film, '-c:v', 'h263', '-ar', '8000', '-c:a', 'aac'],
  'sound.3ga': [...noise, '-ar', '8000', '-c:a', 'aac', '-f', '3gp'],
  'film.mkv': [...film, ...h264],
  'pipe.mkv': [...film, ...h264, ...piped],
  'late.mkv': [...lateSound, ...h264],
  'ac3.mkv': [...film, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'ac3'],
  'film.webm': [...film, ...vp8],
  'live.webm': [...film, ...vp8, '-live', '1', ...piped],
  'sound.webm': [...noise, '-c:a', 'libopus'],
  'live-sound.webm': [...noise, '-c:a', 'libopus', '-live', '1', ...piped],
  'an-hour-late.webm': ['-itsoffset', '3600', ...noise, '-c:a', 'libopus', '-copyts'],
  'camera.mts': [...film, ...h264, ...transport, '-mpegts_m2ts_mode', '1'],
  'stream.mts': [...film, ...h264, ...transport],
  'sound.mts': [...noise, '-c:a', 'aac', ...transport],
  'mp2.mts': [...film, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'mp2', ...transport],
  'after-26-hours.mts': [...film, ...h264, '-output_ts_offset', '93600', ...transport],
  'clock-wraps.mts': [...film, ...h264, '-output_ts_offset', '95433', ...transport],
  'late.mts': [...lateSound, ...h264, ...transport],
  'mpeg1.mpg': [...film, '-c:v', 'mpeg1video', '-c:a', 'mp2', '-f', 'mpeg'],
  'mpeg2.mpeg': [...film, '-c:v', 'mpeg2video', '-c:a', 'mp2', '-f', 'vob'],
  'ac3.mpeg': [...film, '-c:v', 'mpeg2video', '-c:a', 'ac3', '-f', 'vob'],
  'sound.wma': [...noise, '-c:a', 'wmav2'],
  'pipe.wma': [...noise, '-c:a', 'wmav2', ...piped],
  'film.wmv': [...film, '-c:v', 'wmv2', '-c:a', 'wmav2'],
  'mp3.avi': [...film, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  'pcm.avi': [...film, '-c:v', 'mpeg4', '-c:a', 'pcm_s16le'],
  'pipe.avi': [...film, '-c:v', 'mpeg4', '-c:a', 'libmp3lame', ...piped],
  'film.flv': [...film, '-c:v', 'flv', '-c:a', 'libmp3lame'],
  'sound.flv': [...noise, '-c:a', 'libmp3lame'],
  'pipe.flv': [...film, '-c:v', 'flv', '-c:a', 'libmp3lame', ...piped],
  'film.mxf': [...film, '-c:v', 'mpeg2video', '-ar', '48000', '-c:a', 'pcm_s16le'],
}

const directory = mkdtempSync(join(tmpdir(), 'parley-lengths-'))
afterAll(() => rmSync(directory, { recursive: true }))

function recording(name: string): Buffer {
  const path = join(directory, name)
  runFfmpeg(...(recordings[name] ?? []), path)
  return readFileSync(path)
}

/** What becomes of a recording on its way: the bytes, from those of recordings by name. */
type Oddity = (of: typeof recording, name: string) => Buffer
const whole: Oddity = (of, name) => of(name)
const cut: Oddity = (of, name) => of(name).subarray(0, Math.floor(of(name).length * 0.6))
/** Over two seconds less: below that nobody is charged for what is missing. */
const almostWhole: Oddity = (of, name) => of(name).subarray(0, Math.floor(of(name).length * 0.905))
const twice: Oddity = (of, name) => Buffer.concat([of(name), of(name)])
const joinedWith =
  (other: string): Oddity =>
  (of, name) =>
    Buffer.concat([of(name), of(other)])
const withTag: Oddity = (of, name) => Buffer.concat([of(name), Buffer.from('TAG'), Buffer.alloc(125)])
const zerosFirst: Oddity = (of, name) => Buffer.concat([Buffer.alloc(417), of(name)])
const zerosLast: Oddity = (of, name) => Buffer.concat([of(name), Buffer.alloc(128)])

const cases: readonly [what: string, name: string, oddity: Oddity][] = [
  ...Object.keys(recordings).map((name): [string, string, Oddity] => ['whole', name, whole]),
  ...'vbr.mp3 no-xing.mp3 cbr.mp3 layer2.mp3 cbr.aac vbr.aac opus.opus vorbis.ogg flac.ogg theora.ogv flac.flac pcm.wav'
    .split(' ')
    .map((name): [string, string, Oddity] => ['cut off', name, cut]),
  ...'mulaw.wav film.mkv film.webm live.webm sound.webm camera.mts stream.mts mpeg1.mpg mpeg2.mpeg sound.wma film.flv pipe.flv'
    .split(' ')
    .map((name): [string, string, Oddity] => ['cut off', name, cut]),
  ...`vbr.mp3 no-xing.mp3 opus.opus flac.flac pcm.wav rf64.wav ima.wav pcm.aiff faststart.m4a film.mkv live.webm sound.wma
    pipe.wma mp3.avi sound.flv film.mxf`
    .split(/\s+/)
    .map((name): [string, string, Oddity] => ['a little cut off', name, almostWhole]),
  ...`vbr.mp3 no-xing.mp3 cbr.mp3 version2.mp3 cbr.aac vbr.aac stream.mts camera.mts sound.mts mpeg1.mpg mpeg2.mpeg
    opus.opus opus-60ms.opus vorbis.ogg quiet-first.ogg speex.ogg flac.ogg`
    .split(/\s+/)
    .map((name): [string, string, Oddity] => ['twice', name, twice]),
  ['joined with another', 'vbr.mp3', joinedWith('no-xing.mp3')],
  ['joined with another', 'no-xing.mp3', joinedWith('vbr.mp3')],
  ['joined with another', 'vbr.mp3', joinedWith('cbr.mp3')],
  ['joined with another', 'cbr.mp3', joinedWith('quiet-first.mp3')],
  ['joined with another', 'cbr.aac', joinedWith('vbr.aac')],
  ['joined with another', 'opus.opus', joinedWith('opus-60ms.opus')],
  ['joined with another', 'vorbis.ogg', joinedWith('opus.opus')],
  ['joined with another', 'vorbis.ogg', joinedWith('quiet-first.ogg')],
  ['with an ID3v1 tag', 'vbr.mp3', withTag],
  ['with an ID3v1 tag', 'cbr.mp3', withTag],
  ['with an ID3v1 tag', 'no-xing.mp3', withTag],
  ['after zeros', 'vbr.mp3', zerosFirst],
  ['after zeros', 'no-xing.mp3', zerosFirst],
  ['before zeros', 'vbr.mp3', zerosLast],
  ['before zeros', 'cbr.mp3', zerosLast],
]

function manualCents(durationMs: number): number {
  return calculatePrice(defaultRates, specDefaultOptions, durationMs, 0).totalCents
}

/** Cut off, and known to be by what their files state: refused, so nothing is charged. */
const incomplete =
  'vbr.mp3 pcm.wav mulaw.wav flac.flac film.mkv film.webm sound.webm sound.wma film.flv pipe.flv'.split(' ')

/** Prices of the page minus those of the service, in cents; null if the page does not know. */
const differences = new Map<string, number | null>()

describe('the price on the button', () => {
  it.each(cases)('%s: %s', async (what, name, oddity) => {
    const bytes = oddity((each) => recording(each), name)
    const path = join(directory, `case${extname(name)}`)
    writeFileSync(path, bytes)
    const { durationMs } = await inspect(
      { size: bytes.length, read: async (start, length) => viewOf(bytes, start, length) },
      name,
    )
    const probing = probeMedia(path, { contentType: undefined, fileName: name })
    if (what === 'cut off' && incomplete.includes(name)) {
      await expect(probing).rejects.toThrow(/^The recording is incomplete: .* Nothing was charged\./)
      return void differences.set(`${what}: ${name}`, 0)
    }
    const charged = await probing
    const difference = durationMs === null ? null : manualCents(durationMs) - manualCents(charged.durationMs)
    differences.set(`${what}: ${name}`, difference)
    // At the highest rate a cent is half a second.
    if (difference !== null)
      expect(difference, `${durationMs} ms, charged ${charged.durationMs} ms`).toBeGreaterThanOrEqual(0)
  })

  it('is exact to the cent for 95 % of at least 120 recordings, and never less than what is charged', () => {
    const exact = [...differences].filter(([, difference]) => difference === 0)
    expect(differences.size).toBeGreaterThanOrEqual(120)
    const others = [...differences].filter(([, difference]) => difference !== 0)
    expect(exact.length / differences.size, JSON.stringify(others)).toBeGreaterThanOrEqual(0.95)
  })
})

/** Copied, like a slice of a Blob. */
function viewOf(bytes: Buffer, start: number, length: number): DataView {
  return new DataView(Uint8Array.from(bytes.subarray(start, start + length)).buffer)
}
