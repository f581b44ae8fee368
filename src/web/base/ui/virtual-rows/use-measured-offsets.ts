import { type RefCallback, useMemo, useState } from 'react'
import { Signal, useSignal } from '../../state/signal.ts'
import { RowOffsets } from './row-offsets.ts'

/** Measures rendered rows; remembers those of nonstandard height. */
class MeasuredHeights {
  readonly odd = new Signal<ReadonlyMap<string, number>>(new Map())
  readonly #rowHeight: number
  readonly #observer = new ResizeObserver((entries) => this.#measure(entries))

  constructor(rowHeight: number) {
    this.#rowHeight = rowHeight
  }

  /** The `ref` of a row, which names its key in `data-key`. */
  readonly ref: RefCallback<HTMLElement> = (row) => {
    if (row === null) return
    this.#observer.observe(row)
    return () => this.#observer.unobserve(row)
  }

  #measure(entries: readonly ResizeObserverEntry[]): void {
    const next = new Map(this.odd.get())
    let isChanged = false
    for (const { target, borderBoxSize } of entries) {
      const key = (target as HTMLElement).dataset.key ?? ''
      const height = Math.round(borderBoxSize[0]?.blockSize ?? this.#rowHeight)
      // A row that has just left the document has no height.
      if (height === 0 || height === (next.get(key) ?? this.#rowHeight)) continue
      if (height === this.#rowHeight) next.delete(key)
      else next.set(key, height)
      isChanged = true
    }
    if (isChanged) this.odd.set(next)
  }
}

/**
 * Offsets of list rows whose heights depend on their text: measured once rendered, and until then assumed to be
 * standard.
 * @param keys of all rows, in order; the same array until they change
 * @param rowHeight the standard height in pixels, fixed at first render
 */
export function useMeasuredOffsets(
  keys: readonly string[],
  rowHeight: number,
): { offsets: RowOffsets; measureRef: RefCallback<HTMLElement> } {
  const [heights] = useState(() => new MeasuredHeights(rowHeight))
  const odd = useSignal(heights.odd)
  const offsets = useMemo(() => {
    const rows = keys.flatMap((key, index) => {
      const height = odd.get(key)
      return height === undefined ? [] : [{ index, height }]
    })
    return new RowOffsets(keys.length, rowHeight, rows)
  }, [keys, odd, rowHeight])
  return { offsets, measureRef: heights.ref }
}
