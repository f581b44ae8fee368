import { stepsOfRole, type WorkStep } from '../../../src/contract/work/staff.ts'
import type { Worker } from '../../../src/service/workbench/testing/work-room.ts'
import { type WordRange, withoutRanges, withRanges } from '../../../src/text/word-ranges.ts'

/*
 * What manual work comes to by its rules, without the service's code: who may take which part, its text, and money.
 * Every text keeps its number of words, so a text is a list of words.
 */

export const holdMs = 15 * 60_000
export const longestHoldMs = 24 * 60 * 60_000
export const perMinute: Readonly<Record<WorkStep, number>> = { type: 1, review: 0.5, check: 0.1 }

export type Person = { worker: Worker; name: string; role: keyof typeof stepsOfRole; isRevoked: boolean }

export type ModelClaim = {
  piece: Piece
  person: Person
  step: WorkStep
  number: number
  claimedAt: number
  until: number
  saves: number
  ending: 'submitted' | 'sent-back' | 'returned' | 'taken' | 'expired' | null
  verdict: 'waiting' | 'accepted' | 'refused' | null
  cents: number
  heard: number
  changed: number
}

export class Piece {
  readonly order: Order
  readonly id: string
  readonly position: number
  readonly seconds: readonly [from: number, to: number]
  step: WorkStep | null
  reached = 0
  words: string[]
  /** at the beginning of the step: what differs from it was done in the step */
  before: string[]
  /** after the last completed step, which customers see */
  shown: string[]
  revision = 0
  heard: readonly WordRange[] = []
  /** what reviewers heard of a whole, which need not be heard in its check */
  heardBefore: readonly WordRange[] = []
  assigned: Person | null = null
  readonly claims: ModelClaim[] = []

  constructor(
    order: Order,
    { id, position, start, end }: { id: string; position: number; start: number; end: number },
    words: readonly string[],
  ) {
    this.order = order
    this.id = id
    this.position = position
    this.seconds = [start, end]
    this.step = position === 0 ? 'check' : 'type'
    this.words = [...words]
    this.before = [...words]
    this.shown = [...words]
  }

  /** the claim that holds it */
  holder(now: number): ModelClaim | null {
    const last = this.claims.at(-1)
    if (this.order.state === 'deleted') return null
    return last !== undefined && last.ending === null && last.until > now ? last : null
  }

  get length(): number {
    return this.seconds[1] - this.seconds[0]
  }

  get heardShare(): number {
    return this.#share(this.heard)
  }

  /** with what reviewers heard */
  get coveredShare(): number {
    const before = this.heardBefore.reduce<WordRange[]>((sum, each) => withRanges(sum, [each]), [...this.heard])
    return this.#share(before)
  }

  #share(heard: readonly WordRange[]): number {
    const unheard = withoutRanges([[...this.seconds]], [...heard])
    return 1 - unheard.reduce((sum, [from, to]) => sum + to - from, 0) / this.length
  }

  get changedWords(): number {
    return this.words.filter((word, index) => word !== this.before[index]).length
  }

  hear(from: number, to: number): void {
    this.heard = withRanges([...this.heard], [[from, to]])
  }

  /** Marks of the present step that make it wait for a manager; no text here is too short. */
  get isOdd(): boolean {
    const enough = this.reached >= 1 ? 1 : this.before.length * 0.02
    const isUnheard = this.coveredShare < 0.5 || (this.step === 'check' && this.heardShare < 0.1)
    return isUnheard || (this.step === 'type' && this.changedWords < enough)
  }
}

export class Order {
  readonly id: string
  readonly cents: number
  readonly pieces: Piece[] = []
  whole: Piece | null = null
  state: 'open' | 'given up' | 'deleted' | 'delivered' = 'open'
  refunded = 0
  percent = 0

  constructor(id: string, cents: number) {
    this.id = id
    this.cents = cents
  }

  get all(): Piece[] {
    return this.whole === null ? this.pieces : [this.whole, ...this.pieces]
  }

  get isReReviewed(): boolean {
    return this.state === 'delivered' && this.whole?.step === 'check'
  }

  /** Whether work may be done on it. */
  get isWorkedOn(): boolean {
    return this.state === 'open' || this.isReReviewed
  }

  /** Whole percent, which never fall. */
  get progress(): number {
    const of = (reached: number) =>
      this.pieces.filter((piece) => piece.reached >= reached).reduce((sum, piece) => sum + piece.length, 0)
    const all = of(0)
    const now = of(1) < all ? Math.floor((60 * of(1)) / all) : 60 + Math.floor((25 * of(2)) / all)
    this.percent = this.state === 'delivered' ? 100 : Math.max(this.percent, now)
    return this.percent
  }

  hasReviewed(person: Person): boolean {
    return this.pieces.some(({ claims }) =>
      claims.some((claim) => claim.person === person && claim.step === 'review' && claim.ending === 'submitted'),
    )
  }

  /** Opens the check once every part is typed and reviewed. @param id of the whole, which the service mints */
  openCheck(id: string): void {
    const words = this.pieces.flatMap((piece) => piece.words)
    const end = this.pieces.at(-1)?.seconds[1] ?? 0
    const whole = this.whole ?? new Piece(this, { id, position: 0, start: 0, end }, words)
    Object.assign(whole, { step: 'check', reached: 0, words, before: [...words], shown: [...words] })
    whole.heard = []
    whole.heardBefore = this.pieces.flatMap((piece) => [...piece.heard])
    this.whole = whole
  }

  /** Odd steps that hold up the delivery: submitted, undecided, and not done again since. */
  get holdsUp(): ModelClaim[] {
    return this.all.flatMap(({ claims }) =>
      claims.filter(
        (claim) =>
          claim.verdict === 'waiting' &&
          claim.ending === 'submitted' &&
          !claims.some((later) => {
            return later.number > claim.number && later.step === claim.step && later.ending === 'submitted'
          }),
      ),
    )
  }

  deliverIfDone(): void {
    const { whole } = this
    if (this.state !== 'open' || whole?.step !== null || whole.reached !== 2 || this.holdsUp.length > 0) return
    whole.reached = 3
    this.state = 'delivered'
  }

  /** Opens the check of a delivered order once more, for places that are all of it. */
  reReview(whole: Piece): void {
    Object.assign(whole, { step: 'check', heard: [], heardBefore: [] })
  }

  /** Sends a piece back to a step. The text of an open check goes back into the parts first. */
  stepBack(piece: Piece, step: WorkStep, now: number): void {
    const { whole } = this
    const claim = piece.holder(now)
    if (claim !== null) endClaim(claim, 'taken', now)
    if (piece !== whole && whole !== null && (whole.step === 'check' || whole.reached === 2)) {
      let at = 0
      for (const each of this.pieces) {
        const words = whole.words.slice(at, at + each.words.length)
        Object.assign(each, { words, shown: [...words] })
        at += words.length
      }
      const check = whole.holder(now)
      if (check !== null) endClaim(check, 'taken', now)
      Object.assign(whole, { step: null, reached: 0, assigned: null })
    }
    if (piece === whole) whole.reached = 0
    const { words } = piece
    Object.assign(piece, { step, heard: [], heardBefore: [], assigned: null, before: [...words], shown: [...words] })
  }
}

export function endClaim(claim: ModelClaim, ending: ModelClaim['ending'], now: number): void {
  claim.ending = claim.until > now ? ending : 'expired'
}

/** What is paid for a step of a piece: each person is paid once for it. */
export function payFor(piece: Piece, step: WorkStep, person: Person): number {
  const isPaid = piece.claims.some((claim) => {
    const counts = claim.verdict === null || claim.verdict === 'accepted'
    return claim.person === person && claim.step === step && claim.cents > 0 && counts
  })
  return isPaid ? 0 : Math.round((perMinute[step] * 100 * piece.length) / 60)
}

/** Whether somebody may take a piece now. @param people everybody of the staff */
export function mayTake(piece: Piece, person: Person, people: readonly Person[], now: number): boolean {
  const { order, step, assigned } = piece
  if (person.isRevoked || !order.isWorkedOn || step === null || piece.holder(now) !== null) return false
  if (!stepsOfRole[person.role].includes(step) || (assigned !== null && assigned !== person)) return false
  const hasTyped = piece.claims.some((claim) => {
    return claim.person === person && claim.step === 'type' && (claim.saves > 0 || claim.ending === 'submitted')
  })
  if (step === 'review') return !hasTyped
  if (step !== 'check' || assigned !== null || !order.hasReviewed(person)) return true
  const others = people.some((each) => each.role !== 'typist' && !each.isRevoked && !order.hasReviewed(each))
  return !others
}
