import { expect, test } from 'vitest'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { sampleTranscript } from '../../../formats/testing/sample-transcripts.ts'
import { countCaptions } from './count-captions.ts'

const three = sampleTranscript([
  ['Ann', 'good morning'],
  ['Bob', 'good morning to you'],
  ['Ann', 'shall we begin'],
])

test.each(['srt', 'vtt', 'sbv', 'ttml', 'stl'] as const)('captions are counted in %s', async (format) => {
  const means = { captions: captionStyles.bbc, pdfKit: () => Promise.reject(new Error('no PDF')) }
  const content = new Blob([...(await renderFormat(three, format, means))].map((chunk) => chunk.slice()))
  expect(await countCaptions(format, content)).toBe(3)
})
