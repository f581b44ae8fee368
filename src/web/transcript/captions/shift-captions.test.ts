import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeShift, endsAfterRecording, findEnds, previewEnds, shiftCaptions } from './shift-captions.ts'

test('two captions come to the times that were typed, also on top of an earlier timing', () => {
  const time = fc.integer({ min: 0, max: 36_000_000 })
  fc.assert(
    fc.property(time, time, fc.double({ min: 0.9, max: 1.1, noNaN: true }), time, (first, length, stretch, shift) => {
      const timing = { stretch, shiftSeconds: shift / 1_000 }
      const before = findEnds(first, first + length + 1_000, undefined)
      const was = previewEnds(before, timing)
      const ends = findEnds(was.first, was.last, timing)
      const wanted = shiftCaptions(ends, 2.5, was.last + 2_600, 1)
      if (typeof wanted === 'string') return
      const now = previewEnds(ends, wanted)
      expect(Math.abs(now.first - ends.first * 1_000 - 2_500)).toBeLessThanOrEqual(1)
      expect(Math.abs(now.last - was.last - 2_600)).toBeLessThanOrEqual(1)
    }),
  )
})

test('without a time, captions keep their stretch', () => {
  expect(shiftCaptions({ first: 2, last: 100 }, -2, null, 1)).toEqual({ stretch: 1, shiftSeconds: -2 })
  expect(previewEnds({ first: 2, last: 100 }, { stretch: 1.04, shiftSeconds: -0.08 }).first).toBe(2_000)
  expect(shiftCaptions({ first: 2, last: 100 }, 1, null, 1.04)).toEqual({ stretch: 1.04, shiftSeconds: 0.92 })
})

test.each([
  [-2.1, null, 'The first caption begins at 0:02.00: it cannot begin before 0:00.'],
  [90_000, null, 'Captions can be moved by at most 24 hours.'],
  [0, 60_000, 'That would stretch the times by 0.59. They can be stretched by 0.9 to 1.1.'],
  [0, 1_000, 'That would stretch the times by -0.01. They can be stretched by 0.9 to 1.1.'],
])('refuses to move by %s s and to %s ms in words', (by, last, words) => {
  expect(shiftCaptions({ first: 2, last: 100 }, by, last, 1)).toBe(words)
})

test('names the frame rates that a stretch is between', () => {
  const from = (stretch: number) => describeShift({ stretch, shiftSeconds: 0 })
  expect(from((25 * 1_001) / 24_000)).toBe('stretched by 1.0427, as from 25 to 23.976 frames a second')
  expect(from(1.05)).toBe('stretched by 1.05')
  expect(describeShift({ stretch: 1, shiftSeconds: -0.3 })).toBe('0.3 s earlier')
})

test.each([
  [{ stretch: 1, shiftSeconds: 1 }, false],
  [{ stretch: 1, shiftSeconds: 3 }, true],
  [{ stretch: 1.0848, shiftSeconds: 0 }, true],
])('captions that end at 0:58 of one minute end after it with %o: %s', (to, isAfter) => {
  const recordingSeconds = 60
  expect(endsAfterRecording({ endMs: 58_000, from: undefined, to, recordingSeconds })).toBe(isAfter)
  // 2 s later already: at 0:56 of the recording.
  const from = { stretch: 1, shiftSeconds: 2 }
  expect(endsAfterRecording({ endMs: 58_000, from, to: { ...to, shiftSeconds: 3 }, recordingSeconds })).toBe(
    to.stretch > 1,
  )
})
