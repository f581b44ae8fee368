import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { CueEdit } from '../../../contract/account/corrections.ts'
import { frameMs, toCaptionMs } from '../../../formats/captions/caption-rules.ts'
import { type Cue, shownLines } from '../../../formats/captions/cues.ts'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { type Made, measureRoom, moveEdge, type Retimed, withSettings } from './set-captions.ts'

/** Maximum time that a caption may appear before its first word. Milliseconds. */
const mostEarlyMs = 500

/** Minimum duration for a caption to be readable. */
function neededMs(cue: Cue, { charactersPerSecond, minSeconds }: CaptionRules): number {
  return Math.ceil(Math.max((shownLines(cue).join(' ').length * 1_000) / charactersPerSecond, minSeconds * 1_000))
}

const cueMs = ({ startMs, endMs }: Cue): number => endMs - startMs

/**
 * New times for captions that are too short, too fast or too close to the next, if timing alone fixes them without
 * making another caption violate a rule: a later end, and an earlier start after the previous caption's last word.
 * @param recordingMs no caption is made to end later
 */
export function fixTiming(made: Made, recordingMs: number): Retimed {
  let cues = [...made.cues]
  const settings = new Map<number, CueEdit | undefined>()
  let count = 0
  for (const index of made.cues.keys()) {
    const times = timesFor({ ...made, cues }, index, recordingMs)
    if (times === null) continue
    count++
    for (const edge of ['start', 'end'] as const) {
      const cue = cues[index] as Cue
      if (times[edge] === (edge === 'start' ? cue.startMs : cue.endMs)) continue
      const wanted = moveEdge({ ...made, cues }, index, edge, times[edge])
      if (typeof wanted === 'string') continue
      for (const [word, set] of wanted) settings.set(word, set)
      cues = withSettings(cues, wanted)
      cues[index] = { ...(cues[index] as Cue), [`${edge}Ms`]: times[edge] }
    }
    const before = cues[index - 1]
    const gapMs = made.rules.gapFrames * frameMs
    if (before !== undefined) cues[index - 1] = { ...before, endMs: Math.min(before.endMs, times.start - gapMs) }
  }
  return { settings, count }
}

/** What was fixed, in words. @param left captions that still break a rule */
export function describeFix(fixed: number, left: number): { title: string; detail?: string } {
  const [those, them] = left === 1 ? ['this one', 'it'] : [`these ${countText(left)}`, 'them']
  const rest = `Timing cannot fix ${those}: shorten or split ${them}.`
  if (fixed === 0) return { title: rest }
  return { title: `${formatCount(fixed, 'caption')} fixed`, detail: left > 0 ? rest : 'All keep the rules.' }
}

/** The times at which a caption satisfies the timing rules; null if it already does, or cannot. */
function timesFor(made: Made, index: number, recordingMs: number): { start: number; end: number } | null {
  const { cues, rules, table } = made
  const [before, cue, next] = [cues[index - 1], cues[index], cues[index + 1]]
  if (cue === undefined) return null
  const gapMs = rules.gapFrames * frameMs
  const needed = neededMs(cue, rules)
  const untilMs = next === undefined ? recordingMs : next.startMs - gapMs
  if (cueMs(cue) >= needed && cue.endMs <= untilMs) return null
  if (needed > rules.maxSeconds * 1_000) return null
  const end = Math.min(Math.max(cue.endMs, cue.startMs + needed), untilMs)
  if (end - cue.startMs >= needed) return { start: cue.startMs, end }
  const start = end - needed
  const spokenMs = toCaptionMs(table.startOf(cue.word), rules)
  const freeMs = before === undefined ? 0 : freeFrom(made, before, cue) + gapMs
  const [earliest] = measureRoom(made, index, 'start')
  return start >= Math.max(freeMs, earliest, spokenMs - mostEarlyMs) ? { start, end } : null
}

/** The earliest end of the previous caption: once it has been spoken and can be read, or its fixed end. */
function freeFrom({ rules, table }: Made, before: Cue, { word }: Cue): number {
  if (before.edit?.end !== undefined) return before.endMs
  const spokenMs = toCaptionMs(table.endOf(word - 1), rules)
  return Math.min(before.endMs, Math.max(spokenMs, before.startMs + neededMs(before, rules)))
}
