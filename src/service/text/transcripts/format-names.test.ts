import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exportFormats } from '../../../formats/format-table.ts'

const root = join(import.meta.dirname, '../../../..')
/** The two tables of formats. */
const tables = ['src/formats/format-table.ts', 'src/contract/interface/transcript-formats.ts']

const name = `'(?:${exportFormats.join('|')})'`
/** A comparison with a format's name, or a list of several. */
const memberTest = new RegExp(`[!=]==? ${name}|${name} [!=]==? |\\bcase ${name}:|${name},\\s*${name}(?=[\\],])`, 'g')

it.each([
  ["format !== 'csv' && format !== 'json'", 2],
  ["['docx', 'doc'].includes(format)", 1],
  ["new Set(['pdf', 'odt'])", 1],
  ["case 'srt':", 1],
  ["type Size = 'md' | 'sm'; buttonClass('primary', 'md', 'phone:hidden')", 0],
])('%s tests membership %i times', (code, times) => {
  expect(code.match(memberTest) ?? []).toHaveLength(times)
})

it('product code outside the tables does not check formats by name: their differences are fields of the table', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  const product = files.filter((path) => !/\.test\.tsx?$|\/testing\//.test(path) && !tables.includes(path))
  expect(product.length).toBeGreaterThan(500)
  const found = product.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(memberTest)].map(([code]) => `${path}: ${code}`),
  )
  expect(found).toEqual([])
})
