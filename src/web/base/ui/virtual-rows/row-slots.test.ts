import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentOrder, RowSlots } from './row-slots.ts'

describe('RowSlots', () => {
  it('keeps the slot of a row that stays, shares none, and makes no more than are shown', () => {
    const windows = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(windows, (scrolled) => {
        const slots = new RowSlots()
        let before = new Map<string, number>()
        let most = 0
        for (const [first, length] of scrolled) {
          const keys = Array.from({ length }, (_, index) => `row ${first + index}`)
          most = Math.max(most, length)
          const given = new Map(slots.assign(keys))
          expect(new Set(given.values()).size).toBe(length)
          for (const key of keys) if (before.has(key)) expect(given.get(key)).toBe(before.get(key))
          expect(Math.max(...given.values())).toBeLessThan(most)
          before = given
        }
      }),
    )
  })

  it('reassigns all slots in order if all rows change at once', () => {
    const slots = new RowSlots()
    const named = (name: string) => ['a', 'b', 'c'].map((one) => `${name} ${one}`)
    const before = [...slots.assign(named('old')).values()]
    expect([...slots.assign(named('new')).values()]).toEqual(before)
  })
})

describe('DocumentOrder', () => {
  it('moves no remaining row while the list scrolls, and restores reading order once it rests', () => {
    const order = new DocumentOrder<number>()
    expect(order.arrange([1, 2, 3, 4], true)).toEqual([1, 2, 3, 4])
    expect(order.arrange([3, 4, 5, 1], false)).toEqual([1, 3, 4, 5])
    expect(order.arrange([4, 5, 1], false)).toEqual([1, 4, 5])
    expect(order.arrange([4, 5, 1], true)).toEqual([4, 5, 1])
  })
})
