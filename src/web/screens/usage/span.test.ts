import { describe, expect, it } from 'vitest'
import { readPeriod, readSpan } from './span.ts'

const now = Date.parse('2026-11-21T14:00:00Z')
const at = (query: string) => new URLSearchParams(query)

describe('the time span of a usage URL', () => {
  it('begins at the first of a month, UTC', () => {
    expect(readSpan(at(''), now)).toEqual({ from: '2025-12-01T00:00:00.000Z', to: null })
    expect(readSpan(at('period=month'), now)).toEqual({ from: '2026-11-01T00:00:00.000Z', to: null })
    expect(readSpan(at('period=3-months'), Date.parse('2026-01-31T23:59:00Z'))).toEqual({
      from: '2025-11-01T00:00:00.000Z',
      to: null,
    })
    expect(readSpan(at('period=all'), now)).toEqual({ from: null, to: null })
  })

  it('accepts custom days, the last one inclusive', () => {
    expect(readSpan(at('from=2026-02-01&to=2026-02-28'), now)).toEqual({
      from: '2026-02-01T00:00:00.000Z',
      to: '2026-03-01T00:00:00.000Z',
    })
  })

  it('leaves an invalid date open', () => {
    expect(readSpan(at('from=soon&to=2026-13-45'), now)).toEqual({ from: null, to: null })
    expect(readPeriod(at('period=century'))).toBe('12-months')
  })
})
