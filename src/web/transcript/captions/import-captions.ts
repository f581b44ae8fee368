import type { CueEdit } from '../../../contract/account/corrections.ts'
import { type ReadCaptions, readCaptions } from '../../../formats/captions/read-captions.ts'
import { findDifferences } from '../../../text/differences.ts'
import { plainText } from '../../../text/plain-text.ts'
import { shareTime } from '../../../text/share-time.ts'
import { wordsOfText } from '../edit/changes.ts'
import { newWord, type Word } from '../model/word.ts'
import { WordTable } from '../model/word-table.ts'
import { decodeCaptions } from './decode-captions.ts'
import { type CaptionWord, fitTimes } from './fit-times.ts'
import { type Tidied, type TidyCaption, tidyCaptions } from './tidy-captions.ts'

/** What an import would make of a text. */
export type Import = Omit<ReadCaptions, 'captions'> & {
  encoding: string
  /** the text with the captions of the file in the place of its own */
  table: WordTable
  tidied: Tidied
  count: number
  /** captions with other words than the text */
  different: { startMs: number; text: string }[]
  /** words of the text that are in no caption of the file */
  removedWords: number
  /** captions with words of two turns, which become one for each */
  ofTwoTurns: number
}

/** A caption keeps its own lines with at most this many words, and lines. */
const [mostWords, mostLines] = [100, 3] as const
/** How far a recognized word may lie before its caption and keep its time. Seconds. */
const earlySeconds = 0.5
const largestBytes = 20_000_000

/** Words are the same in whatever case and punctuation; those without letters are compared as they are. */
function wordKey(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') || text
}

/** A text with captions: `hasMarks` if they show its speakers. */
export type Target = { table: WordTable; names: readonly string[]; hasMarks: boolean }

/** @param mark of a speaker, a dash or a name, that stands before it in the file; else empty */
type FileWord = { text: string; caption: number; line: number; mark: string }

/** The words of captions; a mark at the beginning of a line is none. */
function wordsOfCaptions(captions: readonly TidyCaption[], names: readonly string[]): FileWord[] {
  const marks = ['-', '–', '—', ...names.flatMap((name) => (name === '' ? [] : `${name}:`))]
  return captions.flatMap(({ lines }, caption) =>
    lines.flatMap((read, line) => {
      const text = plainText(read)
      const mark = marks.find((one) => text.startsWith(one) && text.length > one.length) ?? ''
      return wordsOfText(text.slice(mark.length)).map((text, at) => ({
        text,
        caption,
        line,
        mark: at === 0 ? mark : '',
      }))
    }),
  )
}

/**
 * Captions at the times of the file, as seconds of the recording.
 * @throws Error in words, if there are no captions
 */
export function importCaptions(bytes: Uint8Array, { table, names, hasMarks }: Target): Import {
  if (bytes.length > largestBytes) throw new Error('The file is larger than 20 MB. Caption files are far smaller.')
  const { text, encoding } = decodeCaptions(bytes)
  const { captions: read, ...about } = readCaptions(text)
  const { captions, tidied } = tidyCaptions(read)
  if (captions.length === 0) throw new Error('No captions were found in this file. It can be SRT, WebVTT or SBV.')
  const words = wordsOfCaptions(captions, names)
  const { made, matched } = alignWords(table, words, captions)
  restoreMarks(made, words, hasMarks)
  const ofTwoTurns = setCaptions(made, words, captions, tidied)
  const different = captions.flatMap(({ startMs, lines }, at) =>
    matched[at] ? [] : { startMs, text: lines.join(' ') },
  )
  const removedWords = table.count - made.filter(({ isKept }) => isKept).length
  const imported = WordTable.from(made.map(({ word }) => word))
  return { ...about, encoding, table: imported, tidied, count: captions.length, different, removedWords, ofTwoTurns }
}

type MadeWord = { word: Word; isKept: boolean }

/** The words of a file, with times, speakers and turns of the same words of the text. */
function alignWords(table: WordTable, words: readonly FileWord[], captions: readonly TidyCaption[]) {
  const old = Array.from({ length: table.count }, (_, at) => wordKey(table.wordText(at)))
  const keys = words.map(({ text }) => wordKey(text))
  const made: MadeWord[] = []
  const matched = captions.map(() => true)
  const keep = (from: number, to: number) => {
    for (let at = from; at < to; at++) made.push({ word: { ...table.word(at), cue: undefined }, isKept: true })
  }
  let from = 0
  for (const place of findDifferences(old.length, keys.length, (a, b) => old[a] === keys[b])) {
    keep(from, place.from)
    const replaced = table.words(place.from, place.to)
    const speaker = (replaced[0] ?? table.word(Math.max(0, place.from - 1))).speaker
    for (const { text, caption } of words.slice(place.begin, place.end)) {
      matched[caption] = false
      made.push({ word: { ...newWord, start: 0, end: 0, text, conf: 1, speaker }, isKept: false })
    }
    // The turn that ended among the removed words ends with what replaces them.
    const last = made.at(-1)
    if (last !== undefined && replaced.some(({ endsTurn }) => endsTurn)) last.word = { ...last.word, endsTurn: true }
    from = place.to
  }
  keep(from, old.length)
  setTimes(made, words, shareCaptions(words, captions))
  return { made, matched }
}

/** Words of the text keep their times if those are within the caption and fit; all have the spelling of the file. */
function setTimes(made: readonly MadeWord[], words: readonly FileWord[], shared: readonly CaptionWord[]): void {
  const recognized = made.map(({ word, isKept }, at) => {
    const { span } = shared[at] as CaptionWord
    return isKept && word.start >= span.start - earlySeconds && word.start < span.end ? word : null
  })
  for (const [at, { start, end }] of fitTimes(shared, recognized).entries()) {
    const one = made[at] as MadeWord
    const { text } = words[at] as FileWord
    const isSame = one.word.text === text && one.word.start === start && one.word.end === end
    if (!isSame) one.word = { ...one.word, text, start, end, origin: -1 }
  }
}

/** The words with their captions' times. A caption without an end lasts two seconds, or until the next begins. */
function shareCaptions(words: readonly FileWord[], captions: readonly TidyCaption[]): CaptionWord[] {
  return [...Map.groupBy(words, ({ caption }) => caption)].flatMap(([caption, own]) => {
    const { startMs, endMs } = captions[caption] as TidyCaption
    const untilMs = endMs ?? Math.min(startMs + 2_000, captions[caption + 1]?.startMs ?? Number.POSITIVE_INFINITY)
    const span = { start: startMs / 1_000, end: untilMs / 1_000 }
    const texts = own.map(({ text }) => text)
    return shareTime(texts, span.start, span.end).map(({ text, start, end }) => ({
      text,
      span,
      shared: { start, end },
    }))
  })
}

/** Marks that captions do not have by themselves become text again. */
function restoreMarks(made: readonly MadeWord[], words: readonly FileWord[], hasMarks: boolean): void {
  for (const [at, { mark, text }] of words.entries()) {
    const beginsTurn = at === 0 || made[at - 1]?.word.endsTurn === true
    if (mark === '' || (hasMarks && beginsTurn)) continue
    const one = made[at] as MadeWord
    one.word = { ...one.word, text: `${mark} ${text}`, origin: -1 }
  }
}

/** Marks the first word of each caption, and of each turn in it. @returns how many captions have two turns */
function setCaptions(
  made: readonly MadeWord[],
  words: readonly FileWord[],
  captions: readonly TidyCaption[],
  tidied: Tidied,
): number {
  let ofTwoTurns = 0
  for (let from = 0; from < words.length; ) {
    const { caption } = words[from] as FileWord
    let to = from
    while (words[to]?.caption === caption) to++
    const one = captions[caption] as TidyCaption
    const starts = [from]
    for (let at = from + 1; at < to; at++) if (made[at - 1]?.word.endsTurn) starts.push(at)
    if (starts.length > 1) ofTwoTurns++
    const isDense = to - from > mostWords || one.lines.length > mostLines
    if (isDense) tidied.dense++
    for (const [index, start] of starts.entries()) {
      const end = starts[index + 1] ?? to
      const breaks = isDense ? [] : findBreaks(words, start, end)
      const cue: CueEdit = {
        whole: true,
        ...(!isDense && { fixed: true }),
        ...(index === 0 && { start: one.startMs / 1_000 }),
        ...(end === to && one.endMs !== null && { end: one.endMs / 1_000 }),
        ...(one.isTop && { top: true }),
        ...(breaks.length > 0 && { breaks }),
      }
      const first = made[start] as MadeWord
      first.word = { ...first.word, cue }
    }
    from = to
  }
  return ofTwoTurns
}

/** How many words of a caption stand before each line break. */
function findBreaks(words: readonly FileWord[], from: number, to: number): number[] {
  const breaks: number[] = []
  for (let at = from + 1; at < to; at++) if (words[at]?.line !== words[at - 1]?.line) breaks.push(at - from)
  return breaks
}
