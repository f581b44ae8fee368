/** The newest measurement counts a fifth. */
const weight = 0.2
/** Silence is passed over at any speed. */
const most = 200

/** How quickly a process hears recordings: a running mean. */
export class HearingPace {
  readonly #parallel: number
  #ofSection: number | null = null

  /** @param parallel how many sections it hears at once */
  constructor(parallel: number) {
    this.#parallel = parallel
  }

  /** Tells what was heard of one section, in so much time. Milliseconds. */
  add(soundMs: number, tookMs: number): void {
    const now = Math.min(most, soundMs / Math.max(1, tookMs))
    this.#ofSection = this.#ofSection === null ? now : this.#ofSection * (1 - weight) + now * weight
  }

  /** Seconds of sound that all sections together are heard of in a second; null: not measured yet. */
  get pace(): number | null {
    return this.#ofSection === null ? null : this.#ofSection * this.#parallel
  }
}

/** The only process of an embedded service, in the place of `Nodes`. */
export class OneNode {
  readonly answering = 1
  readonly working = 1
  /** the engine that it hears recordings with */
  hears: string | null = null
  readonly #own: HearingPace

  constructor(parallel: number) {
    this.#own = new HearingPace(parallel)
  }

  get pace(): number | null {
    return this.#own.pace
  }

  heard(soundMs: number, tookMs: number): void {
    this.#own.add(soundMs, tookMs)
  }
}
