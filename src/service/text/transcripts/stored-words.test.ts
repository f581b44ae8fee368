import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StoredWord } from '../../../text/build-transcript.ts'
import { readWordsAndTurns, readWordsStream, storedWordsJson } from './stored-words.ts'

const seconds = fc.oneof(
  fc.nat(100_000).map((hundredths) => hundredths / 100),
  fc.constant(1e-7),
)
const storedWord: fc.Arbitrary<StoredWord> = fc.record(
  {
    word: fc.oneof(fc.constantFrom('mill', 'Mühle,', '"', '\\', ',\n', '{"word":"a"}'), fc.string({ unit: 'binary' })),
    start: seconds,
    end: seconds,
    duration: seconds,
    conf: fc.constantFrom(0, 0.9, 1),
    speaker: fc.integer({ min: -1, max: 3 }),
    turn: fc.constant(true as const),
    turn_conf: fc.constant(0.5),
    estimated: fc.constant(true as const),
  },
  { requiredKeys: ['word', 'start', 'end', 'duration', 'conf'] },
)

it('words, times, voices and turns are read from single lines as from the whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(storedWord, { maxLength: 20 }), async (words) => {
      const json = [...storedWordsJson(words)].join('')
      const read = async (readLines?: typeof readWordsAndTurns) =>
        (await readWordsStream(new Blob([json]).stream(), readLines)).map(
          ({ word, start, end, speaker = null, turn = null }) => [word, start, end, speaker, turn],
        )
      expect(await read(readWordsAndTurns)).toEqual(await read())
    }),
  )
})

it('a day of words is read from one chunk, as sent by S3', async () => {
  const word = { word: 'mill', start: 1, end: 2, duration: 1, conf: 1 }
  const words = Array.from({ length: 250_000 }, () => word)
  const whole = Buffer.from([...storedWordsJson(words)].join(''))
  expect(await readWordsStream([whole])).toHaveLength(words.length)
  expect(await readWordsStream([whole], readWordsAndTurns)).toHaveLength(words.length)
})
