import { expect, it } from 'vitest'
import type { Transcript } from '../text/transcript.ts'
import { renderSrt } from './captions/caption-files.ts'
import { renderCsv } from './csv.ts'
import { documentParagraphs } from './documents/paragraphs.ts'
import { renderJson } from './json.ts'
import { renderMarkdown } from './markdown.ts'
import { sampleTranscript } from './testing/sample-transcripts.ts'
import { renderTxt } from './txt.ts'

const said = [
  ['Ann', 'We begin.'],
  ['Bob', 'It is past midnight.'],
] as const
const late: Transcript = { ...sampleTranscript(said), beginsAtSeconds: 86_398.5 }
const whole = (pieces: Iterable<string>) => [...pieces].join('')

it('gives texts and documents times of the clock, through midnight, and says when the recording began', () => {
  const txt = whole(renderTxt(late))
  expect(txt).toContain('· began 23:59:58\n\n23:59:58 Ann: We begin.\n00:00:00 Bob: It is past')
  expect(whole(renderMarkdown(late))).toContain('\n00:00:00 **Bob:**')
  expect([...documentParagraphs(late)].flatMap(({ time }) => time ?? [])).toEqual(['23:59:58', '00:00:00'])
  expect(whole(renderTxt({ ...late, timesEvery: 1 }))).toContain('Ann: [23:59:58] We begin.')
  expect(whole(renderTxt({ ...late, readableMs: 1_500 }))).toContain('from 00:00:00 to its end at 00:00:02')
})

it('adds times of the clock to CSV beside the seconds, and to JSON if they are asked for', () => {
  const plain = whole(renderCsv(sampleTranscript(said)))
    .trimEnd()
    .split('\r\n')
  const [head, ...rows] = whole(renderCsv(late)).trimEnd().split('\r\n')
  expect([head, ...rows]).toEqual([`${plain[0]},time_of_day`, `${plain[1]},23:59:58`, `${plain[2]},00:00:00`])
  expect(whole(renderCsv(late, true))).toContain(';23:59:58\r\n')
  const json = JSON.parse(whole(renderJson({ ...late, captionsOfClock: true })))
  expect(json.map(({ time_of_day, ...word }: Record<string, unknown>) => word)).toEqual(
    JSON.parse(whole(renderJson(late))),
  )
  expect(json[0].time_of_day).toBe('23:59:58.500')
  expect(json.at(-1).time_of_day).toMatch(/^00:00:0\d\.\d{3}$/)
})

it('leaves JSON and captions in times of the recording, unless those of the clock are asked for', () => {
  const plain = sampleTranscript(said)
  expect(whole(renderJson(late))).toBe(whole(renderJson(plain)))
  expect(whole(renderSrt(late))).toBe(whole(renderSrt(plain)))
  expect(whole(renderSrt({ ...late, captionsOfClock: true }))).toMatch(/^1\n23:59:58,500 --> /)
})
