import type { CueEdit } from '../../../contract/account/corrections.ts'
import { frameMs } from '../../../formats/captions/caption-rules.ts'
import { type Cue, cueWarnings } from '../../../formats/captions/cues.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import { type Edge, type Made, measureRoom, moveEdge, type Retimed, withSettings } from './set-captions.ts'

/**
 * How far an edge is moved to a shot change, in frames: further away from speech than into it. Netflix's timed text
 * style guide has 12 and 7, too.
 */
const [mostAway, mostInto] = [12, 7] as const

/** Where an edge belongs at a shot change: captions begin with it, and end before it by the gap between captions. */
export function placeAtShot(shotMs: number, edge: Edge, { rules }: Pick<Made, 'rules'>): number {
  return edge === 'start' ? shotMs : shotMs - rules.gapFrames * frameMs
}

/** The nearest place at a shot change that an edge may be moved to; null if there is none. */
function findPlace(made: Made, cue: Cue, edge: Edge, shots: readonly number[]): number | null {
  const ms = edge === 'start' ? cue.startMs : cue.endMs
  const [earlier, later] = edge === 'start' ? [mostAway, mostInto] : [mostInto, mostAway]
  const places = shots
    .map((shot) => placeAtShot(shot, edge, made))
    .filter((place) => place >= ms - earlier * frameMs && place <= ms + later * frameMs)
  if (places.length === 0) return null
  return places.reduce((best, place) => (Math.abs(place - ms) < Math.abs(best - ms) ? place : best))
}

/** Rule violations of a caption and its neighbors. */
function countFaults(cues: readonly Cue[], index: number, { rules }: Made, recordingMs: number): number {
  return [...cueWarnings(cues.slice(Math.max(0, index - 1), index + 2), rules, recordingMs)].length
}

/**
 * Moves edges of captions that are near a shot change to it, if that breaks no further rule.
 * @param shots when shots begin, in milliseconds of captions, rising
 */
export function snapToShots(made: Made, shots: readonly number[], recordingMs: number): Retimed {
  let cues = [...made.cues]
  const settings = new Map<number, CueEdit | undefined>()
  const snapped = new Set<number>()
  let from = 0
  for (const index of made.cues.keys()) {
    for (const edge of ['start', 'end'] as const) {
      const cue = cues[index] as Cue
      while ((shots[from] ?? Number.POSITIVE_INFINITY) < cue.startMs - 2_000) from++
      const near = nearShots(shots, from, cue.endMs + 2_000)
      const moved = moveTo({ ...made, cues }, index, edge, findPlace(made, cue, edge, near), recordingMs)
      if (moved === null) continue
      for (const [word, set] of moved.settings) settings.set(word, set)
      cues = moved.cues
      snapped.add(index)
    }
  }
  return { settings, count: snapped.size }
}

function nearShots(shots: readonly number[], from: number, untilMs: number): number[] {
  const near: number[] = []
  for (let at = from; (shots[at] ?? Number.POSITIVE_INFINITY) <= untilMs; at++) near.push(shots[at] as number)
  return near
}

/** The captions with an edge at a place; null if it is there, or may not be. */
function moveTo(made: Made, index: number, edge: Edge, place: number | null, recordingMs: number) {
  const cue = made.cues[index] as Cue
  if (place === null || place === cue[`${edge}Ms`]) return null
  const [least, most] = measureRoom(made, index, edge)
  if (place < least || place > most) return null
  const wanted = moveEdge(made, index, edge, place)
  if (typeof wanted === 'string') return null
  const cues = withSettings(made.cues, wanted)
  cues[index] = { ...(cues[index] as Cue), [`${edge}Ms`]: place }
  const before = countFaults(made.cues, index, made, recordingMs)
  return countFaults(cues, index, made, recordingMs) > before ? null : { cues, settings: wanted }
}

/** What was done, in words. */
export function describeSnap(snapped: number): { title: string; detail?: string } {
  if (snapped === 0) return { title: 'No caption begins or ends near a shot change that it is not at' }
  return { title: `${formatCount(snapped, 'caption')} moved to shot changes`, detail: 'Undo brings back their times.' }
}
