import type { ByteSource } from './bytes.ts'
import { type Frame, findFrame, readFrame } from './mp3-frames.ts'
import { type Heard, hasTwoSpeakers, listenedPlaces, listenedSeconds } from './two-speakers.ts'

/** The first frames at a place refer to ones before it. */
const lostFrames = 3

/**
 * Whether the channels of an MP3 are of two speakers; the browser decodes some places of it. Never where it has no
 * `AudioDecoder`.
 * @param start of its first frame, in bytes
 */
export async function isMp3OfTwoSpeakers(
  source: ByteSource,
  { isMono, sampleRate, samples, bytes }: Frame,
  start: number,
  end: number,
): Promise<boolean> {
  if (isMono || !('AudioDecoder' in globalThis)) return false
  const frames = Math.ceil((listenedSeconds * sampleRate) / samples) + lostFrames
  const decoded: AudioData[] = []
  const decoder = new AudioDecoder({ output: (data) => decoded.push(data), error: () => undefined })
  try {
    decoder.configure({ codec: 'mp3', sampleRate, numberOfChannels: 2 })
    return await hasTwoSpeakers(sampleRate, async (place) => {
      // Twice as much, for frames of a variable rate.
      const view = await source.read(start + Math.floor(((end - start) * place) / listenedPlaces), bytes * frames * 2)
      for (let [at, count] = [findFrame(view, 0), 0]; count < frames; count += 1) {
        const frame = readFrame(view, at)
        if (frame === null || at + frame.bytes > view.byteLength) break
        const data = new Uint8Array(view.buffer, view.byteOffset + at, frame.bytes)
        decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: count, data }))
        at += frame.bytes
      }
      await decoder.flush()
      return takeHeard(decoded.splice(0))
    })
  } catch {
    // It cannot be decoded, for example as the browser has no decoder of MP3: the service hears it all the same.
    return false
  } finally {
    for (const data of decoded) data.close()
    if (decoder.state !== 'closed') decoder.close()
  }
}

/** Joins what was decoded, without the beginning, and releases it. */
function takeHeard(all: readonly AudioData[]): Heard {
  const parts = all.slice(lostFrames).filter(({ numberOfChannels }) => numberOfChannels === 2)
  const count = parts.reduce((sum, { numberOfFrames }) => sum + numberOfFrames, 0)
  const heard = { left: new Float32Array(count), right: new Float32Array(count) }
  let at = 0
  for (const data of parts) {
    for (const [planeIndex, channel] of [heard.left, heard.right].entries()) {
      data.copyTo(channel.subarray(at, at + data.numberOfFrames), { planeIndex, format: 'f32-planar' })
    }
    at += data.numberOfFrames
  }
  for (const data of all) data.close()
  return heard
}
