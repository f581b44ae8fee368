import { expect, test } from 'vitest'
import type { CorrectionChange, KeptCorrections } from '../../../contract/account/corrections.ts'
import { stretchWords } from '../part-words.ts'
import { shiftedHome, soundStart } from './part-desk.ts'
import { abbreviationsOf, expansionAt } from './typing-keys.ts'

test('an abbreviation is expanded if it is a separate word before the caret, not part of a longer word', () => {
  const list = { bod: 'board of directors', 'q.': 'question', constructor: 'builder' }
  expect(expansionAt('the bod', list)).toEqual({ short: 'bod', long: 'board of directors' })
  expect(expansionAt('the q.', list)?.long).toBe('question')
  expect(expansionAt('the tribod', list)).toBeNull()
  expect(expansionAt('the bod ', list)).toBeNull()
  expect(expansionAt('Bod', list)?.long).toBe('Board of directors')
  expect(expansionAt('toString', list)).toBeNull()
})

test('abbreviations are read from the lines of a file, and lines without a tab are counted', () => {
  expect(
    abbreviationsOf('\ufeffbod\tboard of directors\r\n\r\nq.\t question: \nno tab\nwith space\ttext\nempty\t \n'),
  ).toEqual({
    read: { bod: 'board of directors', 'q.': 'question:' },
    odd: 3,
  })
})

test('corrections on a desk whose sound begins within the recording are stored at the recording’s times, and round-trip unchanged', async () => {
  const word = { text: 'mill', start: 10.1, end: 10.3, conf: null, endsTurn: false, speaker: -1, old: -1 }
  const patch = { from: 0, to: 0, startSeconds: 10.1, old: [], before: [], after: [], words: [word] }
  const set = { fingerprint: 'v', baseNames: [], names: [], patches: [patch] }
  let kept: KeptCorrections = { revision: 0, set: null }
  const start = soundStart({ position: 3, start: 722.345 } as Parameters<typeof soundStart>[0])
  expect(start).toBeCloseTo(712.345)
  const home = shiftedHome(
    {
      fetch: async () => kept,
      send: async (revision: number, { put, ...change }: CorrectionChange) => {
        kept = { revision: revision + 1, set: { ...set, ...change, patches: put } }
        return kept.revision
      },
    },
    start,
  )
  const { patches, ...texts } = set
  await home.send(0, { ...texts, remove: [], put: [...patches], label: 'Typing' })
  expect(kept.set?.patches[0]?.words[0]).toMatchObject({ start: 722.445, end: 722.645 })
  expect((await home.fetch(0))?.set?.patches).toEqual(patches)
  expect(soundStart({ position: 0, start: 722.345 } as Parameters<typeof soundStart>[0])).toBe(0)
})

test('what was not heard is said in whole seconds that do not overlap', () => {
  const unheard = [
    [1.4, 4.2],
    [4.8, 8.1],
    [15.2, 17.9],
  ] as const
  expect(stretchWords(unheard)).toBe('0:01–0:09, 0:15–0:18')
})
