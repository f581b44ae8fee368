import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { displayName } from './file-name.ts'

it.each([
  ['Interview.mp3', 'Interview'],
  ['Interview v1.2.MP3', 'Interview v1.2'],
  ['archive.tar.flac', 'archive.tar'],
  ['no extension', 'no extension'],
  ['Talk with Dr. Smith', 'Talk with Dr. Smith'],
  ['notes.dat', 'notes'],
  ['2026.11.21', '2026.11.21'],
  ['../../etc/passwd.wav', 'passwd'],
  ['C:\\Users\\ann\\Talk.m4a', 'Talk'],
  ['..', 'Untitled'],
  ['.mp3', 'Untitled'],
  ['', 'Untitled'],
  ['/', 'Untitled'],
  ['a\0b\r\nSet-Cookie: x.wav', 'abSet-Cookie: x'],
  ['\u202egpj.exe\u202c.mp3', 'gpj.exe'],
  ['  two   blanks .ogg ', 'two   blanks'],
  ['Gespräch 👩‍👩‍👧.wav', 'Gespräch 👩‍👩‍👧'],
  ['مقابلة.wav', 'مقابلة'],
  ['\ud800.wav', '\ufffd'],
])('%j is shown as %j', (given, shown) => {
  expect(displayName(given)).toBe(shown)
})

it('truncates 4 KB of any characters without splitting one', () => {
  expect(displayName(`${'é'.repeat(4_000)}.mp3`)).toBe('é'.repeat(255))
  expect(displayName(`${'👩‍👩‍👧'.repeat(1_000)}.mp3`)).toBe('👩‍👩‍👧'.repeat(31))
  expect(displayName('a\u0301\u0302'.padEnd(3_000, '\u0303')).length).toBe(255)
})

it('is never empty, long, a path, or has control or bidi characters, and is idempotent', async () => {
  const awkward = fc.constantFrom('/', '\\', '.', '..', '\0', '\r\n', '\u202e', '\u2066', ' ', '.mp3', '\ud83d', '👍🏽')
  const names = fc
    .array(fc.oneof(awkward, fc.string({ unit: 'binary' })), { maxLength: 60 })
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.property(names, (given) => {
      const shown = displayName(given)
      expect(shown.length).toBeGreaterThan(0)
      expect(shown.length).toBeLessThanOrEqual(255)
      expect(shown).not.toMatch(/[/\\\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
      expect(shown.isWellFormed()).toBe(true)
      expect(shown.trim()).toBe(shown)
    }),
    { numRuns: 500 },
  )
})
