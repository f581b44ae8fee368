import { expect, it } from 'vitest'
import { closingLines, needOf } from './closing-lines.ts'

it('end with the counts, after what was left out for each need', () => {
  const leftOut = ['root', 'LibreOffice, soffice', 'LibreOffice, soffice']
  const run = { passed: 12, failed: 0, skipped: 3, leftOut, secondTry: ['orders > crash'] }
  expect(closingLines(run)).toEqual([
    'failed once, passed on its second try: orders > crash',
    'left out: 1 test that needs root; 2 tests that need LibreOffice, soffice',
    '12 passed, 0 failed, 3 skipped',
  ])
  expect(closingLines({ ...run, skipped: 0, leftOut: [], secondTry: [] })).toEqual(['12 passed, 0 failed, 0 skipped'])
})

it('take the need from the name of a test or the reason it gives, and accept no test without one', () => {
  expect(needOf('documents > LibreOffice (needs LibreOffice, soffice) > reads odt')).toBe('LibreOffice, soffice')
  expect(needOf('needs root, to mount a small disk')).toBe('root, to mount a small disk')
  expect(() => needOf('documents > reads odt')).toThrow('must say "(needs …)"')
})
