import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { differentPlaces } from '../../../text/correction-set.ts'
import { lowerBound } from '../../../text/lower-bound.ts'
import { type Place, replacePlaces } from '../../../text/patches.ts'
import { timeText } from '../captions/caption-text.ts'
import type { WordTable } from '../model/word-table.ts'

/** One place where two versions differ: its words in each, and the service's words around it. */
export type Difference = {
  startSeconds: number
  before: string
  earlier: string
  now: string
  after: string
  /** if the words are the same: their caption's times in each, `0:03.40 to 0:05.20` */
  retimed?: { earlier: string; now: string }
}
/** A speaker whose name differs. */
type RenamedSpeaker = { earlier: string; now: string }
export type Comparison = { differences: readonly Difference[]; renamed: readonly RenamedSpeaker[] }

const wordsAround = 4

/** Compares two versions of corrections of the service's text, word by word. */
export function compareVersions(table: WordTable, earlier: CorrectionSet, now: CorrectionSet): Comparison {
  const differences = differentPlaces(earlier, now).map(({ from, to }) => ({
    startSeconds: table.startOf(Math.max(0, Math.min(from, table.count - 1))),
    before: ownText(table, from - wordsAround, from),
    ...changeAt(table, earlier, now, { from, to }),
    after: ownText(table, to, to + wordsAround),
  }))
  const renamed = earlier.names.flatMap((name, speaker) => {
    const later = now.names[speaker] ?? name
    return later === name ? [] : [{ earlier: name, now: later }]
  })
  return { differences, renamed }
}

function changeAt(table: WordTable, earlier: CorrectionSet, now: CorrectionSet, place: Place) {
  const texts = { earlier: textAt(table, earlier, place), now: textAt(table, now, place) }
  const retimed = { earlier: timingAt(earlier, place), now: timingAt(now, place) }
  const isRetimed = texts.earlier === texts.now && retimed.earlier !== retimed.now
  return isRetimed ? { ...texts, retimed } : texts
}

/**
 * Whether two versions have the same words, speakers, turns and captions at one of the places where they differ: only
 * how sure the words are does, as after a doubt was said to be right.
 */
export function isOnlySurer(table: WordTable, earlier: CorrectionSet, now: CorrectionSet, place: Place): boolean {
  return wordsAt(table, earlier, place) === wordsAt(table, now, place)
}

/** A version's words at a place with all that belongs to them but how sure they are, to be compared. */
function wordsAt(table: WordTable, { patches }: CorrectionSet, place: Place): string {
  const words: unknown[] = []
  const keep = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      words.push([table.wordText(at), table.speakerOf(at), table.endsTurn(at), table.cueOf(at)])
    }
  }
  const put = (patch: CorrectionSet['patches'][number]) =>
    words.push(...patch.words.map(({ text, speaker, endsTurn, cue }) => [text, speaker, endsTurn, cue]))
  replacePlaces(place, within(patches, place), keep, put)
  return JSON.stringify(words)
}

/** A version's caption times at a place. */
function timingAt({ patches }: CorrectionSet, place: Place): string {
  const cue = within(patches, place)
    .flatMap(({ words }) => words)
    .find((word) => word.cue !== undefined)?.cue
  const [start, end] = [cue?.start, cue?.end].map((seconds) =>
    seconds === undefined ? 'automatic' : timeText(seconds * 1_000),
  )
  const times = start === end ? start : `${start} to ${end}`
  return `${times}${cue?.top ? ', at the top' : ''}${cue?.whole ? ', begun by hand' : ''}${cue?.breaks ? ', lines broken by hand' : ''}`
}

function ownText(table: WordTable, from: number, to: number): string {
  const [first, end] = [Math.max(0, from), Math.min(table.count, to)]
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => table.wordText(first + index)).join(' ')
}

/** A version's text at a place whose edges no patch crosses. */
function textAt(table: WordTable, { patches }: CorrectionSet, place: Place): string {
  const texts: string[] = []
  const keep = (from: number, to: number) => texts.push(ownText(table, from, to))
  replacePlaces(place, within(patches, place), keep, ({ words }) => texts.push(...words.map(({ text }) => text)))
  return texts.filter((text) => text !== '').join(' ')
}

/** The patches within a place, by binary search: there may be thousands. */
function within(patches: CorrectionSet['patches'], { from, to }: Place): CorrectionSet['patches'] {
  const first = lowerBound(patches.length, (at) => (patches[at]?.from ?? 0) < from)
  return patches.slice(
    first,
    lowerBound(patches.length, (at) => (patches[at]?.to ?? 0) <= to),
  )
}
