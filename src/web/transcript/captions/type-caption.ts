import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { CueEdit } from '../../../contract/account/corrections.ts'
import { setInLines, WordWidths } from '../../../formats/captions/caption-lines.ts'
import { toMediaSeconds } from '../../../formats/captions/caption-rules.ts'
import type { Cue } from '../../../formats/captions/cues.ts'
import { changeOfText, changeToCaption, wordsOfText } from '../edit/changes.ts'
import type { WordChange } from '../edit/operation.ts'
import { hold, type Made, makeChanges, withSettings } from './set-captions.ts'

/** The changes of the text, and the captions until the worker has made them from it. */
export type Typed = { changes: WordChange[]; cues: Cue[] }

/** Words of each typed line; empty lines do not count. */
function linesOf(text: string): string[][] {
  return text
    .split('\n')
    .map(wordsOfText)
    .filter((words) => words.length > 0)
}

/** How typed words are set in lines: their own line breaks, if they fit and are not those of the rules. */
function setLines(lines: readonly string[][], { mark }: Cue, { lineLength, maxLines }: CaptionRules) {
  const words = lines.flat()
  const widths = new WordWidths(words)
  let count = 0
  const ends = lines.map((line) => (count += line.length))
  const automatic = setInLines(widths, 0, words.length, { lineLength, maxLines }, mark.length)?.ends
  const isFitting = lines.every((line, at) => line.join(' ').length + (at === 0 ? mark.length : 0) <= lineLength)
  const isOwn = lines.length > 1 && lines.length <= maxLines && isFitting && ends.join() !== automatic?.join()
  const shown = (isOwn ? ends : (automatic ?? ends)).map((end, at, all) => words.slice(all[at - 1] ?? 0, end).join(' '))
  return { shown, breaks: isOwn ? ends.slice(0, -1) : undefined }
}

/**
 * Replaces the text of a caption, which then stays a caption of its own; without any words it is removed.
 * @param splitAt a second caption begins at this word of the text; null: none
 * @returns null if nothing changes
 */
export function typeCaption(made: Made, index: number, text: string, splitAt: number | null): Typed | null {
  const cue = made.cues[index]
  if (cue === undefined) return null
  const lines = linesOf(text)
  const words = lines.flat()
  if (splitAt === null && lines.map((line) => line.join(' ')).join('\n') === cue.lines.join('\n')) return null
  const end = made.cues[index + 1]?.word ?? made.table.count
  if (words.length === 0) {
    const removal = changeOfText(made.table, cue.word, end, '')
    const next = made.cues[index + 1]
    // What the rules split from it keeps its settings.
    const kept =
      next?.continues === true && !cue.continues ? new Map([[next.word, next.edit]]) : new Map<number, CueEdit>()
    const around = { ...made, cues: withSettings(made.cues, kept) }
    return (
      removal && {
        changes: [removal, ...makeChanges(made.table, kept)],
        cues: replaceCue(around, index, [], cue.word - end),
      }
    )
  }
  const isSplit = splitAt !== null && splitAt > 0 && splitAt < words.length
  const { shown, breaks } = setLines(lines, cue, made.rules)
  const pins = hold(made, index, {
    ...keptTimes(made, cue, end, words),
    breaks: isSplit ? undefined : breaks,
    fixed: undefined,
  })
  const whole = pins.get(cue.word) ?? {}
  pins.delete(cue.word)
  const second: CueEdit = { whole: true, end: whole.end, top: whole.top }
  const settings = new Map([[0, isSplit ? { ...whole, end: undefined } : whole]])
  if (isSplit) settings.set(splitAt, second)
  const change = changeToCaption(made.table, cue.word, end, words, settings)
  const typed: Cue = {
    ...cue,
    lines: isSplit ? [words.slice(0, splitAt).join(' ')] : shown,
    edit: settings.get(0),
    continues: false,
  }
  const cues = isSplit ? splitCue(typed, words.slice(splitAt), cue.word + splitAt, second) : [typed]
  const around = { ...made, cues: withSettings(made.cues, pins) }
  return {
    changes: [...makeChanges(made.table, pins), ...(change === null ? [] : [change])].sort((a, b) => a.at - b.at),
    cues: replaceCue(around, index, cues, words.length - (end - cue.word)),
  }
}

/**
 * The times that a caption of the words up to `end` keeps: another first word may have been spoken at another time, and
 * fewer words are to be read in the time that there was.
 */
function keptTimes({ table, rules }: Made, { edit, word, startMs, endMs }: Cue, end: number, typed: readonly string[]) {
  const start = edit?.start ?? (typed[0] === table.wordText(word) ? undefined : toMediaSeconds(startMs, rules))
  const isShorter = typed.length < end - word && typed.at(-1) !== table.wordText(end - 1)
  return isShorter ? { start, end: edit?.end ?? toMediaSeconds(endMs, rules) } : { start }
}

/** The two captions until their times are made. */
function splitCue(cue: Cue, words: readonly string[], word: number, edit: CueEdit): Cue[] {
  const middleMs = Math.round((cue.startMs + cue.endMs) / 2)
  const second = { ...cue, startMs: middleMs, lines: [words.join(' ')], mark: '', word, edit }
  return [{ ...cue, endMs: middleMs }, second]
}

function replaceCue({ cues }: Made, index: number, by: readonly Cue[], added: number): Cue[] {
  const after = cues.slice(index + 1).map((cue) => (added === 0 ? cue : { ...cue, word: cue.word + added }))
  return [...cues.slice(0, index), ...by, ...after]
}

/** A caption and the next one as one, until the worker has made it. */
export function joinCues({ cues, rules }: Made, index: number, edit: CueEdit | undefined): Cue[] {
  const [cue, next] = [cues[index], cues[index + 1]]
  if (cue === undefined || next === undefined) return [...cues]
  const words = wordsOfText([...cue.lines, ...next.lines].join(' '))
  const lines = setLines([words], cue, rules).shown
  return [...cues.slice(0, index), { ...cue, lines, endMs: next.endMs, edit }, ...cues.slice(index + 2)]
}
