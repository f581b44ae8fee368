import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { DeskWord } from '../../../contract/work/parts.ts'
import { TextFingerprint } from '../../../text/text-fingerprint.ts'
import type { Transcript } from '../../../text/transcript.ts'
import type { StoredWord } from './stored-words.ts'

/** Words with the names of those who say them, by `speaker`. */
export type PartText = { words: DeskWord[]; names: readonly string[] }

/** A transcript's words in a row. */
export function deskWordsOf({ turns }: Pick<Transcript, 'turns'>): DeskWord[] {
  return turns.flatMap(({ speaker, words }, turn) =>
    words.map(({ word, start, end, conf }, index): DeskWord => {
      const endsTurn = index === words.length - 1 && turn < turns.length - 1
      return { word, start, end, conf, speaker: speaker ?? -1, ...(endsTurn && { turn: true }) }
    }),
  )
}

/** Identifies the text that corrections are made to, as that of a finished file is. */
export function fingerprintOf(words: readonly DeskWord[]): string {
  const fingerprint = new TextFingerprint()
  for (const { word, start, turn } of words) fingerprint.add(`${word}${turn ? '\n' : ' '}`, [start])
  return fingerprint.toString()
}

/** A text with its corrections; places of the patches are places of its words. */
export function correctedText({ words, names }: PartText, set: CorrectionSet | null): PartText {
  if (set === null) return { words, names }
  const corrected: DeskWord[] = []
  let done = 0
  for (const patch of set.patches) {
    corrected.push(...words.slice(done, patch.from))
    for (const { text, start, end, conf, endsTurn, speaker } of patch.words) {
      corrected.push({ word: text, start, end, conf: conf ?? 1, speaker, ...(endsTurn && { turn: true }) })
    }
    done = patch.to
  }
  return { words: [...corrected, ...words.slice(done)], names: set.names }
}

/** Joins the texts of parts that follow each other: equal names are one speaker. */
export function joinTexts(texts: readonly PartText[]): PartText {
  const names: string[] = []
  const words = texts.flatMap((text) => {
    const places = text.names.map((name) => {
      const known = names.indexOf(name)
      return known === -1 ? names.push(name) - 1 : known
    })
    return text.words.map((word) => ({ ...word, speaker: places[word.speaker] ?? -1 }))
  })
  return { names, words: words.map((word, index) => withTurn(word, words[index + 1])) }
}

function withTurn({ turn, ...word }: DeskWord, next: DeskWord | undefined): DeskWord {
  return next !== undefined && (turn === true || next.speaker !== word.speaker) ? { ...word, turn: true } : word
}

/** The corrections that make one text of another: one place, from the first word that differs to the last. */
export function correctionsTo(base: PartText, wanted: PartText): CorrectionSet | null {
  const isSame = (a: DeskWord | undefined, b: DeskWord | undefined) =>
    a !== undefined &&
    b !== undefined &&
    a.word === b.word &&
    a.turn === b.turn &&
    speakerName(base, a) === speakerName(wanted, b)
  let from = 0
  while (isSame(base.words[from], wanted.words[from])) from += 1
  let [to, end] = [base.words.length, wanted.words.length]
  while (to > from && end > from && isSame(base.words[to - 1], wanted.words[end - 1])) [to, end] = [to - 1, end - 1]
  const names = [...new Set([...base.names, ...wanted.names])]
  if (from === to && from === end) return null
  const speakers = wanted.names.map((name) => names.indexOf(name))
  const old = base.words.slice(from, to).map(({ word }) => word)
  const around = (first: number, last: number) => base.words.slice(Math.max(0, first), last).map(({ word }) => word)
  const words = wanted.words.slice(from, end).map(({ word, start, end, conf, turn, speaker }) => {
    return { text: word, start, end, conf, endsTurn: turn === true, speaker: speakers[speaker] ?? -1, old: -1 }
  })
  const startSeconds = base.words[from]?.start ?? words[0]?.start ?? 0
  const patch = { from, to, startSeconds, old, before: around(from - 3, from), after: around(to, to + 3), words }
  return { fingerprint: fingerprintOf(base.words), baseNames: base.names, names, patches: [patch] }
}

function speakerName({ names }: PartText, { speaker }: DeskWord): string | undefined {
  return names[speaker]
}

/** Marks of what nobody could hear: `[blank 12:31]`. */
export function countBlanks(words: readonly DeskWord[]): number {
  return (
    words
      .map(({ word }) => word)
      .join(' ')
      .match(/\[blank [\d:]+\]/gi)?.length ?? 0
  )
}

/** A text as the words of a finished file are stored. */
export function storedWordsOf({ words, names }: PartText): StoredWord[] {
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
