import { expect, it } from 'vitest'
import { firstPage } from '../../../formats/documents/pdf/first-page.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { sampleTranscript } from '../../../formats/testing/sample-transcripts.ts'
import type { Transcript } from '../../../text/transcript.ts'
import { pdfKit } from './pdf-kit.ts'
import { readWith } from './testing/outside-reader.ts'

const said = Array.from(
  { length: 60 },
  (_, at) => [`Ann ${at % 3}`, 'so it was quiet there, more or less. '.repeat(4)] as const,
)
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')

async function drawn(transcript: Transcript) {
  return await firstPage(transcript, await pdfKit())
}

it('draws the words of the first page at the PDF’s positions', async () => {
  const transcript = sampleTranscript(said, { speaker_tracking_format: 'full names' })
  const { texts, width, height } = await drawn(transcript)
  const pdf = Buffer.concat([...(await renderFormat(transcript, 'pdf', { pdfKit }))])
  const boxes = await readWith('pdftotext', ['-bbox', '-l', '1', '%', '-'], pdf, 'pdf')
  const places = [...boxes.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>([^<]*)</g)]
  const words = places.map(([, , , word = '']) => word)
  words[words.indexOf('Page') + 3] = '…'
  expect(wordsOf(texts.map(({ text }) => text).join(' ')).sort()).toEqual(words.sort())
  for (const { text, x, y } of texts.filter((one) => one.text.startsWith('so it'))) {
    const isThere = places.some(
      ([, left, top, word]) => word === 'so' && Math.abs(Number(left) - x) < 1 && y - Number(top) < 20,
    )
    expect(isThere, text).toBe(true)
  }
  expect([width, height].map(Math.round)).toEqual([595, 842])
})

it('says that there is one page, or that there are more', async () => {
  const footer = async (count: number) => {
    const { texts } = await drawn(sampleTranscript(said.slice(0, count)))
    const at = texts.findIndex(({ text }) => text.startsWith('Page 1'))
    return texts
      .slice(at, at + 2)
      .map(({ text }) => text)
      .join(' ')
  }
  expect(await footer(2)).toBe('Page 1 of 1')
  expect(await footer(60)).toBe('Page 1 of …')
})

it('marks doubtful words, and takes no longer for a day', async () => {
  const transcript = sampleTranscript(said)
  const day = { ...transcript, turns: Array.from({ length: 40 }, () => transcript.turns).flat(), doubtfulBelow: 0.95 }
  const before = process.cpuUsage()
  const { texts } = await drawn(day)
  const { user, system } = process.cpuUsage(before)
  expect(texts.filter(({ doubtful }) => doubtful).length).toBeGreaterThan(20)
  const whole = process.cpuUsage()
  for (const _ of await renderFormat(day, 'pdf', { pdfKit })) {
    // only made
  }
  const all = process.cpuUsage(whole)
  expect(user + system).toBeLessThan((all.user + all.system) / 3)
})
