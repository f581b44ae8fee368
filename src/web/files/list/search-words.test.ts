import { expect, it } from 'vitest'
import { readSearch, serviceWords, withState } from './search-words.ts'

it.each([
  ['', '', []],
  ['  Board meeting ', 'board meeting', []],
  ['tag:Interview', '', ['interview']],
  ['spring TAG:"two Words" meeting', 'spring  meeting', ['two words']],
  ['is:archived tag:a tag:b', '', ['a', 'b'], 'archived'],
  ['is:odd tag: "quoted name"', 'is:odd tag: "quoted name"', []],
  ['mill IS:duplicate', 'mill', [], 'duplicate'],
])('reads %j', (search, text, tags, is?: string) => {
  expect(readSearch(search)).toEqual({ text, tags, archived: is === 'archived', duplicate: is === 'duplicate' })
})

it('has is:… set and taken out again, and nothing else changed', () => {
  expect(withState('', 'duplicate', true)).toBe('is:duplicate')
  expect(withState('mill Is:Duplicate tag:a', 'duplicate', false)).toBe('mill tag:a')
  expect(withState('mill is:duplicate', 'duplicate', true)).toBe('mill is:duplicate')
  expect(withState('"is:archived" is:archivedx', 'archived', false)).toBe('"is:archived" is:archivedx')
})

it('asks the service for words, not for what is archived or a duplicate', () => {
  expect(serviceWords('is:archived is:duplicate mill -"is:archived" Is:Archived')).toBe('mill -"is:archived"')
})
