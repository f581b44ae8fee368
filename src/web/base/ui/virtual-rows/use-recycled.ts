import { useState } from 'react'
import { DocumentOrder, RowSlots } from './row-slots.ts'

/** `hasOwnElement`: no other row has the same elements, so its own is not recycled. */
export type Recyclable = { readonly id: string; readonly hasOwnElement?: boolean }

/**
 * Rows in document order, with keys by which scrolling updates their elements instead of making new ones.
 * @param rows in reading order
 */
export function useRecycled<Row extends Recyclable>(
  rows: readonly Row[],
  inReadingOrder: boolean,
): (Row & { key: string | number })[] {
  const [slots] = useState(() => new RowSlots())
  const [order] = useState(() => new DocumentOrder<string | number>())
  const slotOf = slots.assign(rows.flatMap(({ id, hasOwnElement }) => (hasOwnElement ? [] : [id])))
  const byKey = new Map(rows.map((row) => [slotOf.get(row.id) ?? row.id, row]))
  return order.arrange([...byKey.keys()], inReadingOrder).map((key) => ({ key, ...(byKey.get(key) as Row) }))
}
