import type { Patch, PatchWord } from '../contract/account/corrections.ts'
import { type Difference, findDifferences } from './differences.ts'
import { doOverlap, doTouch, groupPlaces, makePatch, type PatchSource, type Place, replacePlaces } from './patches.ts'

/** The service's text; `wordsAt` gives the words of a place as a patch has them, each its own old word. */
export type Original = { source: PatchSource; wordsAt(place: Place): readonly PatchWord[] }

/** Words of a place, whose `old` are indexes in the service's text. */
type Words = readonly PatchWord[]

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
  const merged: Words[] = []
  const preferred: Words[] = []
  let done = 0
  const changes = [mine, theirs].flatMap((words) => changesOf(base, words, wholeOf))
  // Also if they only touch: in whose turn new words belong depends on both.
  for (const { members, ...span } of groupPlaces(changes, doTouch)) {
    const kept = base.slice(done, span.from)
    const [was, all] = [base.slice(span.from, span.to), applied(base, span, members)]
    const did = (side: Words) => applied(base, span, ofSide(members, side))
    const [my, their] = [did(mine), did(theirs)]
    const isApart = groupPlaces(members, doOverlap).every((group) => isOfOne(group.members))
    const both = isApart && areWhole(all) ? all : null
    merged.push(kept, mergeSpan(was, my, their, their) ?? both ?? their)
    preferred.push(kept, mergeSpan(was, my, their, my) ?? both ?? my)
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

/** What words differ in from the base, by what counts as equal. */
function changesOf(base: Words, words: Words, keyOf: (word: PatchWord) => string): Change[] {
  const [before, after] = [base.map(keyOf), words.map(keyOf)]
  const found = findDifferences(before.length, after.length, (a, b) => before[a] === after[b])
  return found.map((difference) => ({ ...difference, words }))
}

const ofSide = (changes: readonly Change[], side: Words) => changes.filter(({ words }) => words === side)
const isOfOne = (changes: readonly Change[]) => changes.every(({ words }) => words === changes[0]?.words)

/** A span of the base with changes of it. */
function applied(base: Words, span: Place, changes: readonly Change[]): PatchWord[] {
  const parts: Words[] = []
  const keep = (from: number, to: number) => parts.push(base.slice(from, to))
  replacePlaces(span, changes, keep, ({ begin, end, words }) => parts.push(words.slice(begin, end)))
  return parts.flat()
}

const wholeOf = (word: PatchWord): string => JSON.stringify(word)
const contentOf = ({ speaker: _, endsTurn: __, ...content }: PatchWord): string => JSON.stringify(content)

/** By index of the base: the word that stands for it on one side, if its content is the same. */
type Kept = readonly (PatchWord | undefined)[]

function keptOf(base: Words, words: Words, changes: readonly Change[]): Kept {
  const kept: (PatchWord | undefined)[] = base.map(() => undefined)
  let next = 0
  const keep = (from: number, to: number) => {
    for (let at = from; at < to; at++) kept[at] = words[next++]
  }
  replacePlaces({ from: 0, to: base.length }, changes, keep, ({ end }) => {
    next = end
  })
  return kept
}

/**
 * Merges both changes of a span: contents of words, and apart from them their speakers and where turns end. What one side
 * typed gets the turn and the speaker that the other gave its place.
 * @param preferred the side whose words are taken where both changed the same ones
 * @returns null if it is unclear in whose turn a word belongs
 */
function mergeSpan(base: Words, mine: Words, theirs: Words, preferred: Words): PatchWord[] | null {
  if (isSame(mine, theirs) || isSame(mine, base)) return [...theirs]
  if (isSame(theirs, base)) return [...mine]
  const [my, their] = [changesOf(base, mine, contentOf), changesOf(base, theirs, contentOf)]
  const [inMine, inTheirs] = [keptOf(base, mine, my), keptOf(base, theirs, their)]
  const put: PatchWord[] = []
  let done = 0
  const choose = <Value>(was: Value, ours: Value, others: Value): Value =>
    ours === was || (others !== was && preferred === theirs) ? others : ours
  const keep = (to: number) => {
    for (; done < to; done++) {
      const [was, one, other] = [base[done], inMine[done], inTheirs[done]] as [PatchWord, PatchWord, PatchWord]
      const speaker = choose(was.speaker, one.speaker, other.speaker)
      put.push({ ...was, speaker, endsTurn: choose(was.endsTurn, one.endsTurn, other.endsTurn) })
    }
  }
  for (const { members, ...span } of groupPlaces([...my, ...their], doOverlap)) {
    keep(span.from)
    const by = isOfOne(members) ? (members[0]?.words ?? preferred) : preferred
    const words = applied(base, span, ofSide(members, by))
    const turned = inTurns(base, span, words, by === mine ? inTheirs : inMine)
    if (turned === null) return null
    put.push(...turned)
    done = span.to
  }
  keep(base.length)
  return areWhole(put) || !areWhole(mine) || !areWhole(theirs) ? put : null
}

/**
 * What one side put in a place, in the turn and by the speaker that the other gave it.
 * @param other the other side's words, by index of the base
 * @returns null if it is unclear which those are
 */
function inTurns(base: Words, span: Place, words: Words, other: Kept): PatchWord[] | null {
  const isTurned = (at: number) => other[at] !== undefined && other[at].endsTurn !== base[at]?.endsTurn
  const isReplaced = span.to > span.from && words.length > 0
  // A turn ends here for one of them only, and not at the last of these words.
  const ends = indexesOf(span).slice(0, isReplaced ? -1 : undefined)
  if (ends.some(isTurned) || (span.from === span.to && isTurned(span.from - 1))) return null
  const put: PatchWord[] = []
  for (const [at, word] of words.entries()) {
    const owner = ownerOf(base, span, word)
    const was = base[owner]?.speaker ?? word.speaker
    const known = [owner, owner - 1, owner + 1].find((near) => other[near] && base[near]?.speaker === was) ?? -1
    const is = other[known]?.speaker ?? was
    const isEnd = isReplaced && at === words.length - 1 && isTurned(span.to - 1)
    // Both gave it to another speaker, or both moved the end of its turn.
    if (was !== is && word.speaker !== was && word.speaker !== is) return null
    if (isEnd && word.endsTurn !== base[span.to - 1]?.endsTurn) return null
    const endsTurn = isEnd ? !word.endsTurn : word.endsTurn
    put.push({ ...word, speaker: was === is ? word.speaker : is, endsTurn })
  }
  return put
}

const indexesOf = ({ from, to }: Place): number[] => Array.from({ length: to - from }, (_, at) => from + at)

/** The word of a place, or next to a gap, in whose turn a new word was put in: the last one of the same speaker. */
function ownerOf(base: Words, { from, to }: Place, { speaker }: PatchWord): number {
  const near = from === to ? [from - 1, from] : indexesOf({ from, to })
  return near.findLast((at) => base[at]?.speaker === speaker) ?? from
}

/** Whether each turn has one speaker. */
const areWhole = (words: Words): boolean =>
  words.every(({ endsTurn, speaker }, at) => endsTurn || speaker === (words[at + 1]?.speaker ?? speaker))

/** The patches that turn the service's words of a place into these. */
function patchesOf(place: Place, words: Words, original: Original): Patch[] {
  const changes = changesOf(wordsOf(place, [], original), words, wholeOf)
  return changes.map(({ from, to, begin, end }) =>
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
    original.source,
    from,
    to,
    words.map((word) => ({ ...word, old: word.old < 0 ? -1 : word.old - from })),
  )
