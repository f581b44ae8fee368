import { expect, test } from 'vitest'
import { readLines } from './word-dialogs.tsx'

test('a word and its heard forms are read from each line that has some', () => {
  expect(readLines('Nordwind, north wind,nord vind \r\n\n"Sluzhba AG"\tsloosh bah\n ; \nQuay', 'Harbour')).toEqual([
    { written: 'Nordwind', heard: ['north wind', 'nord vind'], preset: 'Harbour' },
    { written: 'Sluzhba AG', heard: ['sloosh bah'], preset: 'Harbour' },
    { written: 'Quay', heard: [], preset: 'Harbour' },
  ])
})
