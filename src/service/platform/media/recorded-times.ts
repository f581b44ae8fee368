import * as z from 'zod/mini'
import type { RecordedTime } from '../../../contract/account/file-pages.ts'
import { inputUrl, type MediaSource, safeInput } from './media-source.ts'
import { runTool } from './run-tool.ts'

const tags = z.optional(z.record(z.string(), z.string()))
const probed = z.object({
  streams: z.array(z.object({ sample_rate: z.optional(z.string()), r_frame_rate: z.optional(z.string()), tags })),
  format: z.object({ tags }),
})

const clock = /(\d\d):(\d\d):(\d\d)/

function secondsOfDay(text: string): number | null {
  const [, hours, minutes, seconds] = clock.exec(text)?.map(Number) ?? []
  if (hours === undefined || minutes === undefined || seconds === undefined) return null
  return hours < 24 && minutes < 60 && seconds < 60 ? hours * 3_600 + minutes * 60 + seconds : null
}

/** `15:06:10:12` and `25/1` give 54,370.48; null for anything else. */
function timecodeSeconds(text: string, frameRate: string): number | null {
  const seconds = secondsOfDay(text)
  const frames = Number(/^\d\d:\d\d:\d\d[:;.](\d+)$/.exec(text)?.[1])
  const [over = 0, under = 1] = frameRate.split('/').map(Number)
  if (seconds === null || Number.isNaN(frames)) return null
  const share = frames / (over / under)
  return Math.round((seconds + (share < 1 ? share : 0)) * 1_000) / 1_000
}

/** Returns the times that a recording itself says it began at: time code, a field recorder's clock, its date. */
export async function readRecordedTimes(source: MediaSource): Promise<RecordedTime[]> {
  const args = [...safeInput(source), '-show_entries', 'format_tags:stream_tags:stream=sample_rate,r_frame_rate']
  const limits = { timeoutMs: 60_000, maxOutputBytes: 4_000_000 }
  const { streams, format } = z.parse(
    probed,
    JSON.parse(await runTool('ffprobe', [...args, '-of', 'json', inputUrl(source)], limits)),
  )
  const all = [format, ...streams].map((one) => one.tags ?? {})
  const find = (name: string) => all.map((one) => one[name]).find((value) => value !== undefined)
  const times: RecordedTime[] = []

  const timecode = find('timecode')
  const frameRate = streams.find((one) => /^[1-9]/.test(one.r_frame_rate ?? ''))?.r_frame_rate ?? '25/1'
  const coded = timecode === undefined ? null : timecodeSeconds(timecode, frameRate)
  if (timecode !== undefined && coded !== null) times.push({ source: 'time code', text: timecode, seconds: coded })

  // Broadcast WAV: samples since midnight.
  const samples = Number(find('time_reference') || Number.NaN)
  const sampleRate = Number(streams.find((one) => Number(one.sample_rate) > 0)?.sample_rate)
  const since = Math.round((samples / sampleRate) * 1_000) / 1_000
  if (since > 0 && since < 86_400) times.push({ source: 'recorder', text: '', seconds: since })

  // Apple's has the local time; the other one is UTC, which only a browser can show in the reader's zone.
  const local = find('com.apple.quicktime.creationdate')
  const made = local ?? find('creation_time')
  const at = Date.parse(made ?? '')
  // Containers count from 1904 or 1970: that is a clock that was never set.
  if (made !== undefined && at > Date.UTC(1990, 0)) {
    times.push({
      source: 'date',
      text: new Date(at).toISOString(),
      seconds: local === undefined ? null : secondsOfDay(made),
    })
  }
  return times
}
