import { basename, dirname } from 'node:path'
import { inputUrl, type MediaSource, safeInput } from './media-source.ts'
import { spawnTool, toolIsMissing } from './tool-process.ts'

/** Input of every engine: 16 kHz mono signed 16-bit samples. */
const sampleRate = 16_000

/** Of a listening copy: 18 MB an hour. */
const copyBitRate = '40k'

/** Processor time: 10 GB of the densest audio take a fraction of it. */
const mostDecodeSeconds = 6 * 60 * 60

export type DecodeOutcome = {
  /** decoded length in milliseconds, whatever the header says */
  decodedMs: number
  /** false if ffmpeg failed, at the start or in the middle */
  ok: boolean
  /** true if ffmpeg itself is not installed */
  missing: boolean
}

export type Decoding = {
  /** Interleaved samples in chunks, to be read once; ends with the readable audio. Throws AbortError on `signal`. */
  pcm: AsyncIterable<Int16Array>
  /** The result; settled once `pcm` is read to its end. */
  outcome: Promise<DecodeOutcome>
}

/** What is heard of a recording. */
export type ChosenSound = {
  /** of its sound tracks, from 0 */
  track: number
  tracks: number
  /** title or language of the track; empty if the file has none */
  name: string
  /** of the track; empty if the file has none */
  title: string
  channels: number
  /** the only channel that is heard, from 0: of two whose mix would cancel, or of a speaker's own; null: all are mixed */
  channel: number | null
  /** the tracks or channels that are each a speaker's own: heard alone, one after the other, and mixed for players */
  voices: readonly Voice[] | null
  /** players choose the same track */
  isPlayed: boolean
  /** an MPEG transport stream, whose times begin with its first stream */
  isTransport: boolean
}

/** A track or channel of one speaker; `name`: the track's title, empty if it has none. */
export type Voice = Pick<ChosenSound, 'track' | 'channel' | 'name'>

/** The first track, all of its channels mixed. */
export const firstTrack: ChosenSound = {
  track: 0,
  tracks: 1,
  name: '',
  title: '',
  channels: 1,
  channel: null,
  voices: null,
  isPlayed: true,
  isTransport: false,
}

type DecodeOptions = {
  signal: AbortSignal
  /** 1: all channels mixed; else that many, interleaved */
  channels?: number
  /** samples per second */
  rate?: number
  /** path of a listening copy, written in the same pass; its name needs no escapes, and `isWholeCopy` verifies it */
  copyTo?: string | undefined
}

/** Samples from chunks of bytes, which may end within one. */
export async function* wholeSamples(chunks: AsyncIterable<Buffer>): AsyncGenerator<Int16Array> {
  let carry = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk])
    const whole = bytes.length - (bytes.length % 2)
    carry = Buffer.from(bytes.subarray(whole))
    // A copy, since a Buffer may begin at an odd address.
    if (whole > 0) yield new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + whole))
  }
}

/**
 * Arguments that write mono samples to standard output and, encoded from the same samples, a listening copy. `tee` drops
 * the copy and continues with the samples if the disk is full.
 */
function samplesAndCopy(sound: string, rate: number, copyName: string): string[] {
  const mono = `aformat=sample_fmts=s16:sample_rates=${rate}:channel_layouts=mono`
  const graph = ['-filter_complex', `${sound},${mono},asplit[heard][copy]`]
  const encoders = ['-c:a:0', 'pcm_s16le', '-c:a:1', 'libopus', '-compression_level', '0', '-b:a:1', copyBitRate]
  const outputs = `[select=\\'a:0\\':f=s16le]pipe:1|[select=\\'a:1\\':f=webm:onfail=ignore]${copyName}`
  const tee = ['-flags', '+global_header', '-f', 'tee', outputs]
  return [...graph, '-map', '[heard]', '-map', '[copy]', ...encoders, ...tee]
}

type Decodable = Pick<ChosenSound, 'track' | 'channel' | 'voices' | 'isTransport'>

/** The filters of what is heard: a track, one of its channels, or the mix of all speakers' tracks. */
function soundGraph({ track, channel, voices }: Decodable): string {
  // Gaps and a late start of the audio become silence, so that times match a player's.
  const steps = `${channel === null ? '' : `pan=mono|c0=c${channel},`}aresample=async=1:first_pts=0`
  const tracks = [...new Set(voices?.map((voice) => voice.track))]
  if (tracks.length < 2) return `[0:a:${track}]${steps}`
  const each = tracks.map((one) => `[0:a:${one}]${steps},aformat=channel_layouts=mono[voice${one}];`)
  return `${each.join('')}${tracks.map((one) => `[voice${one}]`).join('')}amix=inputs=${tracks.length}:normalize=0`
}

/**
 * Decodes what is heard of a recording to PCM. ffmpeg runs as a separate process and blocks while nothing is read
 * (back-pressure), so any length takes the memory of a pipe.
 */
export function decode(
  source: MediaSource,
  sound: Decodable,
  { signal, channels = 1, rate = sampleRate, copyTo }: DecodeOptions,
): Decoding {
  const graph = soundGraph(sound)
  const mapped = ['-filter_complex', `${graph}[heard]`, '-map', '[heard]']
  const samples = [...mapped, '-ac', String(channels), '-ar', String(rate), '-f', 's16le', 'pipe:1']
  const heard = copyTo === undefined ? samples : samplesAndCopy(graph, rate, basename(copyTo))
  // ffmpeg counts the times of a transport stream from the first stream that is used: the picture, if there is one.
  const streams = ['-map', '0:V?', '-map', `0:a:${sound.track}`]
  const picture = sound.isTransport ? [...streams, '-c', 'copy', '-f', 'null', '-'] : []
  const args = ['-nostdin', '-threads', '1', ...safeInput(source), '-i', inputUrl(source), ...heard, ...picture]
  const place = copyTo === undefined ? {} : { cwd: dirname(copyTo) }
  const ffmpeg = spawnTool('ffmpeg', args, { signal, cpuSeconds: mostDecodeSeconds, ...place })
  return readDecoded(ffmpeg, { signal, channels, rate })
}

function readDecoded(
  ffmpeg: ReturnType<typeof spawnTool>,
  { signal, channels, rate }: { signal: AbortSignal; channels: number; rate: number },
): Decoding {
  let samples = 0
  const outcome = new Promise<DecodeOutcome>((resolve) => {
    const settle = (ok: boolean, missing: boolean) =>
      resolve({ decodedMs: Math.floor((samples / channels / rate) * 1_000), ok: ok && samples > 0, missing })
    ffmpeg.once('error', (error) => settle(false, 'code' in error && error.code === 'ENOENT'))
    ffmpeg.once('close', (code) => settle(code === 0, code === toolIsMissing))
  })
  async function* read(): AsyncGenerator<Int16Array> {
    try {
      for await (const part of wholeSamples(ffmpeg.stdout)) {
        samples += part.length
        yield part
      }
    } finally {
      ffmpeg.kill('SIGKILL')
    }
    signal.throwIfAborted()
  }
  return { pcm: read(), outcome }
}
