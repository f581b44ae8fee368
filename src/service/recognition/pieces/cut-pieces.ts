import type { Piece } from '../engine.ts'
import type { FrameRun } from './speech-frames.ts'
import { frameEnergies, frameMs, frameSamples, smoothed, speechRuns, withMargins } from './speech-frames.ts'

/** The longest piece an engine is given. */
const longestPieceMs = 30_000

/** A silence this long always ends a piece: no context is lost across it. */
const longSilenceFrames = 150
/** Cuts before this share of the longest piece would make pieces needlessly short. */
const earliestCutShare = 0.4
const keptSilenceFrames = 50
/** Silence this long becomes a piece without samples, so that progress advances and a restart need not reread it. */
const reportedSilenceFrames = 6_000

/** Finds runs of speech in up to 30 s of audio; null to use energy. Must be deterministic. */
type Detector = (samples: Int16Array) => Promise<FrameRun[] | null>
type CutOptions = {
  maxPieceMs?: number
  detect?: Detector
  /** resumes an earlier run: after the piece with `resumeMs` = `ms`, where `pcm` begins */
  from?: { position: number; ms: number }
}

/** Next step for the window: drop `consumed` frames, and yield the piece, if any. */
type Cut = { consumed: number; piece: { start: number; end: number } | null }

/** Finds the quietest frame of a stretch without pauses. */
function quietest(energies: Float32Array, from: number, to: number): number {
  let best = from
  for (let frame = from; frame < to; frame += 1) if ((energies[frame] ?? 0) < (energies[best] ?? 0)) best = frame
  return best
}

/**
 * Finds the cut in a full window of continuous speech: its longest pause, preferably a late one; else the quietest
 * frame.
 */
function cutInside(energies: Float32Array, pauses: readonly { start: number; end: number }[]): number {
  const earliest = Math.floor(energies.length * earliestCutShare)
  let best: { at: number; score: number } | null = null
  for (const pause of pauses) {
    const at = Math.floor((pause.start + pause.end) / 2)
    const score = pause.end - pause.start + at * 0.01
    if (at >= earliest && (best === null || score > best.score)) best = { at, score }
  }
  return best?.at ?? quietest(energies, Math.floor(energies.length * 0.6), energies.length)
}

/** Finds the next piece in a window that is full or the recording's last. Always consumes something. */
function nextCut(energies: Float32Array, runs: readonly FrameRun[], isLast: boolean): Cut {
  const first = runs[0]
  if (first === undefined) {
    return { consumed: isLast ? energies.length : Math.max(1, energies.length - keptSilenceFrames), piece: null }
  }
  // A window that begins with the speech has room for more of it.
  if (first.start > 0 && !isLast) return { consumed: first.start, piece: null }
  const pauses = runs.slice(1).map((run, index) => ({ start: runs[index]?.end ?? 0, end: run.start }))
  const long = pauses.find((pause) => pause.end - pause.start >= longSilenceFrames)
  if (long !== undefined) return { consumed: long.end, piece: { start: first.start, end: long.start } }
  const end = runs.at(-1)?.end ?? 0
  if (isLast || energies.length - end >= longSilenceFrames) {
    return { consumed: isLast ? energies.length : end, piece: { start: first.start, end } }
  }
  const at = Math.max(1, cutInside(energies, pauses))
  return { consumed: at, piece: { start: first.start, end: at } }
}

/** Sliding window over the audio, at most one piece long. */
class Window {
  readonly #samples: Int16Array
  readonly #energies: Float32Array
  #frames = 0
  /** frames of the recording before the window */
  offset: number

  constructor(frames: number, offset: number) {
    this.offset = offset
    this.#samples = new Int16Array(frames * frameSamples)
    this.#energies = new Float32Array(frames)
  }

  get isFull(): boolean {
    return this.#frames === this.#energies.length
  }

  get isEmpty(): boolean {
    return this.#frames === 0
  }

  /** Appends whole frames while there is room. @returns how many samples were appended */
  add(samples: Int16Array): number {
    const room = this.#energies.length - this.#frames
    const frames = Math.min(room, Math.floor(samples.length / frameSamples))
    const added = samples.subarray(0, frames * frameSamples)
    const at = this.#frames * frameSamples
    this.#energies.set(frameEnergies(added), this.#frames)
    this.#samples.set(added, at)
    this.#frames += frames
    return added.length
  }

  energies(): Float32Array {
    return smoothed(this.#energies.subarray(0, this.#frames))
  }

  samples(): Int16Array {
    return this.copy(0, this.#frames)
  }

  copy(start: number, end: number): Int16Array {
    return this.#samples.slice(start * frameSamples, end * frameSamples)
  }

  drop(frames: number): void {
    this.#samples.copyWithin(0, frames * frameSamples, this.#frames * frameSamples)
    this.#energies.copyWithin(0, frames, this.#frames)
    this.#frames -= frames
    this.offset += frames
  }
}

/** State of cutting one recording: the window, and the position of the last cut. */
class Cutting {
  readonly window: Window
  readonly #detect: Detector | undefined
  #position: number
  /** frames up to which pieces have been yielded */
  #reportedFrames: number

  constructor({ maxPieceMs = longestPieceMs, detect, from = { position: 0, ms: 0 } }: CutOptions) {
    this.#reportedFrames = from.ms / frameMs
    this.#position = from.position
    this.#detect = detect
    this.window = new Window(Math.floor(maxPieceMs / frameMs), this.#reportedFrames)
  }

  /** Drops a part of the window. @returns the piece in it, or a long silence, or null */
  async next(isLast: boolean): Promise<Piece | null> {
    const { window } = this
    const energies = window.energies()
    const runs = (await this.#detect?.(window.samples())) ?? speechRuns(energies)
    const { consumed, piece } = nextCut(energies, withMargins(runs, energies.length), isLast)
    const before = window.offset
    const pcm = piece === null ? new Int16Array(0) : window.copy(piece.start, piece.end)
    window.drop(consumed)
    if (piece !== null) return this.#pieceOf(before + piece.start, before + piece.end, pcm)
    return window.offset - this.#reportedFrames >= reportedSilenceFrames
      ? this.#pieceOf(this.#reportedFrames, window.offset, pcm)
      : null
  }

  #pieceOf(start: number, end: number, pcm: Int16Array): Piece {
    this.#reportedFrames = this.window.offset
    this.#position += 1
    return {
      position: this.#position - 1,
      startMs: start * frameMs,
      endMs: end * frameMs,
      resumeMs: this.#reportedFrames * frameMs,
      pcm,
    }
  }
}

/**
 * Cuts a recording at silences into pieces of speech of at most 30 s; long silences become pieces without samples.
 * Deterministic from any starting piece, so that recognition can resume after a restart. Memory: one piece.
 * @param pcm 16 kHz mono
 */
export async function* cutPieces(pcm: AsyncIterable<Int16Array>, options: CutOptions = {}): AsyncGenerator<Piece> {
  const cutting = new Cutting(options)
  const { window } = cutting
  let rest = new Int16Array(0)
  for await (const chunk of pcm) {
    let samples = chunk
    if (rest.length > 0) {
      samples = new Int16Array(rest.length + chunk.length)
      samples.set(rest)
      samples.set(chunk, rest.length)
    }
    for (let added = window.add(samples); added > 0; added = window.add(samples)) {
      samples = samples.subarray(added)
      while (window.isFull) {
        const piece = await cutting.next(false)
        if (piece !== null) yield piece
      }
    }
    rest = samples.slice()
  }
  while (!window.isEmpty) {
    const piece = await cutting.next(true)
    if (piece !== null) yield piece
  }
}
