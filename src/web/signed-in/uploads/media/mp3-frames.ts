const layer2And3Rates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
/** Kilobits per second by version (1; 2 and 2.5) and layer (ISO 11172-3 and 13818-3). */
const kilobitTables = {
  1: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  2: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: layer2And3Rates,
    3: layer2And3Rates,
  },
} as const
const sampleRates = [44_100, 48_000, 32_000] as const

export type Frame = {
  bytes: number
  /** the mean of a constant rate, of which `bytes` is rounded with padding */
  exactBytes: number
  samples: number
  sampleRate: number
  isMono: boolean
  isVersion1: boolean
}

/** Reads a frame header; null if there is none, or one of free format. */
export function readFrame(view: DataView, at: number): Frame | null {
  if (at + 4 > view.byteLength || view.getUint8(at) !== 0xff) return null
  const [second, third, fourth] = [view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3)]
  const version = (second >> 3) & 3
  const layer = 4 - ((second >> 1) & 3)
  if (second < 0xe0 || version === 1 || layer === 4) return null
  const isVersion1 = version === 3
  const kilobits = kilobitTables[isVersion1 ? 1 : 2][layer as 1 | 2 | 3][third >> 4]
  const rate = sampleRates[(third >> 2) & 3]
  if (!kilobits || rate === undefined) return null
  const sampleRate = isVersion1 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = layer === 1 ? 384 : layer === 3 && !isVersion1 ? 576 : 1_152
  const slot = layer === 1 ? 4 : 1
  const exactBytes = (samples * kilobits * 125) / sampleRate
  const bytes = (Math.floor(exactBytes / slot) + ((third >> 1) & 1)) * slot
  return { bytes, exactBytes, samples, sampleRate, isMono: fourth >> 6 === 3, isVersion1 }
}

/** True if a frame header is followed by another of its kind at the distance it announces. */
function isSteady(view: DataView, at: number): boolean {
  const frame = readFrame(view, at)
  if (frame === null) return false
  if (at + frame.bytes + 4 > view.byteLength) return true
  return readFrame(view, at + frame.bytes)?.sampleRate === frame.sampleRate
}

export function findFrame(view: DataView, from: number): number {
  let at = from
  while (at < view.byteLength && !isSteady(view, at)) at += 1
  return at
}
