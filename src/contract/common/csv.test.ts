import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvNumber, csvText, withSemicolons } from './csv.ts'

/** Parses a cell per RFC 4180; null if it is not one whole cell. */
function readCell(cell: string): string | null {
  if (/^[^",;\r\n]*$/.test(cell)) return cell
  return /^"(?:[^"]|"")*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : null
}

describe('a cell of text', () => {
  it.each(['=1+1', '+1', '-3.20', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '\u00a0=1', '＝1', '＋1', '－1', '＠a'])(
    '%j is no formula',
    (text) => {
      expect(csvText(text)).toBe(`"'${text}"`)
    },
  )

  it.each(['Talk', '', '1', 'a=b', "'quoted'", 'Zoë – 5 €', '(=1)'])('%j stays as it is', (text) => {
    expect(csvText(text)).toBe(`"${text}"`)
  })

  it('round-trips any content', async () => {
    const awkward = fc.constantFrom('"', ',', ';', '\r\n', '=', "'", '\t')
    const texts = fc.array(fc.oneof(awkward, fc.string({ unit: 'grapheme' }))).map((parts) => parts.join(''))
    await fc.assert(
      fc.property(texts, (text) => {
        expect([text, `'${text}`]).toContain(readCell(csvText(text)))
      }),
    )
  })
})

it('with semicolons has decimal commas, and texts as they were', () => {
  const row = `${csvText('a, "b"; 1.5')},${csvNumber('-3.20')},,2026-11-26\r\n`
  expect(withSemicolons(row)).toBe('"a, ""b""; 1.5";-3,20;;2026-11-26\r\n')
})

describe('a cell of numbers', () => {
  it.each([
    [-3.2, '-3.2'],
    ['-3.20', '-3.20'],
    ['12.50', '12.50'],
    [0, '0'],
    ['', ''],
    [Number.NaN, ''],
  ])('%j is the number %j', (value, cell) => {
    expect(csvNumber(value)).toBe(cell)
  })

  it.each(['=1+1', '-3.2+1', '+1', '1,5', '-', '1e5', '=', '\t1'])('%j of another service is text', (value) => {
    expect(csvNumber(value)).toBe(csvText(value))
  })
})
