import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { DeskPart } from '../../../contract/work/parts.ts'
import type { StaffOverview } from '../../../contract/work/staff.ts'
import { changeBetween } from '../../../text/correction-set.ts'
import type { CorrectionHome } from '../../base/api/corrections.ts'
import { correctionsOfPart, fetchPartPlayback, type HeldPart, renewHold } from '../../base/api/work.ts'
import { throttled } from '../../base/state/throttled.ts'
import { dropCorrections } from '../../signed-in/library/correction-database.ts'
import { type OpenDesk, openDesk } from '../../transcript/desk/open-desk.ts'
import { changeOfText, emptyTurn } from '../../transcript/edit/changes.ts'
import { readSynced } from '../../transcript/edit/correction-store.ts'
import { applyOperation } from '../../transcript/edit/operation.ts'
import { makeSet } from '../../transcript/edit/patches.ts'
import { Blocks } from '../../transcript/model/blocks.ts'
import { newWord, type Word } from '../../transcript/model/word.ts'
import { WordTable } from '../../transcript/model/word-table.ts'
import { CorrectionSync } from '../../transcript/sync/correction-sync.ts'
import { Hold } from './hold.ts'
import { ChangesBefore, ReworkPlaces } from './review.ts'

/** How often typed text is sent to the service while typing. Milliseconds. */
const sendEveryMs = 1_000
/** How often, and at what interval, to poll until everything is saved before a part is submitted. */
const [settleTries, settleMs] = [40, 250]

/** An open part: the customers' desk, the hold on the part, and synchronization with the service. */
export type PartDesk = OpenDesk & {
  held: HeldPart
  hold: Hold
  /** the second of the recording at which the sound begins */
  start: number
  /**
   * Waits until everything typed is saved on the service. @returns its revision @throws if it is not, with a message
   */
  settled: () => Promise<number>
  changes: ChangesBefore
  /** marked to be sent back, or by whoever sent it back */
  places: ReworkPlaces
  /** resolves once the text on screen has all that was saved before, if the service could be reached */
  shown: Promise<void>
  /** Shows the text and synchronizes it. Returns a function that ends both. */
  open: () => () => void
}

/** Stands in for the environment in this device's storage keys for parts. */
const onDevice = 'work'

/** @param toTools focuses the toolbar of the turn being edited */
export function openPart(held: HeldPart, part: DeskPart, staff: StaffOverview, toTools: () => void): PartDesk {
  const start = soundStart(part.part)
  const key = [onDevice, staff.id, held.part] as const
  const renew = async () => (await fetchPartPlayback(held))?.url ?? null
  const open = openDesk({ key, spelling: part.spelling as keyof typeof spellingOf, renew }, toTools)
  const { desk, corrections } = open
  desk.endsAt = moved(part.part.end, -start)
  const home = shiftedHome(correctionsOfPart(held), start)
  const sync = new CorrectionSync(home, corrections, (set) => withTyped(open, set))
  const changes = new ChangesBefore(open, part.set_before && shiftedSet(part.set_before, -start))
  const places = new ReworkPlaces(open, held, { given: part.places, start })
  const hold = new Hold(() => renewHold(held, playedRanges(desk.playback.media.played, start)), staff)
  return {
    ...open,
    held,
    hold,
    start,
    changes,
    places,
    settled: () => settled(open, sync),
    shown: untilShown(corrections),
    open: () => {
      showText(open, part, start)
      void corrections.start()
      const stops = [hold.open(), corrections.open(), keepSent(open, sync, hold), changes.start(), places.start()]
      return () => {
        for (const stop of stops) stop()
        desk.close()
      }
    },
  }
}

// Only used to name the four spellings: the contract has a string.
declare const spellingOf: Record<Parameters<typeof openDesk>[0]['spelling'], never>

async function untilShown(corrections: OpenDesk['corrections']): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = corrections.where.subscribe(() => {
      if (corrections.where.get().kind === 'sending') return
      stop()
      resolve()
    })
  })
  await corrections.refresh()
}

/** The ranges that the browser has played, in seconds of the recording. */
function playedRanges(played: TimeRanges, start: number): [number, number][] {
  return Array.from({ length: played.length }, (_, index): [number, number] => [
    moved(played.start(index), start),
    moved(played.end(index), start),
  ])
}

function showText({ desk: { text } }: OpenDesk, { words, names, fingerprint }: DeskPart, start: number): void {
  const inserted = words.map(
    ({ word, turn, ...rest }, origin): Word => ({
      ...rest,
      text: word,
      start: moved(rest.start, -start),
      end: moved(rest.end, -start),
      endsTurn: turn === true,
      turnConf: null,
      origin,
    }),
  )
  const table = WordTable.from(inserted)
  const whole = { phase: 'whole', fingerprint, named: true, sameHead: 0, sameTail: 0 } as const
  text.state.set({ ...text.state.get(), ...whole, table, blocks: Blocks.of(table), names })
}

/** Sends each step, and text being typed periodically, until the hold ends. Returns a function that stops. */
function keepSent({ corrections, correcting }: OpenDesk, sync: CorrectionSync, hold: Hold): () => void {
  let stopSync: (() => void) | null = null
  const begin = () => {
    const isOver = hold.state.get().ended !== null
    if (isOver) stopSync?.()
    else if (stopSync === null && corrections.state.get().saved !== 'waiting') stopSync = sync.open()
  }
  const onInput = throttled((listener) => {
    window.addEventListener('input', listener)
    return () => window.removeEventListener('input', listener)
  }, sendEveryMs)
  const stops = [
    corrections.state.subscribe(begin),
    hold.state.subscribe(begin),
    onInput(() => correcting.editing.get() !== null && sync.request()),
    // A rejection may mean that the hold has ended: checks immediately, to report it without delay.
    corrections.where.subscribe(() => corrections.where.get().kind === 'waiting' && void hold.renew()),
    () => stopSync?.(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Corrections including unsaved typing: a tab crash loses at most a second of it. */
function withTyped({ desk, corrections: { base }, correcting }: OpenDesk, set: CorrectionSet): CorrectionSet {
  const place = correcting.editing.get()
  const typed = place && desk.view?.elementOf(place.block)?.querySelector('.block-text')?.textContent
  if (base === null || place === null || typed == null) return set
  const { table, names } = desk.text.state.get()
  const change = changeOfText(table, place.from, place.to, typed, desk.voiced)
  if (change === null) return set
  const now = applyOperation({ table, names }, { label: 'Typing', changes: [change], names: null })
  return makeSet(base, now)
}

async function settled({ corrections }: OpenDesk, sync: CorrectionSync): Promise<number> {
  for (let tries = 0; tries < settleTries; tries += 1) {
    const synced = await readSynced(corrections.key)
    const mine = corrections.current()
    if (synced !== null && mine !== null && changeBetween(synced.set, mine, '') === null) return synced.revision
    sync.request()
    await new Promise((resolve) => setTimeout(resolve, settleMs))
  }
  const where = corrections.where.get()
  throw new Error(where.kind === 'waiting' ? where.problem : 'Not all of it is saved yet. Try again in a moment.')
}

/** Removes a part's data from this device once it belongs to somebody else. */
export async function forgetPart({ held, desk }: Pick<PartDesk, 'held' | 'desk'>): Promise<void> {
  desk.close()
  await dropCorrections(onDevice, held.session.account, (part) => part === held.part).catch(() => undefined)
}

/** Gives an empty part a placeholder word, which typing replaces. */
export function beginToType({ desk, correcting, start }: PartDesk, { part }: DeskPart): void {
  const [from, to] = [moved(part.start, -start), moved(part.end, -start)]
  const first = { ...newWord, text: emptyTurn, start: from, end: to }
  if (!correcting.change('Typing', [{ at: 0, removed: [], inserted: [first] }])) return
  desk.view?.focusBlock(0)
  correcting.beginEmpty(0)
}

/** Length of the sound included before the part. Seconds. */
const soundBefore = 10

/** The second of the recording at which the part's sound begins; times on the desk are relative to it. */
export function soundStart({ position, start }: DeskPart['part']): number {
  return position === 0 ? 0 : Math.max(0, start - soundBefore)
}

/** A time shifted by some seconds, in whole milliseconds: shifting it back restores it exactly. */
function moved(seconds: number, by: number): number {
  return Math.max(0, Math.round((seconds + by) * 1_000) / 1_000)
}

function movedPatches(patches: CorrectionSet['patches'], by: number): CorrectionSet['patches'][number][] {
  return patches.map((patch) => ({
    ...patch,
    startSeconds: moved(patch.startSeconds, by),
    words: patch.words.map((word) => ({ ...word, start: moved(word.start, by), end: moved(word.end, by) })),
  }))
}

function shiftedSet(set: CorrectionSet, by: number): CorrectionSet {
  return { ...set, patches: movedPatches(set.patches, by) }
}

/** A part's corrections, with times relative to the start of its sound. @param start of the sound, in seconds */
export function shiftedHome({ fetch, send }: CorrectionHome, start: number): CorrectionHome {
  return {
    async fetch(known) {
      const kept = await fetch(known)
      if (kept?.set == null) return kept
      return { ...kept, set: shiftedSet(kept.set, -start) }
    },
    send: (revision, change) => send(revision, { ...change, put: movedPatches(change.put, start) }),
  }
}
