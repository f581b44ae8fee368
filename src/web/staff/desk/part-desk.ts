import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { DeskPart } from '../../../contract/work/parts.ts'
import type { StaffOverview } from '../../../contract/work/staff.ts'
import { changeBetween } from '../../../text/correction-set.ts'
import { correctionsOfPart, fetchPartPlayback, type HeldPart, renewHold } from '../../base/api/work.ts'
import { throttled } from '../../base/state/throttled.ts'
import { dropCorrections } from '../../signed-in/library/correction-database.ts'
import { type OpenDesk, openDesk } from '../../transcript/desk/open-desk.ts'
import { changeOfText } from '../../transcript/edit/changes.ts'
import { readSynced } from '../../transcript/edit/correction-store.ts'
import { applyOperation } from '../../transcript/edit/operation.ts'
import { patchesOf } from '../../transcript/edit/patches.ts'
import { Blocks } from '../../transcript/model/blocks.ts'
import type { Word } from '../../transcript/model/word.ts'
import { WordTable } from '../../transcript/model/word-table.ts'
import { CorrectionSync } from '../../transcript/sync/correction-sync.ts'
import { Hold } from './hold.ts'
import { moved, shiftedHome, soundStart } from './shifted-home.ts'

/** While somebody types, what is typed goes to the service this often. Milliseconds. */
const sendEveryMs = 1_000
/** How long, and how often, one waits for all to be saved before a part is submitted. */
const [settleTries, settleMs] = [40, 250]

/** An open part: the customers' desk, the hold on it, and what keeps both in step with the service. */
export type PartDesk = OpenDesk & {
  held: HeldPart
  hold: Hold
  /** the second of the recording at which the sound begins */
  start: number
  /** Waits until all that was typed is with the service. @returns its revision @throws if it is not, in words */
  settled: () => Promise<number>
  /** Shows the text and keeps it in step. Returns a function that ends both. */
  open: () => () => void
}

/** Environment of the key under which this device keeps what is typed in a part. */
const onDevice = 'work'

/** @param toTools focuses the buttons for the turn being typed in */
export function openPart(held: HeldPart, part: DeskPart, staff: StaffOverview, toTools: () => void): PartDesk {
  const start = soundStart(part.part)
  const key = [onDevice, staff.id, held.part] as const
  const renew = async () => (await fetchPartPlayback(held))?.url ?? null
  const open = openDesk({ key, spelling: part.spelling as keyof typeof spellingOf, renew }, toTools)
  const { desk, corrections } = open
  const home = shiftedHome(correctionsOfPart(held), start)
  const sync = new CorrectionSync(home, corrections, (set) => withTyped(open, set))
  const hold = new Hold(() => renewHold(held, heardSince(desk.playback.media.played, start)), staff)
  return {
    ...open,
    held,
    hold,
    start,
    settled: () => settled(open, sync),
    open: () => {
      showText(open, part, start)
      void corrections.start()
      const stops = [hold.open(), corrections.open(), keepSent(open, sync, hold)]
      return () => {
        for (const stop of stops) stop()
        desk.close()
      }
    },
  }
}

// Only to name the four: the contract has a text.
declare const spellingOf: Record<Parameters<typeof openDesk>[0]['spelling'], never>

/** What the browser has played, in seconds of the recording. */
function heardSince(played: TimeRanges, start: number): [number, number][] {
  return Array.from({ length: played.length }, (_, index): [number, number] => [
    moved(played.start(index), start),
    moved(played.end(index), start),
  ])
}

function showText({ desk: { text } }: OpenDesk, { words, names, fingerprint }: DeskPart, start: number): void {
  const inserted = words.map(
    (word, origin): Word => ({
      text: word.word,
      start: moved(word.start, -start),
      end: moved(word.end, -start),
      conf: word.conf,
      endsTurn: word.turn === true,
      turnConf: null,
      speaker: word.speaker,
      origin,
    }),
  )
  const table = new WordTable().spliced([{ at: 0, removed: 0, inserted }])
  const whole = { phase: 'whole', fingerprint, named: true, sameHead: 0, sameTail: 0 } as const
  text.state.set({ ...text.state.get(), ...whole, table, blocks: Blocks.of(table), names })
}

/** Sends each step, and while somebody types what is typed, until the hold ends. Returns a function that stops. */
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
    // What was refused may be refused because the hold has ended: asked at once, so that it is said at once.
    corrections.where.subscribe(() => corrections.where.get().kind === 'waiting' && void hold.renew()),
    () => stopSync?.(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Corrections with what is being typed and is none yet: a tab that ends takes no more than a second of it along. */
function withTyped({ desk, corrections: { base }, correcting }: OpenDesk, set: CorrectionSet): CorrectionSet {
  const place = correcting.editing.get()
  const typed = place && desk.view?.elementOf(place.block)?.querySelector('.block-text')?.textContent
  if (base === null || place === null || typed == null) return set
  const { table, names } = desk.text.state.get()
  const change = changeOfText(table, place.from, place.to, typed)
  if (change === null) return set
  const now = applyOperation({ table, names }, { label: 'Typing', changes: [change], names: null })
  return { ...set, names, patches: patchesOf(base.table, now.table) }
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

/** Nothing of a part stays on this device once it is another's. */
export async function forgetPart({ held, desk }: Pick<PartDesk, 'held' | 'desk'>): Promise<void> {
  desk.close()
  await dropCorrections(onDevice, held.session.account, (part) => part === held.part).catch(() => undefined)
}

/** A part without a word gets one to begin with: typing replaces it. */
export function beginToType({ desk, correcting, start }: PartDesk, { part }: DeskPart): void {
  const [from, to] = [moved(part.start, -start), moved(part.end, -start)]
  const first = {
    text: '…',
    start: from,
    end: to,
    conf: null,
    endsTurn: false,
    turnConf: null,
    speaker: -1,
    origin: -1,
  }
  if (!correcting.change('Typing', [{ at: 0, removed: [], inserted: [first] }])) return
  desk.view?.focusBlock(0)
  correcting.begin(0, 0)
}
