/** Vectors as rows. */
type Rows = readonly Float32Array[]

export function squaredDistance(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (const [index, value] of one.entries()) sum += (value - (other[index] ?? 0)) ** 2
  return sum
}

/** Normalizes a vector to unit length. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** The centroid of each group; the origin for an empty group. */
export function centroids(rows: Rows, labels: ArrayLike<number>, groups: number): Float32Array[] {
  const width = rows[0]?.length ?? 0
  const means = Array.from({ length: groups }, () => new Float32Array(width))
  const counts = new Uint32Array(groups)
  for (const [index, row] of rows.entries()) {
    const label = labels[index] ?? 0
    const mean = means[label]
    if (mean === undefined) continue
    counts[label] = (counts[label] ?? 0) + 1
    for (const [order, value] of row.entries()) mean[order] = (mean[order] ?? 0) + value
  }
  for (const [label, mean] of means.entries())
    for (const order of mean.keys()) mean[order] = (mean[order] ?? 0) / Math.max(1, counts[label] ?? 0)
  return means
}

export function nearest(row: Float32Array, means: Rows): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [index, mean] of means.entries()) {
    const distance = squaredDistance(row, mean)
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}

/** k-means with farthest-first initialization, hence deterministic. */
function kMeans(rows: Rows, groups: number): Uint8Array {
  const labels = new Uint8Array(rows.length)
  const first = rows[0]
  if (first === undefined) return labels
  let means: Float32Array[] = [first]
  while (means.length < groups) {
    let farthest = first
    let greatest = -1
    for (const row of rows) {
      const distance = Math.min(...means.map((mean) => squaredDistance(row, mean)))
      if (distance > greatest) {
        greatest = distance
        farthest = row
      }
    }
    means.push(farthest)
  }
  for (let round = 0; round < 50; round += 1) {
    let moved = false
    for (const [index, row] of rows.entries()) {
      const label = nearest(row, means)
      moved ||= label !== labels[index]
      labels[index] = label
    }
    if (!moved && round > 0) break
    means = centroids(rows, labels, groups)
  }
  return labels
}

const neighbourOfScale = 7

/** Pairwise affinities, 0 to 1, scaled by each row's distance to its 7th neighbor (Zelnik-Manor and Perona 2004). */
function affinities(rows: Rows): Float64Array {
  const size = rows.length
  const distances = new Float64Array(size * size)
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j < i; j += 1) {
      const distance = squaredDistance(rows[i] as Float32Array, rows[j] as Float32Array)
      distances[i * size + j] = distance
      distances[j * size + i] = distance
    }
  }
  const scales = rows.map((_, i) => {
    const sorted = distances.slice(i * size, (i + 1) * size).sort()
    return Math.sqrt(sorted[Math.min(size - 1, neighbourOfScale)] ?? 1) || 1e-6
  })
  return distances.map((distance, at) => {
    const i = Math.floor(at / size)
    const j = at % size
    return i === j ? 0 : Math.exp(-distance / ((scales[i] ?? 1) * (scales[j] ?? 1)))
  })
}

/** The leading eigenvectors of D^-½ A D^-½ by orthogonal iteration, one row per input row. */
function spectralRows(rows: Rows, dimensions: number): Float32Array[] {
  const size = rows.length
  const matrix = affinities(rows)
  const degrees = rows.map((_, i) =>
    matrix.subarray(i * size, (i + 1) * size).reduce((sum, value) => sum + value, 1e-9),
  )
  for (const at of matrix.keys()) {
    matrix[at] = (matrix[at] ?? 0) / Math.sqrt((degrees[Math.floor(at / size)] ?? 1) * (degrees[at % size] ?? 1))
  }
  let vectors: Float64Array[] = Array.from({ length: dimensions }, (_, k) =>
    Float64Array.from({ length: size }, (_, i) => Math.cos((k * Math.PI * (i + 0.5)) / size + k)),
  )
  for (let round = 0; round < 60; round += 1) vectors = orthonormal(vectors.map((vector) => multiplied(matrix, vector)))
  return rows.map((_, i) => unit(Float32Array.from(vectors, (vector) => vector[i] ?? 0)))
}

/** (A + I) v: the shift keeps small negative eigenvalues from leading. */
function multiplied(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length
  return vector.map((own, i) => {
    let sum = own
    for (let j = 0; j < size; j += 1) sum += (matrix[i * size + j] ?? 0) * (vector[j] ?? 0)
    return sum
  })
}

function orthonormal(vectors: Float64Array[]): Float64Array[] {
  const done: Float64Array[] = []
  for (const vector of vectors) {
    for (const earlier of done) {
      const along = vector.reduce((sum, value, i) => sum + value * (earlier[i] ?? 0), 0)
      for (const i of vector.keys()) vector[i] = (vector[i] ?? 0) - along * (earlier[i] ?? 0)
    }
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
    done.push(vector.map((value) => value / length))
  }
  return done
}

/** Spectral clustering (Ng, Jordan and Weiss 2002) of at most a few hundred rows into the given number of groups. */
export function spectralGroups(rows: Rows, groups: number): Uint8Array {
  if (groups <= 1 || rows.length <= groups) return Uint8Array.from(rows, (_, index) => Math.min(index, groups - 1))
  return kMeans(spectralRows(rows, groups), groups)
}
