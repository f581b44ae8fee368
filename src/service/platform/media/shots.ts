import { inputUrl, type MediaSource, safePictures } from './media-source.ts'
import { runLongTool } from './run-tool.ts'

/** ffmpeg's scene score, 0 to 1, from which on a picture begins a new shot. */
const cutScore = 0.3
/** Two changes within this time are one flash. Milliseconds. */
const leastShotMs = 200
/** Scores hardly depend on the size of pictures, but their cost does. */
const scoredWidth = 128
/** Read before a stretch, so that its first picture is compared with the one before. Milliseconds. */
const leadMs = 5_000
const timeoutMs = 60 * 60_000

/**
 * When new shots begin in a stretch of a video, in milliseconds of the recording, rising.
 * @param stretch in milliseconds; the last one has no end
 * @throws ToolError if nothing can be read of it, AbortError, ServiceError 503
 */
export async function findShots(
  media: MediaSource,
  { startMs, endMs }: { startMs: number; endMs: number | null },
  signal: AbortSignal,
): Promise<number[]> {
  const from = Math.max(0, startMs - leadMs)
  const seek = from / 1_000
  const length = endMs === null ? [] : ['-t', String((endMs - from) / 1_000)]
  const input = ['-nostdin', ...safePictures(media), '-ss', String(seek), ...length, '-i', inputUrl(media)]
  const filters = [
    `setpts=PTS+${seek}/TB`,
    `scale=${scoredWidth}:-2:flags=fast_bilinear`,
    String.raw`select=gt(scene\,${cutScore})`,
    'metadata=print:file=-',
  ]
  let printed = ''
  const onOutput = (text: string) => {
    printed += text
  }
  const output = ['-map', '0:V:0', '-vf', filters.join(','), '-f', 'null', '-']
  await runLongTool('ffmpeg', [...input, ...output], { timeoutMs, signal, onOutput })
  const shots: number[] = []
  for (const [, seconds] of printed.matchAll(/pts_time:([\d.]+)/g)) {
    const ms = Math.round(Number(seconds) * 1_000)
    const isWithin = ms > 0 && ms >= startMs && (endMs === null || ms < endMs)
    if (isWithin && ms - (shots.at(-1) ?? Number.NEGATIVE_INFINITY) >= leastShotMs) shots.push(ms)
  }
  return shots
}
