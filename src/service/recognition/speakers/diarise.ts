import { centroids, nearest, spectralGroups, squaredDistance, unit } from './spectral.ts'
import type { Stretch } from './stretches.ts'

/** A stretch with its voice and the confidence in that, 0 to 1. */
export type VoicedStretch = { startMs: number; endMs: number; speaker: number; confidence: number }

export type VoiceKind = 'cepstra' | 'embedding'
/** Number of voices: given by the order, or to be estimated. */
export type SpeakerCount = number | 'auto'

/** Distance above which two clusters are different voices. */
const limits = {
  // Cepstra: two halves of one speaker are 2 to 4 apart, different speakers 5 to 16 (npm run bench -- speakers).
  cepstra: { leastDistance: 5, mostConfidence: 0.5 },
  // Unit vectors: a cosine of 0.65. Not measured, as the model could not be downloaded.
  embedding: { leastDistance: Math.sqrt(2 - 2 * 0.65), mostConfidence: 1 },
} as const

/**
 * Limit of dense matrices; longer recordings are sampled evenly for clustering, and the rest joins the nearest cluster.
 */
const mostGrouped = 500
const mostSpeakers = 6
/** Minimum stretches of a speaker. */
const fewestStretches = 3
/** Minimum agreement of neighbors beyond chance, 0 to 1: voices take turns, noise does not. */
const leastPersistence = 0.35

/** Samples one item per equal part, at a varying position, so as not to be in step with regular turns. */
function evenSample<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items]
  const golden = (Math.sqrt(5) - 1) / 2
  return Array.from({ length: most }, (_, part) => {
    const within = (part * golden) % 1
    return items[Math.floor(((part + within) * items.length) / most)] as T
  })
}

/**
 * Agreement of neighbors within a phrase beyond chance, 0 to 1 (Cohen's kappa): voices seldom change without a pause,
 * while two clusters of one voice's sounds alternate at random. 0 if there are no such neighbors.
 */
function persistence(stretches: readonly Stretch[], labels: readonly number[], groups: number): number {
  let pairs = 0
  let same = 0
  const seen = new Array<number>(groups).fill(0)
  for (const [index, stretch] of stretches.entries()) {
    const before = stretches[index - 1]
    if (before === undefined || stretch.startMs - before.endMs > 0) continue
    pairs += 1
    if (labels[index] === labels[index - 1]) same += 1
    for (const label of [labels[index] ?? 0, labels[index - 1] ?? 0]) seen[label] = (seen[label] ?? 0) + 1
  }
  const chance = seen.reduce((sum, count) => sum + (count / (2 * pairs)) ** 2, 0)
  return pairs === 0 || chance >= 1 ? 0 : (same / pairs - chance) / (1 - chance)
}

function areVoices(
  stretches: readonly Stretch[],
  rows: readonly Float32Array[],
  means: readonly Float32Array[],
  leastDistance: number,
): boolean {
  for (const [index, mean] of means.entries()) {
    for (const other of means.slice(0, index)) if (Math.sqrt(squaredDistance(mean, other)) < leastDistance) return false
  }
  const labels = rows.map((row) => nearest(row, means))
  const counts = means.map((_, group) => labels.filter((label) => label === group).length)
  return Math.min(...counts) >= fewestStretches && persistence(stretches, labels, means.length) >= leastPersistence
}

/**
 * How much nearer stretches are to their own centroid than to the next one, 0 to 1 on average (simplified silhouette).
 */
function clearness(rows: readonly Float32Array[], means: readonly Float32Array[]): number {
  const each = rows.map((row) => {
    const [own = 0, other = 1] = means.map((mean) => Math.sqrt(squaredDistance(row, mean))).sort((a, b) => a - b)
    return other === 0 ? 0 : 1 - own / other
  })
  return each.reduce((sum, value) => sum + value, 0) / each.length
}

/** Finds the voices' centroids: the given number, else the number with the clearest separation; one if in doubt. */
function findMeans(
  stretches: readonly Stretch[],
  rows: readonly Float32Array[],
  count: SpeakerCount,
  leastDistance: number,
): Float32Array[] {
  const sample = evenSample(rows, mostGrouped)
  const grouped = (groups: number) => centroids(sample, spectralGroups(sample, groups), groups)
  if (count !== 'auto') return grouped(Math.max(1, Math.min(count, rows.length)))
  let best: { means: Float32Array[]; clearness: number } | null = null
  for (let groups = 2; groups <= Math.min(mostSpeakers, Math.floor(rows.length / fewestStretches)); groups += 1) {
    const means = grouped(groups)
    if (!areVoices(stretches, rows, means, leastDistance)) continue
    const found = clearness(rows, means)
    if (best === null || found > best.clearness) best = { means, clearness: found }
  }
  if (best !== null) return best.means
  return grouped(1)
}

/** Cost of a voice change between stretches, lower after a pause, in units of vector distance. */
const changeCost = 2
const changeCostAfterPause = 1
const pauseMs = 500

/** Finds the likeliest sequence of voices (Viterbi 1967), from the distance of each stretch and the cost of changes. */
function likeliest(stretches: readonly Stretch[], costs: readonly Float64Array[]): number[] {
  const groups = costs[0]?.length ?? 0
  let totals = new Float64Array(groups)
  const from: Uint8Array[] = []
  for (const [index, cost] of costs.entries()) {
    const gap = (stretches[index]?.startMs ?? 0) - (stretches[index - 1]?.endMs ?? 0)
    const change = gap >= pauseMs ? changeCostAfterPause : changeCost
    const cheapest = totals.indexOf(Math.min(...totals))
    const back = new Uint8Array(groups)
    totals = Float64Array.from(totals, (total, group) => {
      const changed = (totals[cheapest] ?? 0) + change
      back[group] = total <= changed ? group : cheapest
      return Math.min(total, changed) + (cost[group] ?? 0)
    })
    from.push(back)
  }
  const labels: number[] = []
  for (let index = costs.length - 1, label = totals.indexOf(Math.min(...totals)); index >= 0; index -= 1) {
    labels[index] = label
    label = from[index]?.[label] ?? 0
  }
  return labels
}

/**
 * Diarization: spectral clustering of a recording's stretches, then the likeliest sequence of turns.
 * @returns one entry per stretch; speakers are numbers from 0, in no particular order
 */
export function diarise(stretches: readonly Stretch[], kind: VoiceKind, count: SpeakerCount): VoicedStretch[] {
  const { leastDistance, mostConfidence } = limits[kind]
  const rows = stretches.map(({ vector }) => (kind === 'embedding' ? unit(vector) : vector))
  if (rows.length === 0) return []
  const means = findMeans(stretches, rows, count, leastDistance)
  const spread =
    rows.reduce((sum, row) => sum + Math.min(...means.map((mean) => squaredDistance(row, mean))), 0) / rows.length
  const costs = rows.map((row) => Float64Array.from(means, (mean) => (2 * squaredDistance(row, mean)) / (spread || 1)))
  const labels = likeliest(stretches, costs)
  return stretches.map(({ startMs, endMs }, index) => {
    const speaker = labels[index] ?? 0
    const cost = costs[index] ?? new Float64Array(1)
    const weights = [...cost].map((value) => Math.exp(-(value - Math.min(...cost))))
    const sure = (weights[speaker] ?? 0) / weights.reduce((sum, value) => sum + value, 0)
    return { startMs, endMs, speaker, confidence: sure * mostConfidence }
  })
}
