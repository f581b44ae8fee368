import { CoalescedTask } from '../../../contract/common/coalesced-task.ts'
import type { CaptionRules } from '../../../formats/captions/caption-rules.ts'
import type { Cue, CueWarning } from '../../../formats/captions/cues.ts'
import { Signal } from '../../base/state/signal.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Desk } from '../desk/desk.ts'
import type { About } from '../downloads/make-file.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { TextState } from '../model/transcript-text.ts'
import type { WordTable } from '../model/word-table.ts'
import type { CaptionAnswer, CaptionRequest } from './caption-worker.ts'
import { mendByTime } from './mend.ts'
import { changesOf, type Edge, type Made, moveEdge, roomOf, type Settings, type Wanted } from './set-captions.ts'

export type CaptionState = {
  cues: readonly Cue[]
  /** what is wrong with captions, by their index; in order */
  faults: ReadonlyMap<number, readonly CueWarning[]>
  /** index of the caption at hand, -1 if there is none */
  current: number
  /** the text that they are of; null until they are made first */
  table: WordTable | null
}

/** The captions of an open transcript, made again by a worker after each change; what is done to them is a correction. */
export class Captions {
  readonly state = new Signal<CaptionState>({ cues: [], faults: new Map(), current: -1, table: null })
  readonly rules: Signal<CaptionRules>
  readonly #desk: Desk
  readonly #corrections: Corrections
  readonly #about: About
  #worker: Worker | null = null
  readonly #task = new CoalescedTask(
    () => this.#make(),
    () => showToast({ tone: 'bad', title: 'The captions could not be made', detail: 'Reload the page to try again.' }),
  )
  #madeBy: CaptionRules | null = null
  /** the text they were made of: its names come after its words, and tell who speaks in the same table */
  #madeOf: Pick<TextState, 'table' | 'names'> | null = null

  constructor(desk: Desk, corrections: Corrections, about: About, rules: CaptionRules) {
    this.#desk = desk
    this.#corrections = corrections
    this.#about = about
    this.rules = new Signal(rules)
  }

  /** Makes them by other rules. */
  keepTo(rules: CaptionRules): void {
    const before = this.rules.get()
    if (Object.entries(rules).some(([name, rule]) => before[name as keyof CaptionRules] !== rule)) this.rules.set(rules)
  }

  /** Makes them, and again whenever the text or the rules change. Returns a function that ends it. */
  open(): () => void {
    const { text, playback } = this.#desk
    const stops = [
      text.state.subscribe(() => this.#task.request()),
      this.rules.subscribe(() => this.#task.request()),
      playback.onTime((seconds) => {
        if (playback.state.get().playing) this.#choose(this.at(seconds * 1_000))
      }),
    ]
    this.#task.request()
    return () => {
      for (const stop of stops) stop()
      void this.#task.stop()
      this.#worker?.terminate()
    }
  }

  async #make(): Promise<void> {
    const { table, names, phase } = this.#desk.text.state.get()
    const rules = this.rules.get()
    // A text that arrives is one table that grows: captions of its beginning would be taken for those of all of it.
    if (phase === 'reading') return
    const isMade = table === this.#madeOf?.table && names === this.#madeOf.names && rules === this.#madeBy
    if (isMade) return
    const { cues, warnings } = await this.#ask({ table: table.columns(), names, about: this.#about, rules })
    const now = this.#desk.text.state.get()
    // What changed meanwhile is made next.
    if (table !== now.table || names !== now.names) return
    this.#madeBy = rules
    this.#madeOf = { table, names }
    const faults = Map.groupBy(warnings, ({ cue }) => cue - 1)
    const before = this.state.get()
    const place = before.cues[before.current]?.word
    const seconds = this.#desk.playback.seconds
    const current = cues.length === 0 ? -1 : place === undefined ? atTime(cues, seconds * 1_000) : atWord(cues, place)
    this.state.set({ cues, faults, table, current })
  }

  /** Has the worker make them. A worker that fails, as where its code could not be loaded, is replaced at the next try. */
  #ask(request: CaptionRequest): Promise<CaptionAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<CaptionAnswer>()
    this.#worker ??= new Worker(new URL('./caption-worker.ts', import.meta.url), { type: 'module' })
    const worker = this.#worker
    worker.onmessage = ({ data }: MessageEvent<CaptionAnswer>) => resolve(data)
    worker.onerror = (error) => {
      worker.terminate()
      this.#worker = null
      reject(error)
    }
    worker.postMessage(request)
    return promise
  }

  /** The captions as they are, with their text; null while they are made again, as words have other numbers then. */
  get made(): Made | null {
    const { cues, table } = this.state.get()
    const isCurrent = table !== null && table === this.#desk.text.state.get().table
    return isCurrent ? { cues, table, rules: this.rules.get() } : null
  }

  /** Once the captions are those of the text as it is now. */
  async #whenMade(): Promise<Made> {
    for (;;) {
      const { made } = this
      if (made !== null && this.#madeBy === made.rules) return made
      await new Promise<void>((resolve) => {
        const stop = this.state.subscribe(() => {
          stop()
          resolve()
        })
      })
    }
  }

  /** Index of the caption that is shown at a time, or was last. */
  at(ms: number): number {
    return atTime(this.state.get().cues, ms)
  }

  #choose(index: number): void {
    const state = this.state.get()
    if (index !== state.current && index < state.cues.length) this.state.set({ ...state, current: index })
  }

  /** Goes to a caption: the sound waits at its beginning, or goes on there. */
  goTo(index: number): void {
    const { cues } = this.state.get()
    const to = Math.max(0, Math.min(cues.length - 1, index))
    this.#choose(to)
    const cue = cues[to]
    if (cue !== undefined) this.#desk.playback.seek(cue.startMs / 1_000 + 0.001)
  }

  /** Plays the caption at hand. */
  play(): void {
    const { cues, current } = this.state.get()
    const cue = cues[current]
    if (cue !== undefined) this.#desk.playback.playStretch(cue.startMs / 1_000, cue.endMs / 1_000)
  }

  /** To the next caption that breaks a rule (1) or the previous one (-1), and plays it. */
  stepFault(by: 1 | -1): void {
    const { faults, current } = this.state.get()
    const places = [...faults.keys()]
    const next = by === 1 ? places.find((at) => at > current) : places.findLast((at) => at < current)
    const to = next ?? (by === 1 ? places[0] : places.at(-1))
    if (to === undefined) return
    this.goTo(to)
    if (this.#desk.playback.state.get().status === 'ready') this.play()
  }

  /** Does something to the caption at hand, as one correction; a message says where it cannot be. */
  async change(label: string, wantedOf: (made: Made, index: number) => Wanted): Promise<void> {
    const made = await this.#whenMade()
    const wanted = wantedOf(made, this.state.get().current)
    if (typeof wanted === 'string') showToast({ title: `${label}: not possible here`, detail: wanted })
    else this.#commit(label, made.table, wanted)
  }

  #commit(label: string, table: WordTable, settings: Settings): void {
    const changes = changesOf(table, settings)
    if (changes.length > 0) void this.#corrections.commit({ label, changes, names: null })
  }

  /** The word of a caption before which the sound is, but for its first; null if it is elsewhere. */
  spokenIn({ cues, table }: Made, index: number): number | null {
    const [first, end] = [cues[index]?.word ?? 0, cues[index + 1]?.word ?? table.count]
    const { seconds } = this.#desk.playback
    for (let word = first + 1; word < end; word++)
      if (table.startOf(word) > seconds) return word === first + 1 ? null : word
    return null
  }

  /** Moves an edge of a caption, shown at once. */
  moveEdge(index: number, edge: Edge, toMs: number): void {
    const { made } = this
    if (made === null || !this.#corrections.mayChange()) return
    const [least, most] = roomOf(made, index, edge)
    const ms = Math.round(Math.min(most, Math.max(least, toMs)))
    const wanted = moveEdge(made, index, edge, ms)
    if (typeof wanted === 'string') {
      showToast({ title: 'Move edge: not possible here', detail: wanted })
      return
    }
    this.#commit(edge === 'start' ? 'Caption begins' : 'Caption ends', made.table, wanted)
    // The words are those of before, so that the next move need not wait for the worker.
    const cues = [...made.cues]
    for (const at of [index, index + 1]) {
      const cue = cues[at]
      if (cue !== undefined && wanted.has(cue.word)) cues[at] = { ...cue, edit: wanted.get(cue.word) }
    }
    cues[index] = { ...(cues[index] as Cue), [`${edge}Ms`]: ms }
    const before = cues[index - 1]
    if (before !== undefined) cues[index - 1] = { ...before, endMs: Math.min(before.endMs, cues[index]?.startMs ?? 0) }
    this.state.set({ ...this.state.get(), cues, table: this.#desk.text.state.get().table })
  }

  /** Gives all captions that time alone can mend new times, as one correction. */
  async mend(): Promise<void> {
    const made = await this.#whenMade()
    const { settings, mended } = mendByTime(made)
    if (mended > 0) this.#commit('Mend captions by time', made.table, settings)
    const left = this.state.get().faults.size - mended
    const detail = left > 0 ? `${left} ${left === 1 ? 'needs' : 'need'} other words or breaks.` : 'All keep the rules.'
    showToast({ title: mended === 1 ? '1 caption mended' : `${mended} captions mended`, detail })
  }
}

/** Index of the last caption with a value up to one. */
function lastUpTo(cues: readonly Cue[], value: number, of: (cue: Cue) => number): number {
  let low = 0
  let high = cues.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (of(cues[middle] as Cue) <= value) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

function atTime(cues: readonly Cue[], ms: number): number {
  return lastUpTo(cues, ms, ({ startMs }) => startMs)
}

function atWord(cues: readonly Cue[], word: number): number {
  return lastUpTo(cues, word, (cue) => cue.word)
}
