import { expect, test } from 'vitest'
import { shortcutKey } from './shortcut-key.ts'

test.each([
  ['z', 'KeyZ', false, 'z'],
  ['Z', 'KeyZ', true, 'Z'],
  ['N', 'KeyN', false, 'n'],
  ['n', 'KeyN', true, 'N'],
  ['я', 'KeyZ', false, 'z'],
  ['Я', 'KeyZ', true, 'Z'],
  ['κ', 'KeyK', false, 'k'],
  // By its letter where the layout has Latin ones: German and French keyboards.
  ['z', 'KeyY', false, 'z'],
  ['a', 'KeyQ', false, 'a'],
  ['ö', 'Semicolon', false, 'ö'],
  ['ж', 'Semicolon', false, 'ж'],
  ['/', 'Slash', false, '/'],
  ['Enter', 'Enter', true, 'Enter'],
])('%s at %s, Shift %s, is %s', (key, code, shiftKey, expected) => {
  expect(shortcutKey({ key, code, shiftKey })).toBe(expected)
})
