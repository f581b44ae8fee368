import { expect, it } from 'vitest'
import { readSearch, serviceWords } from './search-words.ts'

it.each([
  ['', '', [], false],
  ['  Board meeting ', 'board meeting', [], false],
  ['tag:Interview', '', ['interview'], false],
  ['spring TAG:"two Words" meeting', 'spring  meeting', ['two words'], false],
  ['is:archived tag:a tag:b', '', ['a', 'b'], true],
  ['is:odd tag: "quoted name"', 'is:odd tag: "quoted name"', [], false],
])('reads %j', (search, text, tags, archived) => {
  expect(readSearch(search)).toEqual({ text, tags, archived })
})

it('asks the service for words, not for what is archived', () => {
  expect(serviceWords('is:archived mill -"is:archived" Is:Archived')).toBe('mill -"is:archived"')
})
