import { ApiError } from '../../base/api/client.ts'
import { Signal } from '../../base/state/signal.ts'

export type HoldState = {
  /** when it expires if it is not renewed, by this device's clock. Milliseconds */
  until: number
  /** error message of the last failed renewal */
  problem: string | null
  /** why it has ended, for the user: nothing typed since is saved */
  ended: string | null
  /** the part no longer exists: the customer has deleted the order */
  isGone: boolean
}

type Lengths = { hold_seconds: number; renew_seconds: number }

const tooLong = 'Your hold on this part has ended: the service could not be reached for too long.'

/** Whether an error means that the part no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 410)
}

/**
 * A lease on a part, renewed by the open page. It ends when the service says so, or when no renewal has succeeded for
 * its whole duration; then it is not reacquired automatically.
 */
export class Hold {
  readonly state: Signal<HoldState>
  readonly #renew: () => Promise<void>
  readonly #lengths: Lengths
  #timer: number | undefined

  /** @param renew renews the lease at the service and reports what has been played. @throws ApiError */
  constructor(renew: () => Promise<void>, lengths: Lengths) {
    this.#renew = renew
    this.#lengths = lengths
    const until = Date.now() + lengths.hold_seconds * 1_000
    this.state = new Signal<HoldState>({ until, problem: null, ended: null, isGone: false })
  }

  /** Renews it immediately and then periodically. Returns a function that stops. */
  open(): () => void {
    const now = () => void this.renew()
    this.#timer = window.setInterval(now, this.#lengths.renew_seconds * 1_000)
    // Timers of a background tab, or after the device slept, fire late.
    for (const type of ['online', 'focus'] as const) window.addEventListener(type, now)
    now()
    return () => {
      window.clearInterval(this.#timer)
      for (const type of ['online', 'focus'] as const) window.removeEventListener(type, now)
    }
  }

  /** Renews it immediately. @returns false if it has ended */
  async renew(): Promise<boolean> {
    const { ended } = this.state.get()
    if (ended !== null) return false
    const askedAt = Date.now()
    try {
      await this.#renew()
      this.state.set({ until: askedAt + this.#lengths.hold_seconds * 1_000, problem: null, ended: null, isGone: false })
      return true
    } catch (error) {
      return this.#failed(error)
    }
  }

  #failed(error: unknown): boolean {
    const status = error instanceof ApiError ? error.status : 0
    const words = error instanceof ApiError ? error.message : 'Something went wrong on this page.'
    if ([403, 404, 409, 410].includes(status)) this.#end(words, isGone(error))
    else if (Date.now() >= this.state.get().until) this.#end(tooLong)
    else this.state.set({ ...this.state.get(), problem: words })
    return this.state.get().ended === null
  }

  /** @param gone the part no longer exists */
  #end(words: string, gone = false): void {
    window.clearInterval(this.#timer)
    this.state.set({ ...this.state.get(), problem: null, ended: words, isGone: gone })
  }
}
