import type { Recognition } from '../../../contract/account/recognition.ts'

/** What each measurement leaves of those before it: the last twenty or so count. */
const left = 0.95
/** A recording of nothing but silence is passed over at any speed. */
const most = 200

/**
 * How quickly a process hears recordings: sound by time, of the last pieces together. A mean of their speeds would be that
 * of silence, which is passed over a thousand times as quickly as speech is heard.
 */
export class HearingPace {
  readonly #parallel: number
  #soundMs = 0
  #tookMs = 0

  /** @param parallel how many sections it hears at once */
  constructor(parallel: number) {
    this.#parallel = parallel
  }

  /** Tells what was heard of one section, in so much time. Milliseconds. */
  add(soundMs: number, tookMs: number): void {
    this.#soundMs = this.#soundMs * left + soundMs
    this.#tookMs = this.#tookMs * left + tookMs
  }

  /** Seconds of sound that all sections together are heard of in a second; null: not measured yet. */
  get pace(): number | null {
    if (this.#soundMs === 0) return null
    return Math.min(most, this.#soundMs / Math.max(1, this.#tookMs)) * this.#parallel
  }
}

/** Of a process that recognises nothing itself, or does not know yet. */
export const noRecognition: Recognition = {
  engine: null,
  reason: 'At present nothing recognizes speech here.',
  language: null,
  quality: 'unknown',
  model_download: null,
}

/** The only process of an embedded service, in the place of `Nodes`. */
export class OneNode {
  readonly answering = 1
  readonly working = 1
  /** the engine that it hears recordings with */
  hears: string | null = null
  readonly #own: HearingPace
  #describe = () => Promise.resolve(noRecognition)

  constructor(parallel: number) {
    this.#own = new HearingPace(parallel)
  }

  get pace(): number | null {
    return this.#own.pace
  }

  heard(soundMs: number, tookMs: number): void {
    this.#own.add(soundMs, tookMs)
  }

  async describedBy(describe: () => Promise<Recognition>): Promise<void> {
    this.#describe = describe
  }

  recognition(): Promise<Recognition> {
    return this.#describe()
  }

  async hearing(): Promise<number> {
    return (await this.recognition()).engine === null ? 0 : 1
  }
}
