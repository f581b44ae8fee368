import type { Container } from './containers.ts'
import { inputUrl, safeInput } from './media-source.ts'
import { runTool, ToolError } from './run-tool.ts'

/** The MIME type of listening copies: Opus in WebM, which all browsers of today play; jumps were timed in Chromium (decision 120). */
export const copyMimeType = 'audio/webm'

/** How far the length of a player may be from the service's. Milliseconds. */
const mostApartMs = 300

/** Codecs that browsers play in a container; Chromium was heard to jump within 50 ms in WAV, MP4 and WebM. */
const exactCodecs: Partial<Record<Container, readonly string[]>> = {
  wav: ['pcm_u8', 'pcm_s16le', 'pcm_s24le'],
  mp4: ['aac'],
  matroska: ['opus', 'vorbis'],
}

/**
 * Whether players play a recording itself at the times of its words, so that it needs no listening copy.
 * @param head its first bytes. Firefox takes a fragmented MP4 for as long as what it has read of it, and jumps no further
 * @param claimedMs its length according to its header, which players believe; NaN if unknown
 */
export function seeksExactly({
  head,
  container,
  audioCodec,
  claimedMs,
  durationMs,
}: {
  head: Uint8Array
  container: Container
  audioCodec: string
  claimedMs: number
  durationMs: number
}): boolean {
  const isKnown = exactCodecs[container]?.includes(audioCodec) === true
  const isFragmented = container === 'mp4' && Buffer.from(head).includes('mvex')
  return isKnown && !isFragmented && Math.abs(claimedMs - durationMs) <= mostApartMs
}

/**
 * Whether a copy is as long as its recording: its header states a length only once its last byte is written.
 * @throws ServiceError 503 if ffprobe is not installed; AbortError on `signal`
 */
export async function isWholeCopy(path: string, decodedMs: number, signal: AbortSignal): Promise<boolean> {
  const show = ['-show_entries', 'format=duration', '-of', 'csv=p=0']
  const limits = { timeoutMs: 60_000, maxOutputBytes: 1_000, signal }
  try {
    const seconds = Number.parseFloat(await runTool('ffprobe', [...safeInput(path), ...show, inputUrl(path)], limits))
    return Math.abs(seconds * 1_000 - decodedMs) <= mostApartMs
  } catch (error) {
    if (error instanceof ToolError) return false
    throw error
  }
}
