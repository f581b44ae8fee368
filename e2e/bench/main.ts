import { parseArgs } from 'node:util'
import { type Bench, describe, isMet } from './measurement.ts'
import { describeMachine, writeFigures } from './performance-page.ts'

/** Loaded when asked for, as each brings its own tools. */
const benches: Record<string, () => Promise<Bench>> = {
  api: async () => (await import('./api.ts')).benchApi,
  formats: async () => (await import('./formats.ts')).benchFormats,
  files: async () => (await import('./files.ts')).benchFiles,
  order: async () => (await import('./order.ts')).benchOrder,
  views: async () => (await import('./views.ts')).benchViews,
  upload: async () => (await import('./upload.ts')).benchUpload,
  recognition: async () => (await import('./recognition.ts')).benchRecognition,
  'recognition-long': async () => (await import('./recognition-long.ts')).benchRecognitionLong,
  speakers: async () => (await import('./speakers.ts')).benchSpeakers,
  events: async () => (await import('./events.ts')).benchEvents,
  ledger: async () => (await import('./ledger.ts')).benchLedger,
  webhooks: async () => (await import('./webhooks.ts')).benchWebhooks,
  transcript: async () => (await import('./transcript.ts')).benchTranscript,
}

/**
 * `npm run bench` runs all, `npm run bench -- upload --size 10g` one with options; a missed goal exits with 1. With
 * `--write` the figures also go into docs/performance.md.
 */
const {
  positionals,
  values: { write, ...options },
} = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    size: { type: 'string' },
    rounds: { type: 'string' },
    hours: { type: 'string' },
    model: { type: 'string' },
    recogniser: { type: 'string' },
  },
})
const optionWords = Object.entries(options).map(([name, value]) => ` --${name} ${value}`)
const wanted = positionals.length > 0 ? positionals : Object.keys(benches)
let missed = 0
for (const name of wanted) {
  const load = benches[name]
  if (load === undefined) throw new Error(`There is no bench "${name}". There are: ${Object.keys(benches).join(', ')}.`)
  const machine = describeMachine()
  const measurements = await (await load())(options)
  for (const measurement of measurements) {
    console.log(`${name}  ${describe(measurement)}`)
    if (!isMet(measurement)) missed += 1
  }
  if (write) await writeFigures(`${name}${optionWords.join('')}`, machine, measurements)
}
process.exitCode = missed > 0 ? 1 : 0
