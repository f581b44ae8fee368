import { expect, it } from 'vitest'
import { noLabels } from '../../../../contract/account/labels.ts'
import { toFileRecord } from '../../../base/api/metadata-reader.ts'
import { datesIn } from '../../../base/ui/dates.ts'
import { wholeEntry } from '../../../signed-in/library/testing/whole-entry.ts'
import { projectSums } from './project-sums.ts'

const now = Date.parse('2026-11-23T12:00:00')
const dates = datesIn({ language: 'en-GB', hour12: false })

/** A file of one hour. */
function file(percent: number, refund = '0.00', delivery = '2026-11-23T16:40:00') {
  const metadata = { ...wholeEntry.metadata, seconds: '3600', delivery, refund_amount: refund }
  return toFileRecord({ ...wholeEntry, metadata: { ...metadata, progress_percent: percent } }, null)
}

const archived = { ...file(100), labels: { ...noLabels, archived: true } }

it.each([
  [[], 'No files yet'],
  [[file(100), file(100)], '2 files, all ready · 2 h of recordings'],
  [[file(100), file(40)], '1 of 2 ready, all by about today, 16:40 · 2 h of recordings'],
  [[file(100), file(40, '0.00', '2026-11-23T11:00:00')], '1 of 2 ready · 2 h of recordings'],
  [[file(100), archived], '1 file, all ready · 1 h of recordings · 1 archived'],
  [[archived, archived], '2 archived'],
  [[file(100), file(0, '4.20')], '1 of 2 ready · 1 given up · 2 h of recordings'],
])('says of a project what is ready, what is awaited and what never comes', (records, words) => {
  expect(projectSums(records, dates, now)).toBe(words)
})
