import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { applyChange, changeBetween, checkChange } from '../../../text/correction-set.ts'
import { changeOfText, changeOfWords } from '../edit/changes.ts'
import type { Synced } from '../edit/correction-store.ts'
import { applyOperation, type Base, type Corrected } from '../edit/operation.ts'
import { makeSet } from '../edit/patches.ts'
import { type Conflict, reapply, relocateConflicts } from '../edit/reapply.ts'
import { allWords, tableOf, wordsOf } from '../model/testing/made-words.ts'
import { addConflicts, applyToText, fromMemory, fromService, makeEmptySet, mergeService } from './merge-service.ts'

const names = ['Ann', 'Ben']
const count = 24

function textOf(version: number, words: readonly string[]): Base {
  return { table: tableOf(wordsOf(words.join(' '))), names, fingerprint: `v${version}` }
}

/** The service's state: its text, and the account's corrections, of this or an earlier text. */
type Service = { base: Base; revision: number; set: CorrectionSet | null }
/** The state of a device, as stored by `Corrections` and `CorrectionSync`. */
type Device = { base: Base; mine: CorrectionSet; conflicts: Conflict[]; synced: Synced | null }

const shown = ({ base, mine }: Device): Corrected => reapply(base, mine)

/** Types a unique word in place of one of the service's, or before a typed one. */
function type(device: Device, at: number, token: string): void {
  const now = shown(device)
  const place = at % Math.max(1, now.table.count)
  const isOwn = now.table.originOf(place) >= 0 && !now.table.wordText(place).startsWith('typed')
  const change = changeOfText(now.table, place, isOwn ? place + 1 : place, token)
  if (change === null) throw new Error('A new word is a change.')
  const after = applyOperation(now, { label: 'Typing', changes: [change], names: null })
  device.mine = makeSet(device.base, after)
}

/** Sets the times of the caption that a word begins. */
function setCaption(device: Device, at: number, token: number): void {
  const now = shown(device)
  const place = at % Math.max(1, now.table.count)
  const change = changeOfWords(now.table, place, place + 1, () => ({ cue: { whole: true, start: token } }))
  if (change === null) return
  const after = applyOperation(now, { label: 'Caption', changes: [change], names: null })
  device.mine = makeSet(device.base, after)
}

function rename(device: Device, speaker: number, name: string): void {
  device.mine = { ...device.mine, names: device.mine.names.map((one, at) => (at === speaker ? name : one)) }
}

/** Reloads the page: this device's corrections move to the service's current text. */
function load(device: Device, { base }: Service): void {
  if (base.fingerprint === device.base.fingerprint) return
  const { conflicts, ...now } = reapply(base, device.mine)
  device.conflicts = [...relocateConflicts(base.table, device.conflicts), ...conflicts]
  device.base = base
  device.mine = makeSet(base, now)
}

/**
 * Fetches the service's corrections, merges them, and sends the missing ones; does nothing if the page shows an older
 * text.
 */
function sync(device: Device, service: Service): void {
  const { base, synced: known } = device
  if (base.fingerprint !== service.base.fingerprint) return
  const before = applyToText(base, known?.set ?? makeEmptySet(base)).set
  const isNews = known === null || known.revision !== service.revision
  const heard = isNews ? fromService(base, { revision: service.revision, set: service.set }) : fromMemory(base, known)
  const taken = mergeService(base, before, device.mine, heard)
  if (taken !== null) {
    device.mine = taken.set
    device.conflicts = addConflicts(device.conflicts, taken.conflicts)
  }
  device.synced = heard.synced
  const change = changeBetween(heard.synced.set, device.mine, 'Typing')
  if (change === null) return
  const sent = heard.synced.isOlder === true ? { ...change, anew: true as const } : change
  checkChange(service.set?.patches ?? [], sent, base.table.count)
  service.set = applyChange(service.set, sent)
  service.revision++
  device.synced = { revision: service.revision, set: device.mine }
}

type Step = { who: number; at: number; did: 'type' | 'caption' | 'rename' | 'sync' | 'load' | 'restore' | 'new text' }
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    who: fc.nat(1),
    at: fc.nat(count * 2),
    did: fc.constantFrom(
      'type',
      'type',
      'type',
      'type',
      'caption',
      'rename',
      'sync',
      'sync',
      'load',
      'restore',
      'new text',
    ),
  }),
  { maxLength: 16 },
)

/** Another recognition of the recording: one word was recognized as two, and another was missed. */
function heardAnew(words: readonly string[], at: number, version: number): string[] {
  const split = at % words.length
  return words.flatMap((word, index) => {
    if (index === split) return [`${word}a${version}`, `${word}b${version}`]
    return index === (split + 7) % words.length ? [] : [word]
  })
}

const typedIn = (text: string) => text.match(/typed\d+/g) ?? []

test('two devices, online and offline, with restores and new texts of the service, converge byte for byte, and no word or name is lost', () => {
  fc.assert(
    fc.property(steps, (all) => {
      let words = Array.from({ length: count }, (_, index) => `w${index}`)
      const first = textOf(0, words)
      const service: Service = { base: first, revision: 0, set: null }
      const devices = [0, 1].map((): Device => {
        return { base: first, mine: makeEmptySet(first), conflicts: [], synced: null }
      })
      const [given, takenBack] = [new Set<string>(), new Set<string>()]
      for (const [index, { who, at, did }] of all.entries()) {
        const device = devices[who] as Device
        const token = `typed${index}`
        if (did === 'type') type(device, at, token)
        if (did === 'caption') setCaption(device, at, index)
        if (did === 'rename') {
          takenBack.add(device.mine.names[at % 2] ?? '')
          rename(device, at % 2, token)
        }
        if (did === 'type' || did === 'rename') given.add(token)
        if (did === 'load') load(device, service)
        if (did === 'sync') sync(device, service)
        if (did === 'restore') {
          for (const { text } of allWords(shown(device).table)) for (const one of typedIn(text)) takenBack.add(one)
          device.mine = { ...device.mine, patches: [] }
        }
        if (did === 'new text') {
          words = heardAnew(words, at, index)
          service.base = textOf(index + 1, words)
        }
      }
      for (const device of [...devices, ...devices]) {
        load(device, service)
        sync(device, service)
      }
      // If none of them fits the new text, the account's corrections stay unchanged for the next device to open it.
      const isKept = service.set?.fingerprint === service.base.fingerprint
      for (const { mine } of devices) expect(mine).toEqual(isKept ? service.set : makeEmptySet(service.base))
      const left = devices.map(({ conflicts }) => JSON.stringify(conflicts)).join()
      const found = new Set(typedIn(JSON.stringify(service.set) + left))
      for (const token of given) if (!takenBack.has(token)) expect(found, token).toContain(token)
      for (const { conflicts } of devices) {
        const texts = conflicts.map((conflict) => JSON.stringify('patch' in conflict ? conflict.patch.words : conflict))
        expect(new Set(texts).size, texts.join('\n')).toBe(texts.length)
      }
    }),
    { numRuns: 10_000 },
  )
})
