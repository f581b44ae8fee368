import { expect, it } from 'vitest'
import { searchedName } from '../../../../contract/account/projects.ts'
import { completeTag, readSearch, serviceWords, withProject, withState, withTag } from './search-words.ts'

it.each([
  ['', '', []],
  ['  Board meeting ', 'board meeting', []],
  ['tag:Interview', '', ['interview']],
  ['spring TAG:"two Words" meeting', 'spring  meeting', ['two words']],
  ['is:archived tag:a tag:b', '', ['a', 'b'], 'archived'],
  ['is:odd tag: "quoted name"', 'is:odd tag: "quoted name"', []],
  ['mill IS:duplicate', 'mill', [], 'duplicate'],
  ['project:"Field Work" mill', 'mill', [], '', 'field work'],
  ['is:held', '', [], 'held'],
  ['mill -project:field', 'mill -project:field', []],
  ['is:leaving', '', [], 'leaving'],
])('reads %j', (search, text, tags, is = '', project: string | null = null) => {
  const states = { archived: false, duplicate: false, held: false, leaving: false, ...(is && { [is]: true }) }
  expect(readSearch(search)).toEqual({ text, tags, project, ...states })
})

it('adds and removes is:… without changing anything else', () => {
  expect(withState('', 'duplicate', true)).toBe('is:duplicate')
  expect(withState('mill Is:Duplicate tag:a', 'duplicate', false)).toBe('mill tag:a')
  expect(withState('mill is:duplicate', 'duplicate', true)).toBe('mill is:duplicate')
  expect(withState('"is:archived" is:archivedx', 'archived', false)).toBe('"is:archived" is:archivedx')
})

it('sets, changes and removes the project without changing anything else', () => {
  expect(withProject('mill', 'Field "A" “Work”')).toBe('mill project:"field a work"')
  expect(withProject('mill PROJECT:field tag:a', 'Other')).toBe('mill tag:a project:"other"')
  expect(withProject('mill project:"Field Work"', null)).toBe('mill')
  expect(readSearch(withProject('', 'Field "A" “Work”')).project).toBe(searchedName('Field "A" “Work”'))
})

it('asks the service for words, not for states', () => {
  expect(serviceWords('is:archived is:duplicate is:held is:leaving mill -"is:archived" Is:Archived')).toBe(
    'mill -"is:archived"',
  )
  expect(serviceWords('project:"Field Work" mill')).toBe('project:"Field Work" mill')
  expect(serviceWords('project:"Field Work" is:held'), 'the list knows').toBe('')
})

it('sets and removes the tag, and completes one that is being typed', () => {
  expect(withTag('mill tag:a tag:"b c"', 'Field work')).toBe('mill tag:"Field work"')
  expect(withTag('mill tag:"Field work"', null)).toBe('mill')
  const tags = () => ['Field work', 'final', 'Other']
  expect(completeTag('mill tag:fi', tags)).toEqual(['mill tag:"Field work"', 'mill tag:"final"'])
  expect(completeTag('TAG:', tags)).toHaveLength(3)
  for (const search of ['', 'tag', 'mill tag:fi ', 'mytag:fi']) expect(completeTag(search, tags)).toEqual([])
})
