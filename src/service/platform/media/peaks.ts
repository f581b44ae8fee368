import type { OrderSound } from '../../../contract/interface/order-sound.ts'
import { encodePeaks, peaksPerSecond } from '../../../contract/interface/peaks.ts'
import type { BlobStore } from './blob-store.ts'
import { chooseSound } from './choose-sound.ts'
import { decode } from './decode.ts'

/** Telephone quality is enough for a waveform, and decodes faster. */
const peakRate = 8_000

/** Collects the lowest and highest sample of each stretch of a stream of samples. */
export class PeakMeter {
  readonly #samplesPerPeak: number
  #values = new Int8Array(2_048)
  #length = 0
  #low = 0
  #high = 0
  #inPeak = 0

  constructor(perSecond: number, rate: number) {
    this.#samplesPerPeak = Math.round(rate / perSecond)
  }

  add(samples: Int16Array): void {
    for (const sample of samples) {
      if (sample < this.#low) this.#low = sample
      if (sample > this.#high) this.#high = sample
      this.#inPeak += 1
      if (this.#inPeak === this.#samplesPerPeak) this.#close()
    }
  }

  /** Lowest, highest, lowest, highest … of all peaks. */
  finish(): Int8Array {
    if (this.#inPeak > 0) this.#close()
    return this.#values.slice(0, this.#length)
  }

  #close(): void {
    if (this.#length + 2 > this.#values.length) {
      const grown = new Int8Array(this.#values.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    // 16 to 8 bits, symmetric: -32768 becomes -127.
    this.#values[this.#length] = Math.max(-127, Math.round(this.#low / 258))
    this.#values[this.#length + 1] = Math.min(127, Math.round(this.#high / 258))
    this.#length += 2
    this.#low = 0
    this.#high = 0
    this.#inPeak = 0
  }
}

/**
 * Computes the waveform of a recording and stores it as its part `peaks`, unless it exists. An unreadable recording
 * gets none.
 * @throws AbortError when `signal` is aborted; ServiceError 503 if the recording could not be fetched
 */
export async function ensurePeaks(
  blobs: BlobStore,
  file: { id: string; duration_ms: number; sound: OrderSound | null },
  signal: AbortSignal,
): Promise<void> {
  if ((await blobs.size(file.id, 'peaks')) !== null) return
  const meter = new PeakMeter(peaksPerSecond(file.duration_ms), peakRate)
  const { decodedMs } = await blobs.withMedia(file.id, async (source) => {
    const { pcm, outcome } = decode(source, await chooseSound(source, file.sound, signal), { signal, rate: peakRate })
    for await (const samples of pcm) meter.add(samples)
    return await outcome
  })
  signal.throwIfAborted()
  if (decodedMs > 0) await blobs.write(file.id, 'peaks', encodePeaks(meter.finish()))
}
