import { expect, it } from 'vitest'
import { closingLines, describeFailure, findNeed, newCounts } from './closing-lines.ts'

it('end with the counts, after what was left out for each need', () => {
  const leftOut = ['root', 'LibreOffice, soffice', 'LibreOffice, soffice']
  const failures = [describeFailure('orders > refund', '\u001b[31mexpected 1\u001b[39m\nreceived 2')]
  const run = { passed: 12, skipped: 3, failures, leftOut, secondTry: ['orders > crash'] }
  expect(closingLines(run)).toEqual([
    'failed: orders > refund: expected 1',
    'failed once, passed on its second try: orders > crash',
    'left out: 1 test that needs root; 2 tests that need LibreOffice, soffice',
    '12 passed, 1 failed, 3 skipped',
  ])
  expect(closingLines({ ...newCounts(), passed: 12 })).toEqual(['12 passed, 0 failed, 0 skipped'])
})

it('take the need from the name of a test or the reason it gives, and accept no test without one', () => {
  expect(findNeed('documents > LibreOffice (needs LibreOffice, soffice) > reads odt')).toBe('LibreOffice, soffice')
  expect(findNeed('needs root, to mount a small disk')).toBe('root, to mount a small disk')
  expect(() => findNeed('documents > reads odt')).toThrow('must say "(needs …)"')
})
