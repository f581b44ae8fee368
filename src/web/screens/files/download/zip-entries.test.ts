import { expect, it } from 'vitest'
import { uniqueName } from './zip-entries.ts'

it('gives each file of an archive a unique name, ignoring case', () => {
  const taken = new Set<string>()
  expect(['a.txt', 'A.txt', 'a.txt', 'b', 'b'].map((name) => uniqueName(name, taken))).toEqual([
    'a.txt',
    'A (2).txt',
    'a (3).txt',
    'b',
    'b (2)',
  ])
})
