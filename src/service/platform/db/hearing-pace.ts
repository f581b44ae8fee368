import type { Recognition } from '../../../contract/account/account.ts'

/** Decay of earlier measurements: effectively the last twenty or so count. */
const left = 0.95
/** Upper bound: a recording of nothing but silence is skipped at any speed. */
const most = 200

/**
 * Measures how fast a process recognizes recordings: audio per time, over the last pieces together. Averaging their
 * speeds would measure silence, which is skipped a thousand times as fast as speech is recognized.
 */
export class HearingPace {
  readonly #parallel: number
  #soundMs = 0
  #tookMs = 0

  /** @param parallel how many sections it recognizes concurrently */
  constructor(parallel: number) {
    this.#parallel = parallel
  }

  /** Records how much of one section was recognized, and in what time. Milliseconds. */
  add(soundMs: number, tookMs: number): void {
    this.#soundMs = this.#soundMs * left + soundMs
    this.#tookMs = this.#tookMs * left + tookMs
  }

  /** Seconds of audio recognized per second, all sections together; null: not measured yet. */
  get pace(): number | null {
    if (this.#soundMs === 0) return null
    return Math.min(most, this.#soundMs / Math.max(1, this.#tookMs)) * this.#parallel
  }
}

/** For a process that recognizes nothing itself, or does not know yet. */
export const noRecognition: Recognition = {
  engine: null,
  reason: 'At present nothing recognizes speech here.',
  language: null,
  quality: 'unknown',
  measured: null,
  model_download: null,
}

/** The only process of an embedded service, in place of `Nodes`. */
export class OneNode {
  readonly answering = 1
  readonly working = 1
  /** the engine that it recognizes recordings with */
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
