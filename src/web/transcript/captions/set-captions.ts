import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { CueEdit } from '../../../contract/account/corrections.ts'
import { setInLines, WordWidths } from '../../../formats/captions/caption-lines.ts'
import { frameMs, toCaptionMs, toMediaSeconds } from '../../../formats/captions/caption-rules.ts'
import type { Cue } from '../../../formats/captions/cues.ts'
import { changeOfWords } from '../edit/changes.ts'
import type { WordChange } from '../edit/operation.ts'
import type { WordTable } from '../model/word-table.ts'
import { atWord } from './find-caption.ts'

/** The current captions of a text. */
export type Made = { table: WordTable; cues: readonly Cue[]; rules: CaptionRules }
/** Settings of captions, by first word; undefined: removes the setting. */
export type Settings = ReadonlyMap<number, CueEdit | undefined>
/** New times of captions, and of how many. */
export type Retimed = { settings: Settings; count: number }
/** Settings to apply, or a message why that is not possible. */
export type Wanted = Settings | string

/** The changes of the text that apply settings; none if nothing differs. */
export function makeChanges(table: WordTable, settings: Settings): WordChange[] {
  return [...settings]
    .sort(([a], [b]) => a - b)
    .map(([word, cue]) => changeOfWords(table, word, word + 1, () => ({ cue })))
    .filter((change) => change !== null)
}

/** The word after a caption's last; the parts of a word longer than a line count as one caption here. */
function findEnd({ cues, table }: Made, index: number): number {
  return cues[index + 1]?.word ?? table.count
}

/**
 * Pins a caption as it is, except for what is set; the next caption's start is pinned, too. Parts of a caption that the
 * rules have split become captions of their own: an end that was set stays with the last of them.
 */
export function hold(
  { cues }: Pick<Made, 'cues'>,
  index: number,
  set: CueEdit,
  settings = new Map<number, CueEdit | undefined>(),
) {
  const [cue, next] = [cues[index], cues[index + 1]]
  if (cue === undefined) return settings
  const before = { ...(settings.get(cue.word) ?? cue.edit), ...(next?.continues === true && { end: undefined }) }
  settings.set(cue.word, { ...before, whole: true, ...set })
  if (next !== undefined && (next.edit === undefined || next.continues) && !settings.has(next.word)) {
    settings.set(next.word, next.edit ?? {})
  }
  const owner = findOwner(cues, index)
  if (owner !== cue) settings.set(owner.word, { ...(settings.get(owner.word) ?? owner.edit), end: undefined })
  return settings
}

/** The caption that this one continues; itself if it continues none. */
function findOwner(cues: readonly Cue[], index: number): Cue {
  let at = index
  while (at > 0 && cues[at]?.continues === true) at--
  return cues[at] as Cue
}

/** The captions with their settings, at the times that they had. */
export function withSettings(cues: readonly Cue[], settings: Settings): Cue[] {
  const set = [...cues]
  for (const [word, edit] of settings) {
    const at = atWord(cues, word)
    const cue = cues[at]
    if (cue?.word === word) set[at] = { ...cue, edit, continues: false }
  }
  return set
}

export const isPart = ({ cues }: Pick<Made, 'cues'>, index: number): boolean =>
  cues[index]?.word === cues[index - 1]?.word || cues[index]?.word === cues[index + 1]?.word

export const partProblem = 'A word longer than a line is cut into captions by itself.'

/** Splits a caption: a new one begins at this word of it. */
export function split(made: Made, index: number, word: number): Wanted {
  const cue = made.cues[index]
  if (cue === undefined || isPart(made, index)) return partProblem
  if (word <= cue.word || word >= findEnd(made, index)) return 'A caption of one word cannot be split.'
  const { end, top } = cue.edit ?? {}
  const settings = hold(made, index, { end: undefined, breaks: undefined, fixed: undefined })
  return settings.set(word, { whole: true, end: made.cues[index + 1]?.continues === true ? undefined : end, top })
}

/** The word at which a caption is split by default: in the middle of its letters. */
export function findMiddle({ cues, table, ...made }: Made, index: number): number {
  const first = cues[index]?.word ?? 0
  const end = findEnd({ cues, table, ...made }, index)
  const middle = (table.offsetOf(first) + table.offsetOf(end)) / 2
  let best = first + 1
  for (let word = first + 1; word < end; word++) {
    if (Math.abs(table.offsetOf(word) - middle) < Math.abs(table.offsetOf(best) - middle)) best = word
  }
  return best
}

/** The word of a caption that is spoken at a time, unless it is its first; null if there is none. */
export function findSpoken(made: Made, index: number, ms: number): number | null {
  const first = made.cues[index]?.word ?? 0
  const end = findEnd(made, index)
  for (let word = first + 1; word < end; word++)
    if (toCaptionMs(made.table.startOf(word), made.rules) > ms) return word === first + 1 ? null : word
  return null
}

/** Joins a caption with the next one. */
export function merge(made: Made, index: number): Wanted {
  const { cues, table, rules } = made
  const [cue, next] = [cues[index], cues[index + 1]]
  if (cue === undefined || next === undefined) return 'There is no caption after this one.'
  if (isPart(made, index) || isPart(made, index + 1)) return partProblem
  if (table.endsTurn(next.word - 1)) return 'The next caption is another turn: merge the turns first.'
  const end = findEnd(made, index + 1)
  const texts = Array.from({ length: end - cue.word }, (_, at) => table.wordText(cue.word + at))
  const isFitting = setInLines(new WordWidths(texts), 0, texts.length, rules, cue.mark.length) !== null
  if (!isFitting) return `Together they need more than ${rules.maxLines} lines of ${rules.lineLength} characters.`
  if (
    toCaptionMs(table.endOf(end - 1), rules) - toCaptionMs(table.startOf(cue.word), rules) >
    rules.maxSeconds * 1_000
  ) {
    return `Together they are longer than ${rules.maxSeconds} seconds.`
  }
  const isContinued = cues[index + 2]?.continues === true
  const settings = hold({ cues: cues.toSpliced(index + 1, 1) }, index, {
    end: isContinued ? undefined : next.edit?.end,
    breaks: undefined,
    fixed: undefined,
  })
  return settings.set(next.word, undefined)
}

/** Toggles a caption between the top and the bottom of the picture. */
export function place(made: Made, index: number): Wanted {
  const isTop = made.cues[index]?.edit?.top === true
  return isPart(made, index) ? partProblem : hold(made, index, { top: isTop ? undefined : true })
}

/** Resets a caption to automatic. */
export function automatic({ cues }: Pick<Made, 'cues'>, index: number): Wanted {
  const cue = findOwner(cues, index)
  const at = cues.indexOf(cue)
  const next = cues.slice(index + 1).find(({ continues }) => !continues)
  const settings = new Map<number, CueEdit | undefined>()
  if (cue.edit !== undefined) settings.set(cue.word, cues[at - 1]?.edit?.whole === true ? {} : undefined)
  // An empty setting of the next caption only marked this one's end and is no longer needed.
  if (next?.edit !== undefined && Object.keys(next.edit).length === 0) settings.set(next.word, undefined)
  return settings
}

export type Edge = 'start' | 'end'

/**
 * The range within which an edge of a caption may move, in milliseconds: words keep their order, captions never
 * overlap, and none becomes long enough to be split.
 */
export function measureRoom(made: Made, index: number, edge: Edge): [number, number] {
  const { cues, table, rules } = made
  const [before, cue, next] = [cues[index - 1], cues[index], cues[index + 1]]
  if (cue === undefined) return [0, 0]
  if (edge === 'end') return [cue.startMs + frameMs, next?.startMs ?? Number.POSITIVE_INFINITY]
  const spokenMs = cue.word === 0 ? 0 : toCaptionMs(table.startOf(cue.word - 1), rules)
  const longestMs = toCaptionMs(table.endOf(findEnd(made, index) - 1), rules) - rules.maxSeconds * 1_000
  const least = before === undefined ? 0 : Math.max(spokenMs, before.startMs) + frameMs
  return [Math.max(least, longestMs), cue.endMs - frameMs]
}

/** The captions once an edge was moved, until the worker has made them. */
export function movedCues({ cues }: Made, index: number, edge: Edge, ms: number, settings: Settings): Cue[] {
  const moved = withSettings(cues, settings)
  const cue = { ...(moved[index] as Cue), [`${edge}Ms`]: ms }
  moved[index] = cue
  const before = moved[index - 1]
  if (before !== undefined) moved[index - 1] = { ...before, endMs: Math.min(before.endMs, cue.startMs) }
  return moved
}

/** Moves an edge of a caption. @param toMs within {@link measureRoom} */
export function moveEdge(made: Made, index: number, edge: Edge, toMs: number): Wanted {
  if (isPart(made, index)) return partProblem
  const cue = made.cues[index]
  // Moving the start leaves the end in place.
  const seconds = (ms: number) => toMediaSeconds(ms, made.rules)
  const set = edge === 'end' ? { end: seconds(toMs) } : { start: seconds(toMs), end: seconds(cue?.endMs ?? toMs) }
  // An earlier start leaves the previous caption less time, which could regenerate it differently: pins it.
  const holdsBefore = edge === 'start' && index > 0 && !isPart(made, index - 1)
  return hold(made, index, set, holdsBefore ? hold(made, index - 1, {}) : undefined)
}
