import { ApiError } from '../../base/api/client.ts'
import { Signal } from '../../base/state/signal.ts'

export type HoldState = {
  /** when it ends if it is not renewed, by this device's clock. Milliseconds */
  until: number
  /** why it could not be renewed just now, in words */
  problem: string | null
  /** why it has ended, in words: nothing that is typed since is saved */
  ended: string | null
}

type Lengths = { hold_seconds: number; renew_seconds: number }

const tooLong = 'Your hold on this part has ended: the service could not be reached for too long.'

/**
 * A hold that the open page renews. It ends where the service says so, or where it could not be asked for as long as a hold
 * lasts; then it is not taken again by itself.
 */
export class Hold {
  readonly state: Signal<HoldState>
  readonly #renew: () => Promise<void>
  readonly #lengths: Lengths
  #timer: number | undefined

  /** @param renew tells the service that it continues, and what was heard. @throws ApiError */
  constructor(renew: () => Promise<void>, lengths: Lengths) {
    this.#renew = renew
    this.#lengths = lengths
    this.state = new Signal<HoldState>({ until: Date.now() + lengths.hold_seconds * 1_000, problem: null, ended: null })
  }

  /** Renews it at once and from now on. Returns a function that stops. */
  open(): () => void {
    const now = () => void this.renew()
    this.#timer = window.setInterval(now, this.#lengths.renew_seconds * 1_000)
    // Timers of a tab in the background, or of a device that slept, come late.
    for (const type of ['online', 'focus'] as const) window.addEventListener(type, now)
    now()
    return () => {
      window.clearInterval(this.#timer)
      for (const type of ['online', 'focus'] as const) window.removeEventListener(type, now)
    }
  }

  /** Renews it now. @returns false if it has ended */
  async renew(): Promise<boolean> {
    const { ended } = this.state.get()
    if (ended !== null) return false
    const askedAt = Date.now()
    try {
      await this.#renew()
      this.state.set({ until: askedAt + this.#lengths.hold_seconds * 1_000, problem: null, ended: null })
      return true
    } catch (error) {
      return this.#failed(error)
    }
  }

  #failed(error: unknown): boolean {
    const status = error instanceof ApiError ? error.status : 0
    const words = error instanceof ApiError ? error.message : 'Something went wrong on this page.'
    if ([403, 404, 409, 410].includes(status)) this.end(words)
    else if (Date.now() >= this.state.get().until) this.end(tooLong)
    else this.state.set({ ...this.state.get(), problem: words })
    return this.state.get().ended === null
  }

  /** The service says that it has ended. */
  end(words: string): void {
    window.clearInterval(this.#timer)
    this.state.set({ ...this.state.get(), problem: null, ended: words })
  }
}
