import { describe, expect, it } from 'vitest'
import { datesIn, dayStart } from './dates.ts'

const at = (text: string) => new Date(text).getTime()
const now = at('2026-11-20T15:00:00')
const british = datesIn({ language: 'en-GB', hour12: false })
const american = datesIn({ language: 'en-US', hour12: true })

describe('dates', () => {
  it('say how near a moment is, and the year if it is another', () => {
    expect(british.moment(at('2026-11-20T09:05:00'), now)).toBe('today, 09:05')
    expect(british.moment(at('2026-11-19T23:59:00'), now)).toBe('yesterday, 23:59')
    expect(british.moment(at('2026-11-21T02:10:00'), now)).toBe('tomorrow, 02:10')
    expect(british.moment(at('2026-11-16T14:02:00'), now)).toBe('16 Nov, 14:02')
    expect(british.moment(at('2025-11-16T14:02:00'), now)).toBe('16 Nov 2025, 14:02')
    expect(british.heading(at('2026-11-19T00:00:00'), now)).toBe('Yesterday')
    expect(british.heading(at('2026-11-18T00:00:00'), now)).toBe('Wednesday 18 November')
    expect(british.heading(at('2024-02-29T00:00:00'), now)).toBe('Thursday 29 February 2024')
    expect(british.second(at('2026-11-23T10:31:07'))).toBe('10:31:07')
  })

  it('are written in the style asked for', () => {
    expect(american.moment(at('2026-11-16T14:02:00'), now)).toMatch(/^Nov 16, 2:02\sPM$/)
    expect(datesIn({ language: 'de', hour12: false }).longMonth('2026-03')).toBe('März 2026')
    expect(british.shortMonth('2026-09')).toBe('Sep')
    expect(british.longMonth('2026-11')).toBe('November 2026')
  })

  it('are a dash or say so if unknown', () => {
    const { NaN: unknown } = Number
    for (const text of [british.day(unknown), british.time(unknown), british.second(unknown)]) expect(text).toBe('–')
    expect(british.moment(unknown)).toBe('at an unknown time')
    expect(british.heading(unknown)).toBe('Unknown day')
  })

  it('of one style are one object, so that components need not re-render', () => {
    expect(datesIn({ language: 'en-US', hour12: true })).toBe(american)
    expect(datesIn({ language: 'en-US', hour12: false })).not.toBe(american)
  })

  it('are on one day if they have the same start of the day', () => {
    expect(dayStart(at('2026-11-20T23:59:59'))).toBe(dayStart(at('2026-11-20T00:00:00')))
    expect(dayStart(at('2026-11-21T00:00:00'))).not.toBe(dayStart(now))
  })
})
