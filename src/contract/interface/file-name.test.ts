import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeFileName } from './file-name.ts'

it.each([
  ['Talk.txt', 'Talk.txt'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ann\\Talk.pdf', 'Talk.pdf'],
  ['\u202efdp.exe\u202c.txt', 'fdp.exe.txt'],
  ['a\0b\r\nc.txt', 'abc.txt'],
  ['What? "Yes": <no>|*.srt', 'What_ _Yes__ _no___.srt'],
  ['  two   blanks .txt ', 'two   blanks .txt'],
  ['a\u00a0.', 'a'],
  ['..hidden..', 'hidden'],
  ['...', 'transcript'],
  ['CON.txt', '_CON.txt'],
  ['nul', '_nul'],
  ['com1 .tar.gz', '_com1 .tar.gz'],
  ['LPT².md', '_LPT².md'],
  ['Console.txt', 'Console.txt'],
  ['', 'transcript'],
  ['مقابلة 👩‍👩‍👧.odt', 'مقابلة 👩‍👩‍👧.odt'],
])('%j is saved as %j', (given, saved) => {
  expect(safeFileName(given)).toBe(saved)
})

it('keeps the extension of a long name', () => {
  expect(safeFileName(`${'é'.repeat(4_000)}.json`)).toBe(`${'é'.repeat(195)}.json`)
})

it('is valid on any file system for any input, and idempotent', async () => {
  const awkward = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '\0',
    '\r\n',
    '\u202e',
    '\u2066',
    ' ',
    '.txt',
    '\ud83d',
    ':',
    'con',
    '👍🏽',
  )
  const names = fc.array(fc.oneof(awkward, fc.string({ unit: 'binary' })), { maxLength: 60 })
  await fc.assert(
    fc.property(names, (parts) => {
      const saved = safeFileName(parts.join(''))
      expect(saved).toMatch(/^.{1,200}$/su)
      expect(saved).not.toMatch(/[<>:"/\\|?*\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
      expect(saved).not.toMatch(/^[. ]|[. ]$/)
      expect(saved).not.toMatch(/^(con|nul|aux|prn)(\.|$)/i)
      expect(saved.isWellFormed()).toBe(true)
      expect(safeFileName(saved)).toBe(saved)
    }),
    { numRuns: 500 },
  )
})
