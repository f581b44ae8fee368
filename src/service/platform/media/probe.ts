import { open } from 'node:fs/promises'
import * as z from 'zod/mini'
import {
  extensionOfName,
  extensionsOfMimeType,
  type MediaExtension,
  type MediaKind,
} from '../../../contract/interface/media-formats.ts'
import { ServiceError } from '../service-error.ts'
import { type Container, containerOfDemuxer, possibleExtensions } from './containers.ts'
import { type Claimed, trueDurationMs } from './duration.ts'
import { seeksExactly } from './listening-copy.ts'
import { inputUrl, type MediaSource, safeInput } from './media-source.ts'
import { runTool, ToolError } from './run-tool.ts'
import { checkDeclaredType, type Sniffed, sniffBytes, sniffContent, unsupportedType } from './sniff.ts'
import { chargedMs } from './stated-length.ts'

export type MediaFacts = {
  extension: MediaExtension
  /** video if there is a moving picture, not just a cover image */
  kind: MediaKind
  durationMs: number
  audioTracks: number
  /** of the first audio track */
  channels: number
  sampleRate: number
  /** browsers play it, and jump to a time within 50 ms of it: it needs no listening copy */
  seeksExactly: boolean
}

/** A client's declaration of a recording; `contentType` undefined if absent. */
export type Declared = { contentType: string | undefined; fileName: string }

/** The lowest trusted score of ffprobe's guess if the first bytes are not recognized. */
const leastProbeScore = 25

const probed = z.object({
  streams: z.array(
    z.object({
      codec_type: z.optional(z.string()),
      codec_name: z.optional(z.string()),
      channels: z.optional(z.number()),
      sample_rate: z.optional(z.string()),
      bit_rate: z.optional(z.string()),
      duration: z.optional(z.string()),
      disposition: z.optional(z.object({ attached_pic: z.optional(z.number()), default: z.optional(z.number()) })),
      tags: z.optional(z.record(z.string(), z.string())),
    }),
  ),
  format: z.object({
    format_name: z.string(),
    probe_score: z.number(),
    duration: z.optional(z.string()),
    start_time: z.optional(z.string()),
  }),
})
type Probed = z.infer<typeof probed>
type Stream = Probed['streams'][number]

/**
 * Detects format and length of a recording from its content (decision 3). The file name only chooses among the formats
 * that fit the content.
 * @throws ServiceError 415 if the declared type or the content is not of a listed format; 400 if it is, but has no
 *   audio, no length, is truncated or cannot be read; 503 if ffprobe is not installed
 */
export async function probeMedia(source: MediaSource, declared: Declared, signal?: AbortSignal): Promise<MediaFacts> {
  checkDeclaredType(declared.contentType)
  const { head, bytes } = await readHead(source, sniffBytes)
  if (bytes === 0) throw new ServiceError(400, 'The file is empty. Nothing was charged.')
  const sniffed = await sniffContent(head)
  const { streams, format } = await probeStreams(source, sniffed, signal)
  const container = containerOfDemuxer(format.format_name)
  if (container === null || (sniffed === null && format.probe_score < leastProbeScore)) throw notMedia()

  const audio = streams.filter((stream) => stream.codec_type === 'audio')
  const first = requireReadable(audio[0])

  const hasVideo = streams.some((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1)
  const claimed = claimsOf({ container, format, first, bytes })
  const measuredMs = await measure(source, claimed, signal)
  if (measuredMs <= 0) throw new ServiceError(400, 'The recording is empty: its length is zero. Nothing was charged.')
  const names = possibleExtensions({
    container,
    ending: sniffed?.ending ?? null,
    hasVideo,
    audioCodec: first.codec_name,
  })
  return {
    extension: chooseName(names, declared),
    kind: hasVideo ? 'video' : 'audio',
    durationMs: chargedMs(measuredMs, {
      ...claimed,
      trackSeconds: Number.parseFloat(first.duration ?? ''),
      ...(await readAfterTag(source, head)),
    }),
    audioTracks: audio.length,
    channels: first.channels ?? 1,
    sampleRate: Number(first.sample_rate ?? 0),
    // Of several tracks a browser plays another one than was recognized, perhaps.
    seeksExactly:
      audio.length === 1 &&
      seeksExactly({
        head,
        container,
        audioCodec: first.codec_name,
        claimedMs: Number.parseFloat(format.duration ?? '') * 1_000,
        durationMs: measuredMs,
      }),
  }
}

const soundLost =
  'The sound of this recording cannot be read: it is damaged, or begins too late in the file. Nothing was charged.'

/** @throws ServiceError 400 if there is no sound track, or nothing is known of its sound */
function requireReadable(first: Stream | undefined): Stream & { codec_name: string } {
  if (first === undefined) throw new ServiceError(400, 'The recording has no sound track. Nothing was charged.')
  const { codec_name } = first
  if (codec_name === undefined || codec_name === 'unknown') throw unreadable()
  if (Number(first.sample_rate) === 0) throw new ServiceError(400, soundLost)
  return { ...first, codec_name }
}

/** Chooses among the formats of a content: by the file's extension, else by the declared type, else the best. */
function chooseName(names: readonly MediaExtension[], declared: Declared): MediaExtension {
  const wished = [extensionOfName(declared.fileName), ...extensionsOfMimeType(declared.contentType ?? '')]
  return wished.find((name) => name !== null && names.includes(name)) ?? (names[0] as MediaExtension)
}

/** The first bytes of a recording, and how many it has. */
export async function readHead(source: MediaSource, headBytes: number): Promise<{ head: Uint8Array; bytes: number }> {
  if (typeof source !== 'string') return { head: await source.head(headBytes), bytes: source.bytes }
  const file = await open(source)
  try {
    const { size } = await file.stat()
    const { bytesRead, buffer } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0)
    return { head: buffer.subarray(0, bytesRead), bytes: size }
  } finally {
    await file.close()
  }
}

/** ID3 tags hold pictures of megabytes; behind a longer one no header is looked for. */
const longestTagBytes = 16_000_000

/** The first bytes after an ID3v2 tag, if there is one. */
async function readAfterTag(
  source: MediaSource,
  head: Uint8Array,
): Promise<{ head: Uint8Array; skippedBytes: number }> {
  const hasTag = head.byteLength > 10 && Buffer.from(head).toString('latin1', 0, 3) === 'ID3'
  if (!hasTag) return { head, skippedBytes: 0 }
  const skippedBytes = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0) + 10
  if (skippedBytes > longestTagBytes) return { head, skippedBytes: 0 }
  const { head: longer } = await readHead(source, skippedBytes + 4_096)
  return { head: longer.subarray(skippedBytes), skippedBytes }
}

/** Reads what ffprobe says of a recording and its streams. @throws ServiceError 400 or 415 if it cannot be read */
export async function probeStreams(
  source: MediaSource,
  sniffed: Sniffed | null,
  signal?: AbortSignal,
): Promise<Probed> {
  const args = [...safeInput(source), '-show_format', '-show_streams', '-of', 'json', inputUrl(source)]
  try {
    const printed = await runTool('ffprobe', args, { timeoutMs: 60_000, maxOutputBytes: 4_000_000, signal })
    return z.parse(probed, JSON.parse(printed))
  } catch (error) {
    if (error instanceof ServiceError || signal?.aborted) throw error
    throw sniffed === null ? notMedia() : unreadable(error)
  }
}

type Measured = { container: Container; format: Probed['format']; first: Stream; bytes: number }

function claimsOf({ container, format, first, bytes }: Measured): Claimed {
  const isPcm = (container === 'wav' || container === 'aiff') && first.codec_name?.startsWith('pcm_') === true
  const bitRate = Number(first.bit_rate)
  return {
    container,
    seconds: Number.parseFloat(format.duration ?? ''),
    startSeconds: Number.parseFloat(format.start_time ?? '0') || 0,
    bytes,
    pcmBitRate: isPcm && bitRate > 0 ? bitRate : null,
  }
}

async function measure(source: MediaSource, claimed: Claimed, signal?: AbortSignal): Promise<number> {
  try {
    return await trueDurationMs(source, claimed, signal)
  } catch (error) {
    if (error instanceof ToolError) throw unreadable(error)
    throw error
  }
}

function notMedia(): ServiceError {
  return unsupportedType('The content of this file is not a supported audio or video format.')
}

function unreadable(cause?: unknown): ServiceError {
  return new ServiceError(
    400,
    'The recording cannot be read: it is damaged or incomplete. Nothing was charged.',
    {},
    { cause },
  )
}
