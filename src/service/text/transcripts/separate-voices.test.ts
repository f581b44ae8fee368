import { expect, test } from 'vitest'
import { separateVoices } from './separate-voices.ts'

/** Words of a second voice follow those of the first by the recording's length and three seconds. */
const secondVoice = 13

const speak = (text: string, start: number, step = 0.4) =>
  text.split(' ').map((word, at) => ({
    word,
    start: start + at * step,
    end: start + at * step + 0.3,
    conf: 1,
    duration: 0.3,
  }))

test('voices that talk at once keep their phrases, in the order in which these begin, with true times', () => {
  const host = [...speak('so what did you see there', 1), ...speak('and then', 6)]
  const guest = speak('well nothing at all really', secondVoice + 1.2)
  const merged = separateVoices({ duration_ms: 10_000 }, ['Host', 'Guest'], [...host, ...guest])
  expect(merged.map(({ word }) => word).join(' ')).toBe('so what did you see there well nothing at all really and then')
  expect(merged.filter(({ turn }) => turn).map(({ word }) => word)).toEqual(['there', 'really'])
  expect(merged.flatMap(({ name }) => name ?? [])).toEqual(['Host', 'Guest'])
  expect(merged.find(({ word }) => word === 'well')?.start).toBe(1.2)
})

test('a long speech makes way for what is said into it, within seconds', () => {
  const host = speak(Array.from({ length: 100 }, (_, at) => `word${at}`).join(' '), 1)
  const merged = separateVoices({ duration_ms: 60_000 }, ['Host', 'Guest'], [...host, ...speak('I see', 63 + 5)])
  const at = merged.findIndex(({ word }) => word === 'I')
  expect(merged[at]?.start).toBe(5)
  expect(merged[at - 1]?.end).toBeGreaterThan(14)
  expect(merged[at - 1]?.end).toBeLessThan(15.5)
  expect(merged.filter(({ turn }) => turn)).toHaveLength(2)
})
