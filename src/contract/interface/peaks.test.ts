import { expect, it } from 'vitest'
import { coarserPeaks, decodePeaks, encodePeaks } from './peaks.ts'

it('merges neighbors into at most the requested number of peaks, and leaves fewer unchanged', () => {
  const peaks = Int8Array.of(-1, 2, -3, 4, -5, 1, 0, 9, -7, 7)
  expect([...coarserPeaks(peaks, 3)]).toEqual([-3, 4, -5, 9, -7, 7])
  expect([...coarserPeaks(peaks, 1)]).toEqual([-7, 9])
  expect(coarserPeaks(peaks, 5)).toBe(peaks)
  expect(coarserPeaks(new Int8Array(), 5)).toHaveLength(0)
})

it('round-trips', () => {
  const peaks = Int8Array.of(-127, 127, 0, 1)
  expect(decodePeaks(encodePeaks(peaks))).toEqual(peaks)
})
