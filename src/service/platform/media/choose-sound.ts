import type { OrderSound } from '../../../contract/interface/order-sound.ts'
import { type ChosenSound, decode, firstTrack, type Voice } from './decode.ts'
import type { MediaSource } from './media-source.ts'
import { probeStreams } from './probe.ts'

/** Telephone quality and 50 ms steps suffice to measure loudness. */
const rate = 8_000
const stepSamples = rate / 20
/** The faintest sound of a step that counts, as a mean square: −66 dB. Speech 40 dB too quiet is louder. */
const faintest = (32_768 * 10 ** (-66 / 20)) ** 2
/** This much sound tells whether mixing cancels its channels. */
const decidingSteps = 30 * 20
/** A mix is cancelled if it is this much fainter than a channel: 20 dB. */
const cancelled = 10 ** (20 / 10)

/** Names of tracks that programs write, and that say nothing. */
const meaningless = /handler|core media|^und$/i

/**
 * Chooses what is heard of a recording: the track with the default flag, else the first, but none that is silent if
 * another one is not; and one channel of two whose mix would cancel. Reads little: half a minute of sound in stereo, and
 * of several tracks until one is heard.
 * @param asked the order's choice, which decides instead
 * @throws AbortError when `signal` is aborted
 */
export async function chooseSound(
  source: MediaSource,
  asked: OrderSound | null,
  signal: AbortSignal,
): Promise<ChosenSound> {
  const tracks = await readTracks(source, signal)
  const voices = asked === 'each' ? listVoices(tracks) : []
  if (tracks[0] !== undefined && voices.length > 1) return { ...tracks[0], name: '', voices, isPlayed: false }
  const wanted = tracks.filter(({ track }) => track === Number(asked) - 1)
  const candidates = wanted.length > 0 ? wanted : tracks
  for (const track of candidates) {
    const isPlayed = track === tracks[0]
    if (candidates.length === 1 && track.channels !== 2) return { ...track, isPlayed }
    const { isSilent, channel } = await measure(source, track, signal)
    if (!isSilent) return { ...track, channel, isPlayed }
  }
  return candidates[0] ?? firstTrack
}

/** Each track as a speaker, named by its title if no other has the same; of a single track each channel. */
function listVoices(tracks: readonly ChosenSound[]): Voice[] {
  const [first] = tracks
  if (first === undefined) return []
  if (tracks.length === 1) {
    return Array.from({ length: first.channels }, (_, channel) => ({ track: first.track, channel, name: '' }))
  }
  const count = (title: string) => tracks.filter((one) => one.title === title).length
  return tracks
    .toSorted((one, other) => one.track - other.track)
    .map(({ track, title }) => ({ track, channel: null, name: count(title) === 1 ? title : '' }))
}

/** The tracks that can be decoded, the default one first; none if the recording cannot be read. */
async function readTracks(source: MediaSource, signal: AbortSignal): Promise<ChosenSound[]> {
  try {
    const { streams, format } = await probeStreams(source, null, signal)
    const audio = streams.filter(({ codec_type }) => codec_type === 'audio')
    const isTransport = format.format_name === 'mpegts'
    return audio
      .map(({ channels = 1, codec_name, disposition, tags = {} }, track) => {
        const find = (...texts: (string | undefined)[]) => texts.find((text) => text && !meaningless.test(text)) ?? ''
        const title = find(tags.title, tags.handler_name)
        const name = find(title, tags.language)
        const chosen = { ...firstTrack, track, tracks: audio.length, name, title, channels, isTransport }
        return {
          chosen,
          isKnown: codec_name !== undefined && codec_name !== 'unknown',
          isDefault: disposition?.default,
        }
      })
      .filter(({ isKnown }) => isKnown)
      .sort((one, other) => (other.isDefault ?? 0) - (one.isDefault ?? 0))
      .map(({ chosen }) => chosen)
  } catch {
    signal.throwIfAborted()
    return []
  }
}

/** Whether a track is silent, and, if its two channels cancel each other, the louder one. */
async function measure(source: MediaSource, track: ChosenSound, signal: AbortSignal) {
  const channels = track.channels === 2 ? 2 : 1
  let [left, right, mixed, steps] = [0, 0, 0, 0]
  let [stepLeft, stepRight, stepMixed, at] = [0, 0, 0, 0]
  for await (const samples of decode(source, track, { signal, channels, rate }).pcm) {
    for (let index = 0; index + channels <= samples.length; index += channels) {
      const [one, other] = [samples[index] ?? 0, samples[index + channels - 1] ?? 0]
      stepLeft += one * one
      stepRight += other * other
      stepMixed += ((one + other) / 2) ** 2
      at += 1
      if (at < stepSamples) continue
      if (Math.max(stepLeft, stepRight) >= faintest * stepSamples) {
        left += stepLeft
        right += stepRight
        mixed += stepMixed
        steps += 1
      }
      stepLeft = stepRight = stepMixed = at = 0
    }
    if (steps >= (channels === 2 ? decidingSteps : 1)) break
  }
  const isCancelled = mixed * cancelled < Math.max(left, right)
  return { isSilent: steps === 0, channel: isCancelled ? (left >= right ? 0 : 1) : null } as const
}
