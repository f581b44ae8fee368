import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CorrectionSet, Patch, PatchWord } from '../contract/account/corrections.ts'
import { correctionChange } from '../contract/account/corrections.ts'
import {
  applyChange,
  BadChangeError,
  changeBetween,
  checkChange,
  joinChanges,
  mergeSets,
  withTouchingJoined,
} from './correction-set.ts'
import type { Original } from './merge-words.ts'
import { countCorrections } from './patches.ts'

const count = 30
const baseWords = Array.from({ length: count }, (_, index) => `w${index}`)

function word(text: string, old = -1, speaker = 0): PatchWord {
  return { text, start: 0, end: 1, conf: 1, endsTurn: false, speaker, old }
}

const original: Original = {
  source: { count, wordText: (index) => baseWords[index] ?? '', startOf: (index) => index },
  wordsAt: ({ from, to }) => baseWords.slice(from, to).map((text, index) => word(text, index)),
}

function patchAt(from: number, to: number, texts: readonly string[], speaker = 0): Patch {
  return {
    from,
    to,
    startSeconds: Math.min(from, count - 1),
    old: baseWords.slice(from, to),
    before: baseWords.slice(Math.max(0, from - 3), from),
    after: baseWords.slice(to, to + 3),
    words: texts.map((text) => word(text, -1, speaker)),
  }
}

const empty: CorrectionSet = { fingerprint: 'f', baseNames: ['Ann', 'Ben'], names: ['Ann', 'Ben'], patches: [] }
const setOf = (patches: readonly Patch[], names = empty.names): CorrectionSet => ({ ...empty, names, patches })

/** An editing step: retypes words `from` to `to`, reverts them, or renames or adds a speaker. */
type Step = { from: number; length: number; kind: 'type' | 'back' | 'rename' | 'add' }
const step: fc.Arbitrary<Step> = fc.record({
  from: fc.nat(count),
  length: fc.nat(4),
  kind: fc.constantFrom('type', 'type', 'type', 'back', 'rename', 'add'),
})

/** The set after steps; each typed word and each name is unique. */
function after(start: CorrectionSet, steps: readonly Step[], who: string): CorrectionSet {
  let set = start
  for (const [index, { from, length, kind }] of steps.entries()) {
    const name = `${who}${index}`
    if (kind === 'rename') set = { ...set, names: set.names.map((one, at) => (at === from % 2 ? name : one)) }
    else if (kind === 'add') set = { ...set, names: [...set.names, name] }
    else {
      let place = { from, to: Math.min(count, from + length) }
      const met = set.patches.filter((patch) => patch.from <= place.to && place.from <= patch.to)
      for (const patch of met) place = { from: Math.min(place.from, patch.from), to: Math.max(place.to, patch.to) }
      const rest = set.patches.filter((patch) => !met.includes(patch))
      const typed = patchAt(place.from, place.to, [name, ...met.flatMap(({ words }) => words.map(({ text }) => text))])
      const added =
        kind === 'type' ? [{ ...typed, words: [...typed.words, word(`s${name}`, -1, set.names.length - 1)] }] : []
      set = { ...set, patches: [...rest, ...added].sort((a, b) => a.from - b.from || a.to - b.to) }
    }
  }
  return set
}

const textsOf = (patches: readonly Patch[]) => patches.flatMap(({ words }) => words.map(({ text }) => text))
const sets = fc.tuple(
  fc.array(step, { maxLength: 6 }),
  fc.array(step, { maxLength: 6 }),
  fc.array(step, { maxLength: 6 }),
)

describe('a merge of two sets based on the same corrections', () => {
  test('loses no word and no name: each is in the text or is shown', () => {
    fc.assert(
      fc.property(sets, ([first, mineDid, theirsDid]) => {
        const base = after(empty, first, 'b')
        const mine = after(base, mineDid, 'm')
        const theirs = after(base, theirsDid, 't')
        const { set, lost, lostNames } = mergeSets(base, mine, theirs, original)
        expect(() => checkChange([], { ...set, remove: [], put: [...set.patches], label: '' }, count)).not.toThrow()
        expect(set.patches).toEqual(withTouchingJoined(set.patches))
        const texts = new Set(textsOf(set.patches))
        const wasThere = new Set(textsOf(base.patches))
        for (const text of textsOf(theirs.patches)) if (!wasThere.has(text)) expect(texts).toContain(text)
        const mineShown = new Set([...texts, ...textsOf(lost)])
        for (const text of textsOf(mine.patches)) if (!wasThere.has(text)) expect(mineShown).toContain(text)
        const names = new Set([...set.names, ...lostNames.map(({ name }) => name)])
        for (const [index, name] of mine.names.entries()) if (name !== base.names[index]) expect(names).toContain(name)
        for (const name of theirs.names) {
          // My name for a speaker whom they left unchanged replaces the old one.
          if (!base.names.includes(name)) expect(set.names).toContain(name)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  test('maps words of a speaker whom I added to that speaker, wherever theirs are now', () => {
    const mine = setOf([patchAt(1, 2, ['mine'], 2)], ['Ann', 'Ben', 'Cy'])
    const theirs = setOf([patchAt(5, 6, ['theirs'], 2)], ['Ann', 'Ben', 'Di'])
    const { set } = mergeSets(empty, mine, theirs, original)
    expect(set.names).toEqual(['Ann', 'Ben', 'Di', 'Cy'])
    expect(set.patches.map(({ words }) => words.map(({ speaker }) => speaker))).toEqual([[3], [2]])
  })

  test('changes nothing if only one made changes, or both made the same', () => {
    fc.assert(
      fc.property(sets, ([first, did]) => {
        const base = after(empty, first, 'b')
        const changed = after(base, did, 'm')
        const nothing = { lost: [], lostNames: [] }
        const joined = { ...changed, patches: withTouchingJoined(changed.patches) }
        expect(mergeSets(base, changed, base, original)).toEqual({ set: joined, ...nothing })
        expect(mergeSets(base, base, changed, original)).toEqual({ set: joined, ...nothing })
        expect(mergeSets(base, changed, changed, original)).toEqual({ set: joined, ...nothing })
      }),
    )
  })

  test('reports a correction that I reverted and they changed', () => {
    const base = setOf([patchAt(3, 5, ['once'])])
    const { set, lost } = mergeSets(base, empty, setOf([patchAt(3, 5, ['twice'])]), original)
    expect(textsOf(set.patches)).toEqual(['twice'])
    expect(textsOf(lost)).toEqual(['w3', 'w4'])
  })

  test('keeps both corrections of neighboring words', () => {
    const mine = setOf([patchAt(3, 4, ['mine'])])
    const theirs = setOf([patchAt(4, 5, ['theirs']), patchAt(3, 3, ['between'])])
    const { set, lost } = mergeSets(empty, mine, { ...theirs, patches: [...theirs.patches].reverse() }, original)
    expect(lost).toEqual([])
    expect(set.patches).toHaveLength(1)
    expect(set.patches[0]).toMatchObject({ from: 3, to: 5, old: ['w3', 'w4'], after: ['w5', 'w6', 'w7'] })
    expect(textsOf(set.patches)).toEqual(['between', 'mine', 'theirs'])
  })
})

/** One device: its set, the service's set as last seen, and corrections that it lost. */
type Device = { mine: CorrectionSet; heard: CorrectionSet; lost: string[] }

/** Simulates `CorrectionSync` with a service that is always available. */
function sync(device: Device, service: CorrectionSet): CorrectionSet {
  const { set, lost, lostNames } = mergeSets(device.heard, device.mine, service, original)
  device.lost.push(...textsOf(lost), ...lostNames.map(({ name }) => name))
  const change = changeBetween(service, set, 'Typing')
  if (change !== null) checkChange(service.patches, change, count)
  const now = change === null ? service : applyChange(service, change)
  device.mine = set
  device.heard = now
  return now
}

type Turn = { who: number; did: Step; next: 'nothing' | 'sync' | 'restore' }
const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    who: fc.nat(1),
    did: step.filter(({ kind }) => kind !== 'back'),
    next: fc.constantFrom('nothing', 'nothing', 'sync', 'sync', 'restore'),
  }),
  { maxLength: 14 },
)

test('two devices, sometimes offline, with restores: both converge to the same bytes, and no word is lost', () => {
  fc.assert(
    fc.property(turns, (all) => {
      let service = empty
      const devices = [0, 1].map((): Device => ({ mine: empty, heard: empty, lost: [] }))
      const states = [empty]
      const typed = new Set<string>()
      const takenBack = new Set<string>()
      for (const [index, { who, did, next }] of all.entries()) {
        const device = devices[who] as Device
        const before = new Set(textsOf(device.mine.patches))
        if (next === 'restore') {
          // Added names stay: others' words may refer to them.
          const back = states[did.from % states.length] as CorrectionSet
          device.mine = { ...device.mine, patches: back.patches }
          const now = new Set(textsOf(back.patches))
          for (const text of before) if (!now.has(text)) takenBack.add(text)
        } else device.mine = after(device.mine, [did], `d${who}t${index}-`)
        for (const text of textsOf(device.mine.patches)) typed.add(text)
        if (next === 'sync') {
          service = sync(device, service)
          states.push(service)
        }
      }
      for (const device of [...devices, ...devices]) service = sync(device, service)
      for (const { mine } of devices) expect(JSON.stringify(mine)).toBe(JSON.stringify(service))
      const found = new Set([...textsOf(service.patches), ...devices.flatMap(({ lost }) => lost)])
      for (const text of typed) if (!takenBack.has(text)) expect(found).toContain(text)
    }),
    { numRuns: 10_000 },
  )
})

describe('a change', () => {
  test('turns any set into any other, and is a valid request body', () => {
    fc.assert(
      fc.property(sets, ([first, did]) => {
        const before = after(empty, first, 'b')
        const now = after(before, did, 'm')
        const change = changeBetween(before, now, 'Typing')
        if (change === null) {
          expect(now).toEqual(before)
          return
        }
        expect(correctionChange.parse(change)).toEqual(change)
        expect(checkChange(before.patches, change, count)).toHaveLength(now.patches.length)
        expect(applyChange(before, change)).toEqual(now)
      }),
    )
  })

  test('joined with the next one does what both do, and fits where the first one did', () => {
    fc.assert(
      fc.property(sets, fc.boolean(), fc.boolean(), ([first, did, then], isAnew, isThenAnew) => {
        const before = after(empty, first, 'b')
        const between = isAnew ? after(empty, did, 'm') : after(before, did, 'm')
        const now = isThenAnew ? after(empty, then, 't') : after(between, then, 't')
        const change = (from: CorrectionSet, to: CorrectionSet, anew: boolean) => {
          const { fingerprint, baseNames, names, patches } = to
          const all = { fingerprint, baseNames, names, label: '', remove: [], put: [...patches], anew: true }
          return anew ? all : (changeBetween(from, to, '') ?? { ...all, put: [], anew: false })
        }
        const joined = joinChanges(change(before, between, isAnew), change(between, now, isThenAnew))
        expect(checkChange(before.patches, joined, count)).toHaveLength(now.patches.length)
        expect(applyChange(before, joined)).toEqual(now)
      }),
    )
  })

  test('is rejected with a message if it does not fit', () => {
    const places = [{ from: 3, to: 5 }]
    const change = { ...empty, remove: [], put: [], label: '' }
    const refused = (given: object) => () => checkChange(places, { ...change, ...given }, count)
    expect(refused({ remove: [[3, 4]] })).toThrow(new BadChangeError('A correction to be removed is not there.'))
    expect(refused({ put: [patchAt(4, 6, ['x'])] })).toThrow('Two corrections overlap at word 4.')
    expect(refused({ put: [patchAt(29, 31, ['x'])] })).toThrow('The transcript has no word 31: it has 30 words.')
    expect(refused({ put: [{ ...patchAt(1, 2, ['x']), old: [] }] })).toThrow('The old words at word 1')
    expect(refused({ put: [patchAt(1, 2, ['x'], 2)] })).toThrow('There is no speaker 2.')
    expect(refused({ put: [{ ...patchAt(1, 2, []), words: [word('x', 1)] }] })).toThrow('There is no old word 1')
    expect(refused({ anew: true, put: [patchAt(4, 6, ['x'])] })()).toEqual([patchAt(4, 6, ['x'])])
  })
})

test('a renamed speaker counts as one correction, an added one as none', () => {
  expect(countCorrections(setOf([patchAt(1, 2, ['x'])], ['Anna', 'Ben', 'Cy']))).toBe(2)
})
