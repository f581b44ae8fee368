import type { Patch, PatchWord } from '../contract/account/corrections.ts'
import { type Difference, findDifferences } from './differences.ts'
import { makePatch, type PatchSource, type Place, replacePlaces } from './patches.ts'

/** The service's text; `wordsAt` gives the words of a place as a patch has them, each its own old word. */
export type Original = PatchSource & { wordsAt(place: Place): readonly PatchWord[] }

/** Words of a place, whose `old` are indexes in the service's text. */
type Words = readonly PatchWord[]

/** True if two places share words or are the same gap. Places that only touch do not overlap. */
const doOverlap = (a: Place, b: Place): boolean =>
  (a.from < b.to && b.from < a.to) || (a.from === b.from && a.to === b.to)

/**
 * Merges what two devices made of one place, word by word: two changes of different words are both made, also if a
 * correction of the whole turn is around them. Where both changed the same words, theirs stay.
 * @param sides the corrections of that place: those that both started from, mine, and theirs; each sorted
 * @returns the patches of the place, and the one that puts in mine where both changed the same; null if there is none
 */
export function mergePlace(
  place: Place,
  sides: Readonly<Record<'base' | 'mine' | 'theirs', readonly Patch[]>>,
  original: Original,
): { put: Patch[]; lost: Patch | null } {
  const base = wordsOf(place, sides.base, original)
  const mine = wordsOf(place, sides.mine, original)
  const theirs = wordsOf(place, sides.theirs, original)
  const merged: PatchWord[][] = []
  const preferred: PatchWord[][] = []
  let done = 0
  for (const group of groupChanges(base, mine, theirs)) {
    const span = { from: Math.min(...group.map(({ from }) => from)), to: Math.max(...group.map(({ to }) => to)) }
    const kept = base.slice(done, span.from)
    const [was, all] = [base.slice(span.from, span.to), applied(base, span, group)]
    const ours = group.filter(({ words }) => words === mine)
    const others = group.filter(({ words }) => words === theirs)
    const [my, their] = [applied(base, span, ours), applied(base, span, others)]
    const isApart = !ours.some((one) => others.some((other) => doOverlap(one, other)))
    const both = mergeSpan(was, my, their) ?? (isApart && areWhole(all) ? all : null)
    merged.push(kept, both ?? their)
    preferred.push(kept, both ?? my)
    done = span.to
  }
  const rest = base.slice(done)
  const now = [...merged.flat(), ...rest]
  const wanted = [...preferred.flat(), ...rest]
  return {
    put: patchesOf(place, now, original),
    lost: isSame(now, wanted) ? null : patchOver(place, now, wanted, original),
  }
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function wordsOf(place: Place, patches: readonly Patch[], original: Original): Words {
  const words: PatchWord[][] = []
  const add = (from: number, all: Words) =>
    words.push(all.map((word) => ({ ...word, old: word.old < 0 ? -1 : word.old + from })))
  const keep = (from: number, to: number) => add(from, original.wordsAt({ from, to }))
  replacePlaces(place, patches, keep, (patch) => add(patch.from, patch.words))
  return words.flat()
}

type Change = Difference & { words: Words }

/** Also if they only touch: in whose turn new words belong depends on both. */
const doTouch = (a: Place, b: Place): boolean => a.from <= b.to && b.from <= a.to

/** What mine and theirs changed of the base, in order; changes that touch are one group. */
function groupChanges(base: Words, mine: Words, theirs: Words): Change[][] {
  const keys = base.map((word) => JSON.stringify(word))
  const all = [mine, theirs].flatMap((words) => {
    const other = words.map((word) => JSON.stringify(word))
    const found = findDifferences(keys.length, other.length, (before, after) => keys[before] === other[after])
    return found.map((difference) => ({ ...difference, words }))
  })
  const groups: Change[][] = []
  for (const change of all.sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = groups.at(-1)
    if (last?.some((other) => doTouch(other, change))) last.push(change)
    else groups.push([change])
  }
  return groups
}

/** A span of the base with changes of it. */
function applied(base: Words, span: Place, changes: readonly Change[]): PatchWord[] {
  const parts: Words[] = []
  const keep = (from: number, to: number) => parts.push(base.slice(from, to))
  replacePlaces(span, changes, keep, ({ begin, end, words }) => parts.push(words.slice(begin, end)))
  return parts.flat()
}

/** Both changes of a span, or null if they contradict each other. */
function mergeSpan(base: Words, mine: Words, theirs: Words): PatchWord[] | null {
  if (isSame(mine, theirs) || isSame(mine, base)) return [...theirs]
  if (isSame(theirs, base)) return [...mine]
  return withTurns(base, mine, theirs) ?? withTurns(base, theirs, mine)
}

const contentOf = ({ speaker: _, endsTurn: __, ...content }: PatchWord): string => JSON.stringify(content)

/**
 * One side's words by the other's turns and speakers, if the other changed only those; null if it changed words, or if
 * it is unclear in whose turn a word belongs.
 */
function withTurns(base: Words, words: Words, turns: Words): PatchWord[] | null {
  const contents = base.map(contentOf)
  if (turns.length !== base.length || turns.some((word, at) => contentOf(word) !== contents[at])) return null
  const now = words.map(contentOf)
  const changes = findDifferences(contents.length, now.length, (before, after) => contents[before] === now[after])
  const isTurned = (at: number) => base[at]?.endsTurn !== turns[at]?.endsTurn
  const put: PatchWord[] = []
  let isClear = true
  // A field that only the turns changed is theirs; one that both changed otherwise is unclear.
  const add = (word: PatchWord, owner: number, end: number | null) => {
    const turned = { ...word }
    const [was, is] = [base[owner]?.speaker, turns[owner]?.speaker ?? word.speaker]
    if (was !== is) {
      isClear &&= word.speaker === was || word.speaker === is
      turned.speaker = is
    }
    if (end !== null && isTurned(end)) {
      const endsTurn = turns[end]?.endsTurn === true
      isClear &&= word.endsTurn !== endsTurn
      turned.endsTurn = endsTurn
    }
    put.push(turned)
  }
  let [done, next] = [0, 0]
  const keep = (to: number) => {
    for (; done < to; done++, next++) add(words[next] as PatchWord, done, done)
  }
  for (const { from, to, begin, end } of changes) {
    keep(from)
    // A turn ends here for one of them only, and not at the last of these words.
    const isReplaced = to > from && end > begin
    const ends = Array.from({ length: to - from }, (_, at) => from + at).slice(0, isReplaced ? -1 : undefined)
    if (ends.some(isTurned) || (from === to && from > 0 && isTurned(from - 1))) return null
    for (; next < end; next++) {
      const word = words[next] as PatchWord
      add(word, ownerOf(base, { from, to }, word), isReplaced && next === end - 1 ? to - 1 : null)
    }
    done = to
  }
  keep(base.length)
  return isClear && (areWhole(put) || !areWhole(words)) ? put : null
}

/** The word of a place, or next to a gap, in whose turn a new word was put in: the last one of the same speaker. */
function ownerOf(base: Words, { from, to }: Place, { speaker }: PatchWord): number {
  const near = from === to ? [from - 1, from] : Array.from({ length: to - from }, (_, at) => from + at)
  return near.findLast((at) => base[at]?.speaker === speaker) ?? from
}

/** Whether each turn has one speaker. */
const areWhole = (words: Words): boolean =>
  words.every(({ endsTurn, speaker }, at) => endsTurn || speaker === (words[at + 1]?.speaker ?? speaker))

/** The patches that turn the service's words of a place into these. */
function patchesOf(place: Place, words: Words, original: Original): Patch[] {
  const before = wordsOf(place, [], original).map((word) => JSON.stringify(word))
  const after = words.map((word) => JSON.stringify(word))
  return findDifferences(before.length, after.length, (a, b) => before[a] === after[b]).map(
    ({ from, to, begin, end }) =>
      patchAt({ from: place.from + from, to: place.from + to }, words.slice(begin, end), original),
  )
}

/** The patch that puts `wanted` in the place of `now`: as small as can be told by the service's words around it. */
function patchOver(place: Place, now: Words, wanted: Words, original: Original): Patch {
  const common = (most: number, at: (words: Words, index: number) => PatchWord | undefined) => {
    let known = { index: 0, old: -1 }
    for (let index = 0; index < most && isSame(at(now, index), at(wanted, index)); index++) {
      const old = at(now, index)?.old ?? -1
      if (old >= 0) known = { index: index + 1, old }
    }
    return known
  }
  const most = Math.min(now.length, wanted.length)
  const head = common(most, (words, index) => words[index])
  const tail = common(most - head.index, (words, index) => words.at(-1 - index))
  const from = head.old < 0 ? place.from : head.old + 1
  const to = tail.old < 0 ? place.to : tail.old
  return patchAt({ from, to }, wanted.slice(head.index, wanted.length - tail.index), original)
}

const patchAt = ({ from, to }: Place, words: Words, original: Original): Patch =>
  makePatch(
    original,
    from,
    to,
    words.map((word) => ({ ...word, old: word.old < 0 ? -1 : word.old - from })),
  )
