/** Analysis frames: 25 ms every 10 ms at 16 kHz. */
const hopSamples = 160
const windowSamples = 400
const fftSize = 512
const filters = 32
const lowestHz = 80
const highestHz = 7_600
/** c1 to c19; c0, the loudness, says nothing about a voice. */
export const cepstraPerFrame = 19

const hann = Float32Array.from(
  { length: windowSamples },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / (windowSamples - 1)),
)

function mel(hz: number): number {
  return 1_127 * Math.log(1 + hz / 700)
}

/** Mel filter bank: triangles of equal width on the mel scale, as weights of FFT bins. */
const melFilters = Array.from({ length: filters }, (_, filter) => {
  const step = (mel(highestHz) - mel(lowestHz)) / (filters + 1)
  const center = mel(lowestHz) + (filter + 1) * step
  const weights: { bin: number; weight: number }[] = []
  for (let bin = 1; bin < fftSize / 2; bin += 1) {
    const weight = 1 - Math.abs(mel((bin * 16_000) / fftSize) - center) / step
    if (weight > 0) weights.push({ bin, weight })
  }
  return weights
})

const cosines = Array.from({ length: cepstraPerFrame }, (_, order) =>
  Float32Array.from(
    { length: filters },
    (_, filter) => Math.cos((Math.PI / filters) * (filter + 0.5) * (order + 1)) * Math.sqrt(2 / filters),
  ),
)

const turns = {
  cosine: Float32Array.from({ length: fftSize / 2 }, (_, index) => Math.cos((-2 * Math.PI * index) / fftSize)),
  sine: Float32Array.from({ length: fftSize / 2 }, (_, index) => Math.sin((-2 * Math.PI * index) / fftSize)),
}

/** Radix-2 FFT in place (Cooley and Tukey). */
function transform(real: Float32Array, imaginary: Float32Array): void {
  const size = real.length
  for (let index = 1, mirrored = 0; index < size; index += 1) {
    let bit = size >> 1
    for (; mirrored & bit; bit >>= 1) mirrored ^= bit
    mirrored ^= bit
    if (index < mirrored) {
      const held = real[index] ?? 0
      real[index] = real[mirrored] ?? 0
      real[mirrored] = held
    }
  }
  for (let half = 1; half < size; half *= 2) {
    const stride = fftSize / (2 * half)
    for (let start = 0; start < size; start += half * 2) {
      for (let index = 0; index < half; index += 1) {
        const cosine = turns.cosine[index * stride] ?? 0
        const sine = turns.sine[index * stride] ?? 0
        const low = start + index
        const high = low + half
        const highReal = real[high] ?? 0
        const highImaginary = imaginary[high] ?? 0
        const turnedReal = highReal * cosine - highImaginary * sine
        const turnedImaginary = highReal * sine + highImaginary * cosine
        real[high] = (real[low] ?? 0) - turnedReal
        imaginary[high] = (imaginary[low] ?? 0) - turnedImaginary
        real[low] = (real[low] ?? 0) + turnedReal
        imaginary[low] = (imaginary[low] ?? 0) + turnedImaginary
      }
    }
  }
}

/** Computes the mel cepstra (Davis and Mermelstein 1980) of all frames, concatenated: `cepstraPerFrame` values each. */
export function melCepstra(samples: Int16Array): Float32Array {
  const frames = Math.max(0, Math.floor((samples.length - windowSamples) / hopSamples) + 1)
  const cepstra = new Float32Array(frames * cepstraPerFrame)
  const real = new Float32Array(fftSize)
  const imaginary = new Float32Array(fftSize)
  const energies = new Float32Array(filters)
  for (let frame = 0; frame < frames; frame += 1) {
    real.fill(0)
    imaginary.fill(0)
    for (let index = 0; index < windowSamples; index += 1) {
      const at = frame * hopSamples + index
      real[index] = ((samples[at] ?? 0) - 0.97 * (samples[at - 1] ?? 0)) * (hann[index] ?? 0)
    }
    transform(real, imaginary)
    for (const [filter, weights] of melFilters.entries()) {
      let energy = 1
      for (const { bin, weight } of weights) energy += weight * ((real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2)
      energies[filter] = Math.log(energy)
    }
    for (const [order, row] of cosines.entries()) {
      let sum = 0
      for (let filter = 0; filter < filters; filter += 1) sum += (row[filter] ?? 0) * (energies[filter] ?? 0)
      cepstra[frame * cepstraPerFrame + order] = sum
    }
  }
  return cepstra
}
