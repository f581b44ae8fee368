import { basename, dirname } from 'node:path'
import * as z from 'zod/mini'
import type { MediaExtension } from '../../../contract/interface/media-formats.ts'
import { inputUrl, type MediaSource, safeInput } from './media-source.ts'
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

/** Timeouts in milliseconds. Copying takes seconds; drawing on each picture about as long as the recording. */
const longestMs = { soft: 30 * 60_000, burnt: 6 * 60 * 60_000 }
/** How much shorter than its recording a video may be; captions end no later than either. Milliseconds. */
const toleranceMs = 1_000

/** Text as a value within a filter graph: escaped for the value, then for the graph. */
function filterValue(text: string): string {
  return text.replaceAll(/[\\':]/g, '\\$&').replaceAll(/[\\',;[\]]/g, '\\$&')
}

export type Captioned = {
  /** the recording */
  media: MediaSource
  extension: MediaExtension
  durationMs: number
  /** a SubRip file, of burnt captions ASS, next to `to`; its name has only letters, digits and hyphens */
  captions: string
  kind: CaptionKind
  /** a directory of fonts for burnt captions */
  fonts: string
  /** output path */
  to: string
}

/**
 * Writes a video with captions: complete, as verified by ffprobe, or not at all.
 * @throws ToolError if this recording does not allow it, AbortError on `signal`
 */
export async function writeCaptioned(wanted: Captioned, signal: AbortSignal): Promise<void> {
  const { kind, to, durationMs } = wanted
  const args = [
    '-nostdin',
    '-y',
    ...safeInput(wanted.media),
    '-xerror',
    '-i',
    inputUrl(wanted.media),
    ...trackArgs(wanted),
  ]
  const holder = pickContainer(wanted.extension, kind)
  const fast = holder.format === 'mp4' || holder.format === 'mov' ? ['-movflags', '+faststart'] : []
  const output = ['-map_metadata', '0', ...fast, '-f', holder.format, inputUrl(to)]
  const limits = { timeoutMs: longestMs[kind], maxOutputBytes: 10_000, signal }
  // Its own directory, so that the captions' path needs no escapes.
  await runLongTool('ffmpeg', [...args, ...output], { ...limits, cwd: dirname(to) })
  await requireWhole(to, kind, durationMs, signal)
}

function trackArgs({ kind, captions, fonts, extension }: Captioned): string[] {
  const tracks = ['-map', '0:V:0', '-map', '0:a?']
  if (kind === 'burnt') {
    const drawn = `subtitles=filename=${basename(captions)}:fontsdir=${filterValue(fonts)}`
    const video = ['-vf', `${drawn},scale=trunc(iw/2)*2:trunc(ih/2)*2`, '-c:v', 'libx264', '-preset', 'veryfast']
    return [...tracks, ...video, '-crf', '20', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '160k']
  }
  const { codec } = pickContainer(extension, kind)
  const subtitles = ['-c:s', codec, '-metadata:s:s:0', 'language=eng', '-disposition:s:0', 'default']
  return [
    '-protocol_whitelist',
    'file',
    '-f',
    'srt',
    '-i',
    inputUrl(captions),
    ...tracks,
    '-map',
    '1:0',
    '-c',
    'copy',
    ...subtitles,
  ]
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
