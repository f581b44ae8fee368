import type { CorrectionSet, PatchWord } from '../../../contract/account/corrections.ts'
import type { DeskWord } from '../../../contract/work/parts.ts'
import type { StoredWord } from '../../../text/build-transcript.ts'
import { findDifferences } from '../../../text/differences.ts'
import { applyPatches, makePatch, type PatchSource } from '../../../text/patches.ts'
import { fitSpeakers, indexOfName } from '../../../text/speakers.ts'
import { TextFingerprint } from '../../../text/text-fingerprint.ts'
import { type Transcript, voicedWords } from '../../../text/transcript.ts'

/** Words with the names of their speakers, by `speaker`. */
export type PartText = { words: DeskWord[]; names: readonly string[] }

/** All words of a transcript in order. */
export function toDeskWords(transcript: Pick<Transcript, 'turns'>): DeskWord[] {
  return Array.from(voicedWords(transcript), ({ record: { word, start, end, conf }, speaker, endsTurn }) => {
    return { word, start, end, conf, speaker: speaker ?? -1, ...(endsTurn && { turn: true }) }
  })
}

/** Identifies the text that corrections apply to, in the same way as a finished file's. */
export function fingerprintWords(words: readonly DeskWord[]): string {
  const fingerprint = new TextFingerprint()
  for (const { word, start, turn } of words) fingerprint.add(`${word}${turn ? '\n' : ' '}`, [start])
  return fingerprint.toString()
}

/** Applies corrections to a text; positions of patches are positions of its words. */
export function correctedText(text: PartText, set: CorrectionSet | null): PartText {
  if (set === null) return text
  const { names, patches } = fitSpeakers(text.names, set)
  const fromPatch = ({ text, start, end, conf, endsTurn, speaker }: PatchWord): DeskWord => {
    return { word: text, start, end, conf: conf ?? 1, speaker, ...(endsTurn && { turn: true }) }
  }
  return { words: applyPatches(text.words, patches, fromPatch), names }
}

/** Joins the texts of consecutive parts: equal names are one speaker. */
export function joinTexts(texts: readonly PartText[]): PartText {
  const names: string[] = []
  const words = texts.flatMap((text) => {
    const places = text.names.map((name) => indexOfName(names, name))
    return text.words.map((word) => ({ ...word, speaker: places[word.speaker] ?? -1 }))
  })
  return { names, words: words.map((word, index) => withTurn(word, words[index + 1])) }
}

function withTurn({ turn, ...word }: DeskWord, next: DeskWord | undefined): DeskWord {
  return next !== undefined && (turn === true || next.speaker !== word.speaker) ? { ...word, turn: true } : word
}

/**
 * The minimal corrections that turn one text into another: unchanged words keep the times of the first. Null if nothing
 * changed.
 */
export function correctionsTo(base: PartText, wanted: PartText): CorrectionSet | null {
  const isSame = (mine: number, theirs: number) => {
    const [a, b] = [base.words[mine] as DeskWord, wanted.words[theirs] as DeskWord]
    return a.word === b.word && a.turn === b.turn && speakerName(base, a) === speakerName(wanted, b)
  }
  const differences = findDifferences(base.words.length, wanted.words.length, isSame)
  if (differences.length === 0) return null
  const names = [...base.names]
  const speakers = wanted.names.map((name) => indexOfName(names, name))
  const source: PatchSource = {
    count: base.words.length,
    wordText: (index) => base.words[index]?.word ?? '',
    startOf: (index) => base.words[index]?.start ?? 0,
  }
  const patches = differences.map(({ from, to, begin, end }) => {
    const words = wanted.words.slice(begin, end).map(({ word, start, end, conf, turn, speaker }): PatchWord => {
      return { text: word, start, end, conf, endsTurn: turn === true, speaker: speakers[speaker] ?? -1, old: -1 }
    })
    return makePatch(source, from, to, words)
  })
  return { fingerprint: fingerprintWords(base.words), baseNames: base.names, names, patches }
}

function speakerName({ names }: PartText, { speaker }: DeskWord): string | undefined {
  return names[speaker]
}

/** Counts marks of inaudible passages: `[blank 12:31]`. */
export function countBlanks(words: readonly DeskWord[]): number {
  return (
    words
      .map(({ word }) => word)
      .join(' ')
      .match(/\[blank [\d:]+\]/gi)?.length ?? 0
  )
}

/** Converts a text to the stored words of a finished file. */
export function toStoredWords({ words, names }: PartText): StoredWord[] {
  const named = new Set<number>()
  return words.map(({ word, start, end, conf, turn, speaker }): StoredWord => {
    const stored: StoredWord = { word, start, end, duration: Math.round((end - start) * 1_000) / 1_000, conf }
    if (turn === true) Object.assign(stored, { turn: true, turn_conf: 1 })
    if (speaker < 0) return stored
    const name = named.has(speaker) ? undefined : names[speaker]
    named.add(speaker)
    return { ...stored, speaker, ...(name !== undefined && { name }) }
  })
}
