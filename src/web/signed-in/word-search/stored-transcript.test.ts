import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storedForm } from '../../transcript/desk/store-words.ts'
import { tableOf, wordsOf } from '../../transcript/model/testing/made-words.ts'
import type { Word } from '../../transcript/model/word.ts'
import { decodeTranscript, encodeTranscript } from './stored-transcript.ts'
import { TranscriptSearcher } from './transcript-searcher.ts'

const word = fc.record({
  text: fc.string({ unit: 'grapheme' }),
  start: fc.integer({ min: 0, max: 90_000_000 }).map((milliseconds) => milliseconds / 1_000),
  endsTurn: fc.boolean(),
})

test('a stored transcript is read back as it was, whatever the words and times', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word), async (given) => {
      const words = given.map((one, index): Word => {
        return { ...one, end: one.start, conf: null, turnConf: null, speaker: -1, origin: index % 3 === 2 ? -1 : index }
      })
      const stored = storedForm('Tape 14', tableOf(words))
      expect(await decodeTranscript((await encodeTranscript(stored)).buffer)).toEqual(stored)
    }),
    { numRuns: 50 },
  )
})

test('a hit has its words by the service’s numbers, its time and the text around it', async () => {
  const words = wordsOf('The old mill stood by the river.|A mill is loud, and people lived beside it all their lives.')
  // A word that was typed here has no number of its own: the link names the one before it.
  words.splice(1, 0, { ...(words[1] as Word), text: 'very', origin: -1 })
  const bytes = await encodeTranscript(storedForm('Tape 14', tableOf(words)))
  const searcher = new TranscriptSearcher('f1', await decodeTranscript(bytes.buffer))
  expect(searcher.search('MILL', 1)).toEqual([
    {
      file: 'f1',
      name: 'Tape 14',
      index: 0,
      count: 2,
      from: 2,
      to: 3,
      seconds: words[3]?.start,
      before: 'The very old ',
      found: 'mill',
      after: expect.stringMatching(/^ stood by the river\. A mill is loud,/),
    },
  ])
  expect(searcher.search('very old', 9)).toMatchObject([{ from: 0, to: 2 }])
  expect(searcher.search('windmill', 9)).toEqual([])
})
