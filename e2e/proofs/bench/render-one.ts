import type { ExportFormat } from '../../../src/formats/format-table.ts'
import { renderFormat } from '../../../src/formats/render-format.ts'
import { sampleTranscript } from '../../../src/formats/testing/sample-transcripts.ts'
import { pdfKit } from '../../../src/service/text/transcripts/pdf-kit.ts'

/*
 * Run by the formats bench in a separate process: `render-one.ts FORMAT WORDS`. Prints the cost of one rendering as
 * JSON: processor time and time to the first chunk in ms, bytes, growth of memory in MB.
 */
const [format = 'txt', count = '9000'] = process.argv.slice(2)

const vocabulary =
  'the of and to in that it is was for on with his they at one have this from by word what some out other were all there use your how said each which she their time will way about many then them write would like so these her long make thing see him two has look more day could go come did number sound'.split(
    ' ',
  )

/** Turns of some twelve to thirty words; one word in twenty is unique, like names and numbers. */
function turnsOf(words: number): [string, string][] {
  let state = 1
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const turns: [string, string][] = []
  for (let left = words; left > 0; ) {
    const length = Math.min(left, 12 + next(19))
    const said = Array.from(
      { length },
      () => `${vocabulary[next(vocabulary.length)]}${next(20) === 0 ? next(99_999) : ''}`,
    )
    turns.push([`Speaker ${(turns.length % 3) + 1}`, `${said.join(' ')}.`])
    left -= length
  }
  return turns
}

const transcript = sampleTranscript(turnsOf(Number(count)))
const render = () => renderFormat(transcript, format as ExportFormat, { pdfKit })
// Loads the renderer and the fonts, which the service does once; rendering itself is lazy.
await render()
const before = process.memoryUsage.rss()
const startedAt = performance.now()
const cpu = process.cpuUsage()
let [bytes, firstMs, peak] = [0, Number.NaN, before]
for (const chunk of await render()) {
  if (Number.isNaN(firstMs)) firstMs = performance.now() - startedAt
  bytes += chunk.length
  peak = Math.max(peak, process.memoryUsage.rss())
}
const { user, system } = process.cpuUsage(cpu)
console.log(JSON.stringify({ cpuMs: (user + system) / 1_000, firstMs, bytes, growthMb: (peak - before) / 1_048_576 }))
