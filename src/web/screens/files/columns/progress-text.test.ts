import { expect, test } from 'vitest'
import { looseMetadata, toFileRecord } from '../../../base/api/metadata-reader.ts'
import { datesIn } from '../../../base/ui/dates.ts'
import { isDelayed, progressNote } from './progress-text.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const dates = datesIn({ language: 'en-GB', hour12: false })
const minute = 60_000
const at = (ms: number) => new Date(ms).toISOString()

test('time left is estimated from progress that was seen, not from how long an order waited in the queue', () => {
  const metadata = looseMetadata({
    created: at(now - 30 * minute),
    delivery: at(now + 60 * minute),
    progress_percent: 42,
    options: { transcript_type: 'automated' },
  })
  const record = toFileRecord({ id: 'a', metadata }, null)
  const row = { id: 'a', record, problem: null, pace: null, movedAt: 0, readySeenAt: null }
  expect(progressNote(row, record, now, dates).text).toMatch(/^due /)
  const dayMs = 24 * 60 * minute
  const expiring = { ...record, dueAt: now + 3 * dayMs, expiresAt: now + dayMs }
  expect(progressNote(row, expiring, now, dates).text).toBe('removed before it is due')
  const moving = { ...row, pace: 29 / minute, movedAt: now }
  expect(progressNote(moving, record, now, dates).text).toBe('about 2 min left')
})

test('an order that was given up and refunded is not delayed, whatever its date and reason', () => {
  const metadata = looseMetadata({
    created: at(now - 60 * minute),
    delivery: at(now - 30 * minute),
    delay_reason: 'Nobody could understand the recording. USD 11.26 is refunded.',
    progress_percent: 76,
    options: {},
  })
  const record = toFileRecord({ id: 'a', metadata }, null)
  expect(isDelayed(record, now)).toBe(true)
  expect(isDelayed({ ...record, metadata: { ...metadata, refund_amount: '11.26' } }, now)).toBe(false)
})
