import { expect, it } from 'vitest'
import { uniqueName } from './zip-entries.ts'

it('names each file of an archive differently, also where case is ignored', () => {
  const taken = new Set<string>()
  expect(['a.txt', 'A.txt', 'a.txt', 'b', 'b'].map((name) => uniqueName(name, taken))).toEqual([
    'a.txt',
    'A (2).txt',
    'a (3).txt',
    'b',
    'b (2)',
  ])
})
