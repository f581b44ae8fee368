import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exportFormats } from '../../../src/formats/format-table.ts'
import type { Bench, Measurement } from './measurement.ts'
import { unlessShort } from './short.ts'

const wordsPerHour = 9_042
const script = fileURLToPath(new URL('render-one.ts', import.meta.url))

type Rendering = { cpuMs: number; firstMs: number; bytes: number; growthMb: number }

/** Each format of a day's transcript (217,000 words; `--hours` for less), each rendered in a separate process. */
export const benchFormats: Bench = async ({ hours = unlessShort('24', '0.1') }) => {
  const words = Math.round(Number(hours) * wordsPerHour)
  const measurements: Measurement[] = []
  for (const format of exportFormats) {
    const { stdout } = await promisify(execFile)(process.execPath, [script, format, String(words)])
    const { cpuMs, firstMs, bytes, growthMb } = JSON.parse(stdout) as Rendering
    const what = `${format} of ${hours} h (${(bytes / 1e6).toFixed(2)} MB)`
    measurements.push(
      { what: `${what}: processor time`, value: cpuMs, unit: 'ms' },
      { what: `${what}: first bytes after`, value: firstMs, unit: 'ms' },
      // Includes garbage not yet collected. The words are in memory before; a PDF keeps its tags to the end.
      {
        what: `${what}: memory on top of the words`,
        value: growthMb,
        unit: 'MB',
        goal: { atMost: format === 'pdf' ? 350 : 150 },
      },
    )
  }
  return measurements
}
