import type { Review as Kept, ReviewState } from '../../../contract/account/review.ts'
import { CoalescedTask } from '../../../contract/common/coalesced-task.ts'
import { type WordRange, withoutRanges, withRanges } from '../../../text/word-ranges.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { fetchReview, sendChecks, sendReviewState } from '../../base/api/review.ts'
import { inOrder } from '../../base/state/in-order.ts'
import { Signal } from '../../base/state/signal.ts'
import { announce } from '../../base/ui/announcer.tsx'
import type { Desk } from '../desk/desk.ts'
import { readSynced } from '../edit/correction-store.ts'
import type { Corrections } from '../edit/corrections.ts'
import { findWords } from '../edit/current-range.ts'
import type { Operation } from '../edit/operation.ts'
import { untilKept } from '../edit/until-kept.ts'
import type { TextState } from '../model/transcript-text.ts'
import { blockOfNode } from '../view/selection.ts'
import { markTurn } from './mark-turn.ts'
import { changedTurns, nextUnchecked, rangeOfTurn } from './turns.ts'
import { isNothing, readUnsent, storeUnsent, type UnsentChecks, withChecks } from './unsent-checks.ts'

const retryMs = 10_000

export type Reviewed = {
  /** the service's state */
  kept: Kept
  /** checked turns, sent or not */
  checked: readonly WordRange[]
  /** why this device's checks are not sent yet; null if they are, or are about to be */
  problem: string | null
}

/**
 * The review of one transcript: its checked turns and its state, synchronized with the account. Checks made offline
 * stay on this device until they can be sent.
 */
export class Review {
  /** null until the service has responded */
  readonly state = new Signal<Reviewed | null>(null)
  /** the service's number of a word of the turn being checked; null if nobody is checking */
  readonly current = new Signal<number | null>(null)
  readonly #known = Promise.withResolvers<void>()
  readonly #session: Session
  readonly #desk: Desk
  readonly #corrections: Corrections
  readonly #onUnlocked: () => void
  readonly #task = new CoalescedTask(
    () => this.#sync(),
    (error) => this.#fail(error),
  )
  #unsent: UnsentChecks
  #isBehind = true
  #retry: number | undefined
  readonly #moveInOrder = inOrder()

  /** @param onUnlocked called when corrections may be sent again */
  constructor(session: Session, desk: Desk, corrections: Corrections, onUnlocked: () => void) {
    this.#session = session
    this.#desk = desk
    this.#corrections = corrections
    this.#onUnlocked = onUnlocked
    this.#unsent = readUnsent(corrections.key, corrections.base?.fingerprint ?? '')
  }

  get #id(): string {
    return this.#corrections.key[2]
  }

  /** Resolves once the service has responded. */
  get known(): Promise<void> {
    return this.#known.promise
  }

  /** Starts. Returns a function that stops. @param isNew the service has no review yet */
  open(isNew: boolean): () => void {
    const online = () => this.#task.request()
    window.addEventListener('online', online)
    const stops = [
      this.#desk.text.state.subscribe(() => this.#desk.markAll()),
      this.current.subscribe(() => this.#desk.markAll()),
      () => window.removeEventListener('online', online),
      () => window.clearTimeout(this.#retry),
    ]
    this.#desk.mark = (block, element) => {
      markTurn(this.#desk.text.state.get(), block, element, this.state.get()?.checked ?? [], this.current.get())
    }
    this.#corrections.onStep = (before, operation) => this.#uncheckChanged(before, operation)
    if (isNew) this.#show({ revision: 0, state: 'draft', checked: [], steps: [] })
    this.hear(null)
    return () => {
      this.#desk.mark = null
      this.#corrections.onStep = null
      for (const stop of stops) stop()
    }
  }

  /** The service has announced this revision; null: events were missed. */
  hear(revision: number | null): void {
    if (revision !== null && revision <= (this.state.get()?.kept.revision ?? -1)) return
    this.#isBehind = true
    this.#task.request()
  }

  async #sync(): Promise<void> {
    while (!isNothing(this.#unsent)) {
      const sent = this.#unsent
      const kept = await sendChecks(this.#session, this.#id, {
        fingerprint: sent.fingerprint,
        add: sent.add.map(([from, to]) => [from, to]),
        remove: sent.remove.map(([from, to]) => [from, to]),
      })
      // Checks made in the meantime resend these as well, which is idempotent.
      if (this.#unsent === sent) this.#setUnsent({ ...sent, add: [], remove: [] })
      this.#show(kept)
    }
    if (this.#isBehind) await this.#read()
  }

  async #read(): Promise<void> {
    // Before the request: an event that arrives during it may announce a later revision.
    this.#isBehind = false
    try {
      this.#show(await fetchReview(this.#session, this.#id))
    } catch (error) {
      this.#isBehind = true
      throw error
    }
  }

  #setUnsent(unsent: UnsentChecks): void {
    this.#unsent = unsent
    storeUnsent(this.#corrections.key, unsent)
  }

  #show(kept: Kept, problem: string | null = null): void {
    const before = this.state.get()?.kept
    // A stale response, overtaken by a newer one.
    if (before !== undefined && kept.revision < before.revision) return
    const checked = withRanges(withoutRanges(kept.checked, this.#unsent.remove), this.#unsent.add)
    this.state.set({ kept, checked, problem })
    this.#known.resolve()
    this.#desk.markAll()
    const wasLocked = before?.state === 'approved'
    const isLocked = kept.state === 'approved'
    if (isLocked) this.current.set(null)
    if (isLocked !== wasLocked) void this.#corrections.lock(isLocked)
    if (!wasLocked || isLocked) return
    this.#onUnlocked()
    this.#task.request()
  }

  #fail(error: unknown): void {
    const kept = this.state.get()?.kept
    // The service does not store reviews, or the file has been deleted.
    if (error instanceof ApiError && error.status === 404) {
      this.#setUnsent({ ...this.#unsent, add: [], remove: [] })
      return
    }
    const problem = error instanceof ApiError ? error.message : String(error)
    if (kept !== undefined) this.#show(kept, problem)
    window.clearTimeout(this.#retry)
    if (error instanceof ApiError && error.status === 409) {
      // Approved, or another text: the state says which.
      this.#read().catch(() => undefined)
    } else this.#retry = window.setTimeout(() => this.#task.request(), retryMs)
  }

  /** Checks or unchecks the turn of a word. */
  #check(word: number, isOn: boolean): void {
    if (this.state.get() === null || !this.#corrections.mayChange()) return
    this.#send([this.#turnOf(word).range], isOn)
  }

  /** The turn of a word: its first block, and its words by their numbers of the service. */
  #turnOf(word: number): { block: number; range: WordRange } {
    const { table, blocks } = this.#desk.text.state.get()
    const { from, end } = blocks.turnOf(blocks.blockOf(word))
    return { block: blocks.blockOf(from), range: rangeOfTurn(table, from, end) }
  }

  /** Unchecks turns whose text this device has changed; nothing is sent for a transcript without checks. */
  #uncheckChanged(before: TextState, { changes }: Operation): void {
    if (this.state.get()?.checked.length === 0) return
    const ranges = changedTurns(before, this.#desk.text.state.get(), changes)
    if (ranges.length > 0) this.#send(ranges, false)
  }

  #send(ranges: readonly WordRange[], isOn: boolean): void {
    const { key, base } = this.#corrections
    const fingerprint = base?.fingerprint ?? ''
    // The service has a different text since the page was opened.
    const unsent = this.#unsent.fingerprint === fingerprint ? this.#unsent : readUnsent(key, fingerprint)
    this.#setUnsent(withChecks(unsent, ranges, isOn))
    const state = this.state.get()
    if (state !== null) this.#show(state.kept, state.problem)
    this.#task.request()
  }

  /** A word of the focused turn, else of the one being checked; null if there is none. */
  get #atHand(): number | null {
    const { blocks } = this.#desk.text.state.get()
    const focused = blockOfNode(document.activeElement)
    if (focused !== null) return blocks.first(focused.block)
    const current = this.current.get()
    return current === null ? null : this.#findWord(current)
  }

  /** The word that has, or had, a number of the service. */
  #findWord(number: number): number {
    const { table } = this.#desk.text.state.get()
    return Math.min(findWords(table, { from: number, to: number + 1 }).from, table.count - 1)
  }

  /**
   * Checks the current turn and goes to the next unchecked one; if there is no current turn, only goes there. Once all
   * are checked, the focus goes to the button that approves: one key too many must not.
   */
  checkAndGoOn(): void {
    if (this.state.get() === null || !this.#corrections.mayChange()) return
    const approve = document.querySelector<HTMLElement>('[data-approve]')
    if (approve !== null) {
      approve.focus()
      return
    }
    const word = this.#atHand
    if (word === null) {
      this.goToNext(this.#desk.text.state.get().blocks.blockOf(this.#desk.view?.topWord() ?? 0))
      return
    }
    const { block, range } = this.#turnOf(word)
    this.#check(word, true)
    this.#noteCheck(range[0], true)
    this.goToNext(block)
  }

  /** Undo and redo take it back, and do it again. */
  #noteCheck(number: number, isChecked: boolean): void {
    this.#corrections.sideSteps.did((isDone) => this.#checkAndGo(number, isDone === isChecked))
  }

  /** Checks or unchecks the turn of a word with a number of the service, and goes to the next unchecked one from there. */
  #checkAndGo(number: number, isChecked: boolean): void {
    const word = this.#findWord(number)
    this.#check(word, isChecked)
    this.goToNext(this.#turnOf(word).block)
  }

  /** Goes to the next unchecked turn, starting at a block. */
  goToNext(block: number): void {
    const text = this.#desk.text.state.get()
    const next = nextUnchecked(text, this.state.get()?.checked ?? [], block)
    // The bar says that all are checked, and offers the next step.
    if (next === null) {
      this.current.set(null)
      return
    }
    const first = text.blocks.first(next)
    this.current.set(rangeOfTurn(text.table, first, text.blocks.turnOf(next).end)[0])
    const { view } = this.#desk
    // A button keeps the focus, so that it can be pressed again.
    if (document.activeElement?.closest('[data-review-tools]')) {
      view?.scrollToWord(first)
      announce(text.table.slice(first, text.blocks.end(next)))
    } else view?.focusBlock(next)
  }

  /** Unchecks the current turn. */
  uncheck(): void {
    const word = this.#atHand
    if (word === null) return
    const { range } = this.#turnOf(word)
    this.#check(word, false)
    this.#noteCheck(range[0], false)
    this.current.set(range[0])
  }

  /**
   * Changes its state, after earlier changes by this device, which would else look like somebody else's.
   * @throws Error with a message for the user if that is not possible
   */
  move(state: ReviewState): Promise<void> {
    return this.#moveInOrder(() => this.#moveTo(state))
  }

  /** Approves it; one person alone sends a draft to review in the same breath. @throws Error as `move` */
  approve(): Promise<void> {
    return this.#moveInOrder(async () => {
      if (this.state.get()?.kept.state === 'draft') await this.#moveTo('in_review')
      await this.#moveTo('approved')
    })
  }

  async #moveTo(state: ReviewState): Promise<void> {
    // An approved transcript accepts no checks: what is left is sent once it is reopened.
    if (this.state.get()?.kept.state !== 'approved') await this.#sync()
    const corrections = state === 'approved' ? { corrections: await this.#revisionToApprove() } : {}
    for (;;) {
      const { kept } = this.state.get() ?? {}
      if (kept === undefined) return
      try {
        return this.#show(await sendReviewState(this.#session, this.#id, kept.revision, { state, ...corrections }))
      } catch (error) {
        await this.#read()
        const isOnlyChecks = this.state.get()?.kept.state === kept.state
        if (!(error instanceof ApiError && error.status === 412 && isOnlyChecks)) throw error
      }
    }
  }

  /** The revision of the corrections on screen. */
  async #revisionToApprove(): Promise<number> {
    const { state, key } = this.#corrections
    if (state.get().conflicts.length > 0)
      throw new Error('Some corrections are still to be reviewed. Decide on them first.')
    await untilKept(this.#corrections)
    return (await readSynced(key))?.revision ?? 0
  }
}
