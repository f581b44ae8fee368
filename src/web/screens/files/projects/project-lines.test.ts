import { expect, it } from 'vitest'
import type { Project } from '../../../../contract/account/projects.ts'
import { toFileRecord } from '../../../base/api/metadata-reader.ts'
import { wholeEntry } from '../../../signed-in/library/testing/whole-entry.ts'
import { projectLines, projectOrders } from './project-lines.ts'

const project = (id: string, name: string): Project => ({
  ...{ id, name, created: '2026-11-01T00:00:00Z', budget_cents: null, spent_cents: 0, options: null, preset: null },
})

function file(of: string, percent: number, refund = '0.00', seconds = '3600') {
  const metadata = { ...wholeEntry.metadata, created: '2026-11-20T10:00:00Z', seconds, refund_amount: refund }
  const ready = percent === 100 ? '2026-11-20T12:00:00Z' : null
  return toFileRecord({ ...wholeEntry, ready, project: of, metadata: { ...metadata, progress_percent: percent } }, null)
}

it('sums what each project has ready, waits for and holds, and when it last changed', () => {
  const files = [file('a', 100), file('a', 40), file('a', 0, '4.20'), file('b', 20, '0.00', ''), file('', 100)]
  const lines = projectLines(
    [project('a', 'Ten'), project('b', 'Two'), project('c', 'Empty')],
    [...files, file('x', 1)],
  )
  expect(lines.map(({ project: { id }, ...sums }) => [id, sums])).toEqual([
    ['a', { files: 3, ready: 1, running: 1, seconds: 10_800, changedAt: Date.parse('2026-11-20T12:00:00Z') }],
    ['b', { files: 1, ready: 0, running: 1, seconds: 0, changedAt: Date.parse('2026-11-20T10:00:00Z') }],
    ['c', { files: 0, ready: 0, running: 0, seconds: 0, changedAt: Date.parse('2026-11-01T00:00:00Z') }],
  ])
  expect(lines.toSorted(projectOrders.changed.compare).map((line) => line.project.id)).toEqual(['c', 'b', 'a'])
})

it('sorts names as people do', () => {
  const lines = projectLines(
    ['Wave 10', 'wave 9', 'Älter'].map((name) => project(name, name)),
    [],
  )
  expect(lines.sort(projectOrders.name.compare).map((line) => line.project.name)).toEqual([
    'Älter',
    'wave 9',
    'Wave 10',
  ])
})
