import type { Container } from './containers.ts'
import { inputUrl, type MediaSource, safeInput } from './media-source.ts'
import { runTool, ToolError } from './run-tool.ts'

export type Claimed = {
  container: Container
  /** length according to the container in seconds, NaN if unknown */
  seconds: number
  startSeconds: number
  bytes: number
  /** bits per second of uncompressed samples, null if the audio is compressed */
  pcmBitRate: number | null
}

const indexed: readonly Container[] = ['mp4', 'matroska', 'avi', 'mxf', 'asf', 'flv']
const scanWholeUpToBytes = 64_000_000
const toleranceSeconds = 0.1
const tailSeconds = 5

/**
 * Measures the true length of a recording in milliseconds. Containers estimate it (mp3, aac, amr), lack it (webm of
 * browsers) or state one that a truncated copy no longer has. Uncompressed samples are measured by their number, large
 * indexed files by whether their last seconds exist, everything else by reading all packets.
 */
export async function trueDurationMs(source: MediaSource, claimed: Claimed, signal?: AbortSignal): Promise<number> {
  const seconds = await trueSeconds(source, claimed, signal)
  return Math.round(seconds * 1_000)
}

async function trueSeconds(source: MediaSource, claimed: Claimed, signal?: AbortSignal): Promise<number> {
  if (claimed.pcmBitRate !== null && claimed.seconds >= 0) {
    return Math.min(claimed.seconds, (claimed.bytes * 8) / claimed.pcmBitRate)
  }
  if (claimed.bytes > scanWholeUpToBytes && indexed.includes(claimed.container) && claimed.seconds > tailSeconds) {
    const end = await endOfTail(source, claimed.seconds - tailSeconds, signal)
    if (Math.abs(end - claimed.startSeconds - claimed.seconds) < 5 * toleranceSeconds) return claimed.seconds
  }
  const scanned = await scanSeconds(source, packets, signal)
  if (Math.abs(scanned - claimed.seconds) < toleranceSeconds) return claimed.seconds
  // Between chained Ogg recordings the times of packets jump by up to a second.
  return claimed.container === 'ogg' ? await scanSeconds(source, samples, signal) : scanned
}

/** When the last packet after a time ends, in seconds; NaN if there is none, or its time is unknown. */
async function endOfTail(source: MediaSource, fromSeconds: number, signal?: AbortSignal): Promise<number> {
  const args = ['-read_intervals', `${fromSeconds}%`, '-show_entries', 'packet=pts_time,duration_time']
  try {
    const printed = await runTool(
      'ffprobe',
      [...safeInput(source), ...args, '-of', 'compact=p=0:nk=1', inputUrl(source)],
      {
        timeoutMs: 60_000,
        maxOutputBytes: 1_000_000,
        signal,
      },
    )
    const ends = printed.split('\n').map((line) => {
      const [start, duration] = line.split('|')
      return Number.parseFloat(start ?? '') + Number.parseFloat(duration ?? '')
    })
    return ends.reduce((last, end) => (Number.isNaN(last) || end > last ? end : last), Number.NaN)
  } catch (error) {
    if (error instanceof ToolError) return Number.NaN // this is only a shortcut
    throw error
  }
}

/** Copies every packet without decoding, which repairs timestamp jumps. */
const packets = ['-map', '0:a', '-map', '0:V?', '-c', 'copy']
/** Counts the samples of the first audio track. */
const samples = ['-map', '0:a:0', '-af', 'asetpts=N/SR/TB']

/** Reads all of a recording by ffmpeg. @returns the time at which its output ends, in seconds */
async function scanSeconds(source: MediaSource, what: readonly string[], signal?: AbortSignal): Promise<number> {
  const output = [...what, '-f', 'null', '-progress', 'pipe:1', '-stats_period', '60']
  const printed = await runTool('ffmpeg', [...safeInput(source), '-nostdin', '-i', inputUrl(source), ...output, '-'], {
    timeoutMs: 600_000,
    maxOutputBytes: 1_000_000,
    signal,
  })
  const times = [...printed.matchAll(/^out_time_us=(-?\d+)$/gm)]
  return Math.max(0, Number(times.at(-1)?.[1] ?? 0) / 1_000_000)
}
