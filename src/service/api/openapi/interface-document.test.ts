import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readChoices, readSections, readTables } from './testing/interface-document.ts'

const ours = readSections(readFileSync(join(import.meta.dirname, '../../../../docs/interface.md'), 'utf8'))
const originalPath = join(process.env.PARLEY_SHARED ?? '../shared', 'spec/service-api.md')
const original = existsSync(originalPath) ? readSections(readFileSync(originalPath, 'utf8')) : null

/** Columns of each section's table that are normative; the others are explanations in our own words. */
const exactColumns: Readonly<Record<string, readonly number[]>> = {
  '2.1': [0],
  '2.2': [0, 1],
  '2.3': [0, 1, 2],
  '2.4': [0, 1],
  '3': [0, 1],
  '6': [0],
  '7': [0, 1, 2],
  '8': [0, 2],
}

/** Extracts names in backticks, statuses, sizes and times: the normative values of a sentence, however worded. */
function valuesOf(text: string): string[] {
  return [...text.matchAll(/`[^`]+`|\b\d[\d.]*\b/g)].map(([value]) => value.replace(/\.$/, ''))
}

function countRules(text: string): number {
  return text.match(/^ *\d+\. /gm)?.length ?? 0
}

/** True if a cell must match word for word: free text is described, not listed. */
function isExact(row: readonly string[], section: string, column: number): boolean {
  if (!(exactColumns[section]?.includes(column) ?? false)) return false
  return !(section === '2.3' && column === 1 && row[2] === 'none' && row[0] !== 'custom_formatting')
}

describe.skipIf(original === null)('docs/interface.md against the original (needs the original, PARLEY_SHARED)', () => {
  const numbers = [...(original ?? new Map()).keys()]

  it('has its sections, no more and no fewer', () => {
    expect([...ours.keys()]).toEqual(numbers)
  })

  it.each(numbers)('%s has its rules and its tables, value by value', (number) => {
    const theirs = original?.get(number)?.text ?? ''
    const text = ours.get(number)?.text ?? ''
    expect(countRules(text)).toBe(countRules(theirs))
    const tables = readTables(text)
    const wanted = readTables(theirs)
    expect(tables.map((rows) => rows.length)).toEqual(wanted.map((rows) => rows.length))
    for (const [at, rows] of wanted.entries()) {
      for (const [line, row] of rows.entries()) {
        const told = tables[at]?.[line] ?? []
        for (const [column, cell] of row.entries()) {
          if (isExact(row, number, column)) expect(told[column], `${row[0]}`).toBe(cell)
          else
            expect(told[column], `${row[0]}`).toSatisfy((words: string) =>
              valuesOf(cell).every((value) => valuesOf(words).includes(value)),
            )
        }
      }
    }
  })

  it.each(numbers)('%s names every value of the original', (number) => {
    const told = valuesOf(ours.get(number)?.text ?? '')
    for (const value of valuesOf(original?.get(number)?.text ?? '')) expect(told, value).toContain(value)
  })

  it('lists the same formats', () => {
    for (const [number, name] of [
      ['4.2', 'format'],
      ['4.4', '`<ext>`'],
    ] as const) {
      const wanted = readChoices(original?.get(number)?.text ?? '', name)
      expect(wanted.length).toBeGreaterThan(6)
      expect(readChoices(ours.get(number)?.text ?? '', name)).toEqual(wanted)
    }
  })
})
