import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { countCorrections } from '../../../text/patches.ts'
import { Signal } from '../../base/state/signal.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { DocumentKey } from '../../signed-in/library/correction-database.ts'
import type { TextState, TranscriptText } from '../model/transcript-text.ts'
import type { WordSpan } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'
import { wholeChange } from './changes.ts'
import {
  type CorrectionDocument,
  type Draft,
  hasUnsent,
  readDocument,
  readOperation,
  readVersions,
  type SavedVersion,
  StaleRevisionError,
  saveVersion,
  writeDocument,
} from './correction-store.ts'
import { moveChanges, moveOperation } from './move-operation.ts'
import {
  applyOperation,
  type Base,
  type Corrected,
  invertOperation,
  type Operation,
  type RulesChange,
} from './operation.ts'
import { makeSet } from './patches.ts'
import { type Conflict, reapply, relocateConflicts } from './reapply.ts'
import { SideSteps } from './side-steps.ts'

export type CorrectionState = {
  /** `waiting` until the whole text is loaded; `none`: there are no corrections */
  saved: 'waiting' | 'none' | 'saving' | 'saved' | 'failed'
  savedAt: number
  canUndo: boolean
  canRedo: boolean
  /** number of corrections, including renamed speakers */
  count: number
  /** corrections that conflict with a newer version of the transcript */
  conflicts: readonly Conflict[]
}

/**
 * Where corrections are stored besides this device: `sending` to the service, `kept` by it, only on this `device`
 * because the service does not store them, or `waiting` for an error to clear (see `problem`). `isUnsent`: some are
 * only on this device.
 */
export type CorrectionPlace =
  | { kind: 'sending' | 'kept' | 'device' }
  | { kind: 'waiting'; problem: string; isUnsent: boolean }

const nothing: CorrectionState = {
  saved: 'waiting',
  savedAt: 0,
  canUndo: false,
  canRedo: false,
  count: 0,
  conflicts: [],
}

/** Minimum time between automatically stored versions. Milliseconds. */
const versionIntervalMs = 10 * 60_000

/**
 * Corrections of one transcript, stored on this device: applied to the service's text, saved after each step, with
 * unlimited undo and redo, and synchronized between tabs. `CorrectionSync` synchronizes them with the service.
 */
export class Corrections {
  readonly state = new Signal<CorrectionState>(nothing)
  readonly where = new Signal<CorrectionPlace>({ kind: 'sending' })
  readonly #untilIdle: () => Promise<void>
  readonly #text: TranscriptText
  readonly key: DocumentKey
  #channel: BroadcastChannel | null = null
  #base: Base | null = null
  #document: CorrectionDocument | null = null
  /** label of the last step, for the service's versions */
  lastStep = 'Corrections of this device'
  /** called with each step of this device once it is on screen, and the text before it */
  onStep: ((before: TextState, operation: Operation) => void) | null = null
  /** sets the caption rules of a step that is undone or redone; false if they could not be set */
  onRules: ((change: RulesChange) => Promise<boolean>) | null = null
  /** undone before the last step, and redone after it */
  readonly sideSteps = new SideSteps(() => this.#update({}))
  #queue: Promise<void> = Promise.resolve()
  #versionAt = 0
  /** whether the text may not be changed: it is approved, or the key may not */
  readonly isLocked = new Signal(false)
  #wantsLock = false
  #isForbidden = false
  /** counts how often the stored text has replaced the one on screen */
  #shown = 0

  /**
   * @param untilIdle resolves when nobody is typing: corrections of another tab must not change text under the caret
   */
  constructor(text: TranscriptText, key: DocumentKey, untilIdle: () => Promise<void>) {
    this.#text = text
    this.key = key
    this.#untilIdle = untilIdle
  }

  /** Listens for changes by other tabs. Returns a function that stops. */
  open(): () => void {
    const channel = new BroadcastChannel(`parley-corrections ${JSON.stringify(this.key)}`)
    channel.onmessage = () => void this.refresh()
    this.#channel = channel
    return () => channel.close()
  }

  /** Shows what others wrote to the store, in this tab and other tabs. */
  announce(revision: number): void {
    this.#channel?.postMessage(revision)
    void this.refresh()
  }

  /** Shows what is stored, once nobody is typing. */
  async refresh(): Promise<void> {
    await this.#untilIdle()
    await this.#enqueue(() => this.#reload())
  }

  get base(): Base | null {
    return this.#base
  }

  /** Earlier versions stored on this device, newest first. */
  versions(): Promise<SavedVersion[]> {
    return readVersions(this.key)
  }

  /** Applies the stored corrections; call once the service's whole text is loaded and its speakers are matched. */
  start(): Promise<void> {
    const { table, names, fingerprint } = this.#text.state.get()
    if (fingerprint === null) return Promise.resolve()
    this.#base = { table, names, fingerprint }
    return this.#enqueue(() => this.#reload())
  }

  /** Runs steps sequentially, so that they are saved in order. */
  #enqueue(step: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(step).catch(() => {
      const set = this.current()
      this.#update({ saved: 'failed', ...(set && { count: countCorrections(set) }) })
    })
    return this.#queue
  }

  #update(change: Partial<CorrectionState>): void {
    const cursor = this.#document?.cursor ?? 0
    this.state.set({
      ...this.state.get(),
      canUndo: cursor > 0 || this.sideSteps.canUndo,
      canRedo: cursor < (this.#document?.operations ?? 0) || this.sideSteps.canRedo,
      count: this.#document === null ? 0 : countCorrections(this.#document),
      savedAt: this.#document?.savedAt ?? 0,
      ...change,
    })
  }

  async #reload(): Promise<void> {
    const base = this.#base
    if (base === null) return
    const document = await readDocument(this.key)
    if (document !== null && document.revision === this.#document?.revision) return
    this.#document = document
    if (document === null) return this.#update({ saved: 'none', conflicts: [] })
    const { table, names, conflicts } = reapply(base, document)
    this.#text.replace(table, names)
    this.#shown++
    const isNewer = document.fingerprint !== base.fingerprint
    const older = isNewer ? relocateConflicts(base.table, document.conflicts) : document.conflicts
    const undecided = [...older, ...conflicts]
    this.#update({ saved: countCorrections(document) > 0 ? 'saved' : 'none', conflicts: undecided })
    if (isNewer) await this.#moveToVersion(document, base, { table, names })
  }

  /**
   * Moves to a newer version of the service's text: stores the old corrections as a version; their steps can no longer
   * be undone.
   */
  async #moveToVersion(document: CorrectionDocument, base: Base, now: Corrected): Promise<void> {
    await saveVersion(this.key, { ...document, keptAt: Date.now(), label: 'Before the new transcript' })
    await this.#write(makeSet(base, now), { cursor: 0, operations: 0 }, null)
  }

  /** Locks or unlocks an approved text. Unsaved typing is saved on this device first. */
  async lock(isLocked: boolean): Promise<void> {
    this.#wantsLock = isLocked
    if (isLocked) await this.#untilIdle()
    this.isLocked.set(this.#wantsLock || this.#isForbidden)
  }

  /** Locks the text for good: the key of this page may not change texts. */
  forbid(): void {
    this.#isForbidden = true
    this.isLocked.set(true)
  }

  /** Records why the service cannot be asked now. @param problem a sentence for the user */
  async wait(problem: string): Promise<void> {
    const before = this.where.get()
    const isUnsent = await hasUnsent(this.key)
    if (this.where.get() === before) this.where.set({ kind: 'waiting', problem, isUnsent })
  }

  /** Whether the text may be changed; if not, shows a message with the reason. */
  mayChange(): boolean {
    if (this.#isForbidden)
      showToast({ title: 'This key may not change texts', detail: 'It lacks the right “correct”.' })
    else if (this.isLocked.get())
      showToast({ title: 'This transcript is approved', detail: 'Reopen it to make changes.' })
    return !this.isLocked.get()
  }

  /** Applies a step of this device to the text on screen. */
  #apply(operation: Operation): Corrected {
    const before = this.#text.state.get()
    const now = applyOperation(before, operation)
    if (now.table === before.table && now.names === before.names) return now
    this.#text.replace(now.table, now.names)
    this.onStep?.(before, operation)
    return now
  }

  /** Performs one step: applies it optimistically, then saves it. */
  commit(operation: Operation): Promise<void> {
    const base = this.#base
    if (base === null || !this.mayChange()) return Promise.resolve()
    const before = this.#text.state.get()
    const now = this.#apply(operation)
    this.sideSteps.forget()
    this.lastStep = operation.label
    if (this.where.get().kind === 'kept') this.where.set({ kind: 'sending' })
    this.#update({ saved: 'saving' })
    const shown = this.#shown
    return this.#enqueue(async () => {
      if (shown !== this.#shown) return await this.#commitAfterOther(base, operation, before.table)
      const cursor = (this.#document?.cursor ?? 0) + 1
      const isSaved = await this.#save(base, now, { cursor, operations: cursor }, operation)
      if (isSaved) await this.#saveVersionIfDue(base, now)
      else await this.#commitAfterOther(base, operation, before.table)
    })
  }

  /** @returns false if another tab has saved first; then its text is shown */
  async #save(base: Base, now: Corrected, place: Place, operation: Operation | null): Promise<boolean> {
    try {
      await this.#write(makeSet(base, now), place, operation)
      this.#update({ saved: 'saved' })
      const at = this.where.get()
      if (at.kind === 'waiting') this.where.set({ ...at, isUnsent: true })
      return true
    } catch (error) {
      if (!(error instanceof StaleRevisionError)) throw error
      await this.#reload()
      return false
    }
  }

  /** Another tab has saved first: reapplies this step to its text; what cannot be reapplied becomes a conflict. */
  async #commitAfterOther(base: Base, operation: Operation, before: WordTable): Promise<void> {
    const theirs = this.#text.state.get()
    const { moved, conflicts } = moveOperation(operation, before, theirs)
    const now = moved === null ? theirs : applyOperation(theirs, moved)
    if (moved !== null) this.#text.replace(now.table, now.names)
    this.#update({ conflicts: [...this.state.get().conflicts, ...conflicts] })
    const { cursor, operations } = this.#document ?? { cursor: 0, operations: 0 }
    const place = moved === null ? { cursor, operations } : { cursor: cursor + 1, operations: cursor + 1 }
    if (!(await this.#save(base, now, place, moved))) await this.#commitAfterOther(base, operation, before)
  }

  async #write(set: CorrectionSet, place: Place, operation: Operation | null): Promise<void> {
    const revision = this.#document?.revision ?? 0
    const { conflicts } = this.state.get()
    const document = { ...set, ...place, conflicts, revision: revision + 1, savedAt: Date.now() }
    await writeDocument(this.key, revision, document, operation)
    this.#document = document
    this.#channel?.postMessage(document.revision)
    this.#update({})
  }

  async #saveVersionIfDue(base: Base, now: Corrected): Promise<void> {
    if (Date.now() - this.#versionAt < versionIntervalMs) return
    this.#versionAt = Date.now()
    await saveVersion(this.key, { ...makeSet(base, now), keptAt: Date.now(), label: 'Autosaved' })
  }

  /** Takes a step that changed no text out of the history, if it is the last: the service refused it. */
  forget(operation: Operation): Promise<void> {
    return this.#enqueue(async () => {
      const cursor = (this.#document?.cursor ?? 0) - 1
      const last = await readOperation(this.key, cursor)
      if (this.#base === null || JSON.stringify(last) !== JSON.stringify(operation)) return
      await this.#save(this.#base, this.#text.state.get(), { cursor, operations: cursor }, null)
    })
  }

  async undo(): Promise<void> {
    if (this.mayChange() && !this.sideSteps.undo()) await this.#enqueue(() => this.#step(-1))
  }

  async redo(): Promise<void> {
    if (!this.mayChange()) return
    const { cursor = 0, operations = 0 } = this.#document ?? {}
    if (cursor < operations || !this.sideSteps.redo()) await this.#enqueue(() => this.#step(1))
  }

  async #step(by: 1 | -1): Promise<void> {
    const base = this.#base
    const cursor = this.#document?.cursor ?? 0
    const operation = await readOperation(this.key, by === 1 ? cursor : cursor - 1)
    if (base === null || operation === null) return
    const step = by === 1 ? operation : invertOperation(operation)
    if (step.rules !== undefined && !(await this.onRules?.(step.rules))) return
    const now = this.#apply(step)
    this.lastStep = `${by === 1 ? 'Redo' : 'Undo'}: ${operation.label}`
    await this.#save(base, now, { cursor: cursor + by, operations: this.#document?.operations ?? 0 }, null)
  }

  /** The current corrections; null before `start`. */
  current(): CorrectionSet | null {
    return this.#base === null ? null : makeSet(this.#base, this.#text.state.get())
  }

  /** Replaces all corrections (with an import or an earlier version), as one undoable step. */
  replaceBy(set: CorrectionSet, label: string): Promise<void> {
    const base = this.#base
    if (base === null || !this.mayChange()) return Promise.resolve()
    const before = this.#text.state.get()
    const { table, names, conflicts } = reapply(base, set)
    this.#update({ conflicts })
    return this.commit({
      label,
      changes: [wholeChange(before.table, table)],
      names: { before: before.names, after: names },
    })
  }

  /** Resolves a conflict: with an operation that applies the correction, or null to keep the newer text. */
  async resolve(conflict: Conflict, operation: Operation | null): Promise<void> {
    const base = this.#base
    if (!this.mayChange()) return
    this.#update({ conflicts: this.state.get().conflicts.filter((one) => one !== conflict) })
    if (operation !== null) return await this.commit(operation)
    if (base !== null && this.#document !== null) await this.#saveConflicts(base)
  }

  /**
   * Commits a draft of an earlier page; a conflict if its place has changed.
   * @returns its words in the text now, which are none if it deleted some; null if it was in the text already
   */
  async commitDraft({ fingerprint, patch, inserted }: Draft): Promise<WordSpan | 'conflict' | null> {
    const base = this.#base
    if (base === null) return null
    const isSame = fingerprint === base.fingerprint
    // If the draft is for another text, its word numbers do not apply.
    const words = isSame ? inserted : inserted.map((word) => ({ ...word, origin: -1 }))
    const { changes, conflicts } = moveChanges([{ patch, inserted: words }], this.#text.state.get())
    const [change] = changes ?? []
    if (changes !== null) {
      if (change === undefined) return null
      await this.commit({ label: 'Typing', changes, names: null })
      return { from: change.at, to: change.at + change.inserted.length }
    }
    this.#update({ conflicts: [...this.state.get().conflicts, ...conflicts] })
    await this.#saveConflicts(base)
    return 'conflict'
  }

  async #saveConflicts(base: Base): Promise<void> {
    await this.#enqueue(async () => {
      const { cursor, operations } = this.#document ?? { cursor: 0, operations: 0 }
      await this.#save(base, this.#text.state.get(), { cursor, operations }, null)
    })
  }
}

type Place = Pick<CorrectionDocument, 'cursor' | 'operations'>
