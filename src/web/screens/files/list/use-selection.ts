import { useMemo, useState } from 'react'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'

export type Selection = {
  /** selected files among the rows shown */
  ids: ReadonlySet<string>
  rows: FileRow[]
  /** selects or deselects; `range`: selects everything from the last toggled one to this one */
  toggle: (id: string, range: boolean) => void
  all: (on: boolean) => void
  clear: () => void
}

/** The selected files. Only visible rows count: actions never apply to filtered-out files. */
export function useSelection(rows: readonly FileRow[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string | null>(null)
  const shown = useMemo(() => rows.filter(({ id }) => chosen.has(id)), [rows, chosen])
  const ids = useMemo(() => new Set(shown.map(({ id }) => id)), [shown])

  function toggle(id: string, range: boolean) {
    const from = range ? rows.findIndex((row) => row.id === anchor) : -1
    const to = rows.findIndex((row) => row.id === id)
    if (from >= 0 && to >= 0) {
      const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
      setChosen(new Set([...ids, ...between.map((row) => row.id)]))
      return
    }
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
    setAnchor(id)
  }

  return {
    ids,
    rows: shown,
    toggle,
    all: (on) => setChosen(on ? new Set(rows.map(({ id }) => id)) : new Set()),
    clear: () => setChosen(new Set()),
  }
}
