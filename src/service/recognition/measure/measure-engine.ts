import { readdir, readFile } from 'node:fs/promises'
import { decode, firstTrack } from '../../platform/media/decode.ts'
import { StartError } from '../../platform/start-error.ts'
import type { Engine } from '../engine.ts'
import { cutPieces } from '../pieces/cut-pieces.ts'
import type { MeasureClip } from './measure-clips.ts'
import { comparableWords, countWordErrors } from './word-errors.ts'

/** What an engine made of one recording. Lengths in seconds. */
export type ClipResult = {
  clip: string
  words: number
  /** words that are wrong, missing or too many */
  wrong: number
  sound_seconds: number
  took_seconds: number
}

const sampleEveryMs = 200

/** Memory of all processes below this one, in bytes; null where /proc does not tell. */
async function memoryBelow(pid: number): Promise<number | null> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => null)
  if (tasks === null) return null
  const lists = tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => ''))
  const children = (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  const each = children.map(async (child) => {
    const status = await readFile(`/proc/${child}/status`, 'utf8').catch(() => '')
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    return kilobytes * 1_024 + ((await memoryBelow(child)) ?? 0)
  })
  return (await Promise.all(each)).reduce((sum, bytes) => sum + bytes, 0)
}

/** @throws StartError if it cannot be decoded; EngineError */
async function measureClip(engine: Engine, clip: MeasureClip): Promise<ClipResult> {
  const { signal } = new AbortController()
  const startedMs = performance.now()
  const { pcm, outcome } = decode(clip.path, firstTrack, { signal })
  const detect = async (samples: Int16Array) => (await engine.detectSpeech?.(samples, signal)) ?? null
  const heard: string[] = []
  for await (const piece of cutPieces(pcm, { maxPieceMs: engine.maxPieceMs, detect })) {
    if (piece.pcm.length === 0) continue
    for (const { text } of await engine.recognize(piece, signal)) heard.push(text)
  }
  const { decodedMs, missing } = await outcome
  if (missing) throw new StartError('ffmpeg is not installed: apt-get install ffmpeg.')
  if (decodedMs === 0) throw new StartError(`No sound could be read from ${clip.name}.`)
  return {
    clip: clip.name,
    words: clip.reference.length,
    wrong: countWordErrors(clip.reference, comparableWords(heard.join(' '))),
    sound_seconds: decodedMs / 1_000,
    took_seconds: (performance.now() - startedMs) / 1_000,
  }
}

/**
 * Has an engine hear recordings one after the other, as orders are heard: decoded, cut at silences, piece by piece.
 * @param onResult called after each
 * @returns their sums, and the most memory of the engine's processes in bytes; null: not told
 * @throws StartError if a recording cannot be read; EngineError if the engine fails
 */
export async function measureEngine(
  engine: Engine,
  clips: readonly MeasureClip[],
  onResult: (result: ClipResult) => void,
): Promise<Omit<ClipResult, 'clip'> & { memory_bytes: number | null }> {
  const sums = { words: 0, wrong: 0, sound_seconds: 0, took_seconds: 0 }
  let memory: number | null = null
  const sample = async () => {
    const now = await memoryBelow(process.pid)
    if (now !== null) memory = Math.max(memory ?? 0, now)
  }
  const sampling = setInterval(() => void sample(), sampleEveryMs)
  try {
    for (const clip of clips) {
      const result = await measureClip(engine, clip)
      onResult(result)
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += result[key]
    }
  } finally {
    clearInterval(sampling)
  }
  return { ...sums, memory_bytes: memory }
}
