import { writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import * as z from 'zod/mini'
import type { MediaExtension } from '../../../contract/interface/media-formats.ts'
import { inputUrl, type MediaSource, safeInput, safePictures } from './media-source.ts'
import { runLongTool, runTool, ToolError } from './run-tool.ts'

/** How captions are added to a video: as a track that a player can hide, or drawn on the picture. */
export type CaptionKind = 'soft' | 'burnt'

type Holder = { extension: string; format: string; codec: string }

/** Containers that support captions, with their codecs; other videos go into Matroska, which holds nearly all. */
const holders: Partial<Record<MediaExtension, Holder>> = {
  mp4: { extension: 'mp4', format: 'mp4', codec: 'mov_text' },
  m4v: { extension: 'm4v', format: 'mp4', codec: 'mov_text' },
  mov: { extension: 'mov', format: 'mov', codec: 'mov_text' },
  webm: { extension: 'webm', format: 'webm', codec: 'webvtt' },
}
const anyHolder: Holder = { extension: 'mkv', format: 'matroska', codec: 'srt' }
const burntHolder: Holder = { extension: 'mp4', format: 'mp4', codec: '' }

/** The container of a video with captions. */
export function pickContainer(extension: MediaExtension, kind: CaptionKind): Holder {
  return kind === 'burnt' ? burntHolder : (holders[extension] ?? anyHolder)
}

const timeoutMs = 60 * 60_000
/** How much shorter than its recording a video may be; captions end no later than either. Milliseconds. */
const toleranceMs = 1_000

/** Text as a value within a filter graph: escaped for the value, then for the graph. */
function filterValue(text: string): string {
  return text.replaceAll(/[\\':]/g, '\\$&').replaceAll(/[\\',;[\]]/g, '\\$&')
}

/** `onTime`: how far the output is, in milliseconds */
export type Making = { signal: AbortSignal; onTime(ms: number): void }

/** `media`: the recording. `captions`: a file next to `to`; its name has only letters, digits and hyphens */
type Wanted = { media: MediaSource; captions: string; to: string }
type Recording = { extension: MediaExtension; durationMs: number }

/**
 * Runs ffmpeg in the directory of its output, so that the captions' path needs no escapes.
 * @returns whether there were any pictures
 * @throws ToolError, AbortError
 */
async function write(to: string, args: readonly string[], { signal, onTime }: Making): Promise<boolean> {
  let pictures = 0
  const onOutput = (text: string) => {
    const [, frame] = /frame=(\d+)/.exec(text) ?? []
    const [, us] = /out_time_us=(\d+)/.exec(text) ?? []
    if (frame !== undefined) pictures = Number(frame)
    if (us !== undefined) onTime(Number(us) / 1_000)
  }
  const first = ['-nostdin', '-y', '-nostats', '-progress', 'pipe:1']
  await runLongTool('ffmpeg', [...first, ...args, inputUrl(to)], { timeoutMs, signal, onOutput, cwd: dirname(to) })
  return pictures > 0
}

const quickStart = ({ format }: Holder) => (format === 'mp4' || format === 'mov' ? ['-movflags', '+faststart'] : [])

/**
 * Copies a video with captions, of a SubRip file, as a track: complete, as verified by ffprobe, or not at all.
 * @throws ToolError if this recording does not allow it, AbortError
 */
export async function addTrack(wanted: Wanted, { extension, durationMs }: Recording, making: Making): Promise<void> {
  const holder = pickContainer(extension, 'soft')
  const recording = [...safeInput(wanted.media), '-xerror', '-i', inputUrl(wanted.media)]
  const captions = ['-protocol_whitelist', 'file', '-f', 'srt', '-i', inputUrl(wanted.captions)]
  const tracks = ['-map', '0:V:0', '-map', '0:a?', '-map', '1:0', '-c', 'copy', '-c:s', holder.codec]
  const about = ['-metadata:s:s:0', 'language=eng', '-disposition:s:0', 'default', '-map_metadata', '0']
  const output = [...quickStart(holder), '-f', holder.format]
  await write(wanted.to, [...recording, ...captions, ...tracks, ...about, ...output], making)
  await requireWhole(wanted.to, 'soft', durationMs, making.signal)
}

/** Decoded before a slice, and dropped: what a decoder makes of the first pictures after a seek may be damaged. */
const leadMs = 10_000

/** Lines of a small picture at most. */
const smallLines = 360

/** What is done to each picture: captions are drawn on it, or it is made small enough to be drawn quickly. */
function pictureFilters(captions: string | null, fonts: string): { filters: string[]; quality: string[] } {
  const even = 'scale=trunc(iw/2)*2:trunc(ih/2)*2'
  if (captions === null) {
    const small = String.raw`scale=-2:min(${smallLines}\,trunc(ih/2)*2):flags=fast_bilinear`
    // A jump decodes from the nearest key picture.
    return { filters: [small], quality: ['-preset', 'ultrafast', '-crf', '28', '-g', '50'] }
  }
  const drawn = `subtitles=filename=${basename(captions)}:fontsdir=${filterValue(fonts)}`
  return { filters: [drawn, even], quality: ['-preset', 'veryfast', '-crf', '20'] }
}

/**
 * Draws captions, of an ASS file, on a part of a video, or makes its picture small: a Matroska file of pictures alone,
 * the first at its start.
 * @param captions null: none, and a small picture
 * @param fonts a directory
 * @param slice in milliseconds; the last one has no end
 * @returns whether it has any pictures
 * @throws ToolError if this recording does not allow it, AbortError
 */
export async function drawSlice(
  { media, captions, to }: Omit<Wanted, 'captions'> & { captions: string | null },
  fonts: string,
  slice: { startMs: number; endMs: number | null },
  making: Making,
): Promise<boolean> {
  const from = Math.max(0, slice.startMs - leadMs)
  const [seek, start] = [from / 1_000, slice.startMs / 1_000]
  const end = slice.endMs === null ? '' : `:${slice.endMs / 1_000}`
  const length = slice.endMs === null ? [] : ['-t', String((slice.endMs - from) / 1_000)]
  // The pictures after a seek may lack others that they refer to, which is no reason to stop.
  const strict = from === 0 ? ['-xerror'] : []
  const input = [...safePictures(media), ...strict, '-ss', String(seek), ...length, '-i', inputUrl(media)]
  const picture = pictureFilters(captions, fonts)
  const filters = [
    `setpts=PTS+${seek}/TB,trim=${start}${end}`,
    ...picture.filters,
    String.raw`setpts=if(eq(N\,0)\,0\,PTS-${start}/TB)`,
  ]
  const video = ['-c:v', 'libx264', ...picture.quality, '-pix_fmt', 'yuv420p', '-f', 'matroska']
  return await write(to, [...input, '-map', '0:V:0', '-vf', filters.join(','), ...video], making)
}

/**
 * Joins slices of drawn pictures with the sound of their recording, or of small ones without it: complete, as verified by
 * ffprobe, or not at all.
 * @param media null: without sound
 * @param slices files next to `to`, whose names have only letters, digits and hyphens; null: it had no pictures
 * @throws ToolError if this recording does not allow it, AbortError
 */
export async function joinSlices(
  { media, to, durationMs }: Pick<Wanted, 'to'> & Pick<Recording, 'durationMs'> & { media: MediaSource | null },
  slices: readonly (string | null)[],
  sliceMs: number,
  making: Making,
): Promise<void> {
  const parts: { path: string; ms: number }[] = []
  for (const path of slices) {
    const last = parts.at(-1)
    if (path !== null) parts.push({ path, ms: sliceMs })
    else if (last !== undefined) last.ms += sliceMs
  }
  // With its length, each begins exactly where it belongs, however long its pictures are.
  const lines = parts.map(({ path, ms }) => `file 'file:${path}'\nduration ${ms / 1_000}\n`)
  await writeFile(`${to}-list`, ['ffconcat version 1.0\n', ...lines].join(''), { mode: 0o600 })
  const pictures = ['-v', 'error', '-f', 'concat', '-safe', '0', '-i', inputUrl(`${to}-list`)]
  const sound = media === null ? [] : [...safeInput(media), '-xerror', '-i', inputUrl(media)]
  const soundTracks = ['-map', '1:a?', '-c:a', 'aac', '-b:a', '160k', '-map_metadata', '1']
  const tracks = ['-map', '0:v:0', '-c:v', 'copy', ...(media === null ? [] : soundTracks)]
  await write(to, [...pictures, ...sound, ...tracks, ...quickStart(burntHolder), '-f', burntHolder.format], making)
  // Pictures may end before their sound.
  await requireWhole(to, 'burnt', media === null ? 0 : durationMs, making.signal)
}

const probed = z.object({
  streams: z.array(z.object({ codec_type: z.optional(z.string()) })),
  format: z.object({ duration: z.optional(z.string()) }),
})

/** ffmpeg may exit successfully after writing only a part. @throws ToolError */
async function requireWhole(path: string, kind: CaptionKind, durationMs: number, signal: AbortSignal): Promise<void> {
  const args = [...safeInput(path), '-show_entries', 'stream=codec_type:format=duration', '-of', 'json', inputUrl(path)]
  const printed = await runTool('ffprobe', args, { timeoutMs: 60_000, maxOutputBytes: 100_000, signal })
  const { streams, format } = z.parse(probed, JSON.parse(printed))
  const types = streams.map(({ codec_type }) => codec_type)
  const isWhole = Number(format.duration) * 1_000 > durationMs - toleranceMs
  if (!types.includes('video') || types.includes('subtitle') !== (kind === 'soft') || !isWhole) {
    throw new ToolError('The video with captions is not whole.')
  }
}
