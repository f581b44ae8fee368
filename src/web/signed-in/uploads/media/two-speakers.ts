import {
  ADTS,
  type AudioSample,
  AudioSampleSink,
  CustomSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { Inspection } from '../tray/upload.ts'
import type { ByteSource } from './bytes.ts'

/** What is heard for about half a second of a recording's two channels; full scale is 1. Empty where it cannot be told. */
type Heard = { left: Float32Array; right: Float32Array }

/** A channel leads a step of 50 ms if it is louder by 12 dB; steps fainter than −50 dB are silence. */
const louder = 10 ** (12 / 10)
const faintest = 10 ** (-50 / 10)
const listenedPlaces = 12
const stepsOfPlace = 10
const listenedSeconds = stepsOfPlace / 20
const fewestSteps = 20
/** Two people speak at once for at most this share. */
const mostTogether = 0.2

/**
 * Whether two channels are clearly of two speakers, by what is heard at some places of the recording. Stops as soon as it
 * cannot be so any more, which in most stereo is after three places.
 * @param hear listens at a place, from 0 to `listenedPlaces` − 1
 */
async function hasTwoSpeakers(rate: number, hear: (place: number) => Promise<Heard>): Promise<boolean> {
  const stepFrames = Math.floor(rate / 20)
  let [left, right, both] = [0, 0, 0]
  for (let place = 0; place < listenedPlaces; place += 1) {
    const heard = await hear(place)
    for (let step = 0; step < Math.min(stepsOfPlace, Math.floor(heard.left.length / stepFrames)); step += 1) {
      const [one, other] = [heard.left, heard.right].map((channel) => loudness(channel, step, stepFrames)) as [
        number,
        number,
      ]
      if (Math.max(one, other) < faintest) continue
      if (one > other * louder) left += 1
      else if (other > one * louder) right += 1
      else both += 1
    }
    if (both > mostTogether * listenedPlaces * stepsOfPlace) return false
  }
  const all = left + right + both
  return all >= fewestSteps && both <= mostTogether * all && Math.min(left, right) >= 0.05 * all
}

/** Mean square of a step. */
function loudness(channel: Float32Array, step: number, frames: number): number {
  let sum = 0
  for (let frame = step * frames; frame < (step + 1) * frames; frame += 1) sum += (channel[frame] ?? 0) ** 2
  return sum / frames
}

/** Formats without an index are read from their beginning, not further than this. */
const withoutIndex: readonly unknown[] = [MP3, FLAC, ADTS]
const mostBytes = 16_777_216

/**
 * Whether the channels of a recording are of two speakers, by some places of it that the browser decodes. Never if it
 * cannot, if its container is none that a library opens, or with several sound tracks, which are a choice themselves.
 */
export async function isOfTwoSpeakers(source: ByteSource, { durationMs, tracks }: Inspection): Promise<boolean> {
  if (durationMs === null || tracks !== undefined) return false
  let bytesRead = 0
  const read = async (start: number, end: number) => {
    bytesRead += end - start
    if (bytesRead > 2 * mostBytes) throw new RangeError('Its sound lies too far apart.')
    const view = await source.read(start, end - start)
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  }
  const input = new Input({
    source: new CustomSource({ getSize: () => source.size, read, prefetchProfile: 'fileSystem' }),
    formats: [MP3, WAVE, MP4, QTFF, MATROSKA, WEBM, OGG, FLAC, ADTS],
  })
  try {
    const track = await input.getPrimaryAudioTrack()
    if (track === null || (await track.getNumberOfChannels()) !== 2 || !(await track.canDecode())) return false
    const part = withoutIndex.includes(await input.getFormat()) ? Math.min(1, mostBytes / source.size) : 1
    const first = await track.getFirstTimestamp()
    const sink = new AudioSampleSink(track)
    const rate = await track.getSampleRate()
    return await hasTwoSpeakers(rate, async (place) => {
      const from = first + ((durationMs / 1_000) * part * place) / listenedPlaces
      return await join(sink.samples(from, from + listenedSeconds), Math.ceil(rate * listenedSeconds))
    })
  } catch {
    // It cannot be decoded: the service hears it all the same.
    return false
  } finally {
    input.dispose()
  }
}

/** Joins decoded samples of two channels, up to a number of frames, and releases them. */
async function join(samples: AsyncIterable<AudioSample>, most: number): Promise<Heard> {
  const heard = { left: new Float32Array(most), right: new Float32Array(most) }
  let at = 0
  for await (const sample of samples) {
    const frameCount = Math.min(sample.numberOfFrames, most - at)
    for (const [planeIndex, channel] of [heard.left, heard.right].entries()) {
      if (frameCount > 0) sample.copyTo(channel.subarray(at), { planeIndex, format: 'f32-planar', frameCount })
    }
    sample.close()
    at += frameCount
  }
  return { left: heard.left.subarray(0, at), right: heard.right.subarray(0, at) }
}
