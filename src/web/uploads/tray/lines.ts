import type { Line } from './line.ts'

type Listener = () => void
type Change = Partial<Line> | ((line: Line) => Partial<Line>)

/** All lines of all accounts in this tab, from tray to order. A plain store: it lives while pages come and go. */
export type Lines = {
  /** every line, in the order of the tray; the same array until something changes */
  all: () => readonly Line[]
  get: (id: string) => Line | null
  add: (lines: readonly Line[]) => void
  change: (ids: readonly string[], change: Change) => void
  remove: (ids: readonly string[]) => void
  /** puts a line before another, or last where `beforeId` is null */
  move: (id: string, beforeId: string | null) => void
  subscribe: (listener: Listener) => () => void
}

export function createLines(): Lines {
  let lines: readonly Line[] = []
  let index = new Map<string, Line>()
  const listeners = new Set<Listener>()

  function set(next: readonly Line[]): void {
    lines = next
    index = new Map(next.map((line) => [line.id, line]))
    for (const listener of listeners) listener()
  }

  return {
    all: () => lines,
    get: (id) => index.get(id) ?? null,
    add: (added) => {
      const fresh = added.filter(({ id }) => !index.has(id))
      if (fresh.length > 0) set([...lines, ...fresh])
    },
    change: (ids, change) => {
      const changed = new Set(ids)
      if (!ids.some((id) => index.has(id))) return
      set(
        lines.map((line) => {
          if (!changed.has(line.id)) return line
          return { ...line, ...(typeof change === 'function' ? change(line) : change) }
        }),
      )
    },
    remove: (ids) => {
      const gone = new Set(ids)
      if (lines.some(({ id }) => gone.has(id))) set(lines.filter(({ id }) => !gone.has(id)))
    },
    move: (id, beforeId) => {
      const moved = index.get(id)
      if (moved === undefined || id === beforeId) return
      const rest = lines.filter((line) => line !== moved)
      const at = beforeId === null ? rest.length : rest.findIndex((line) => line.id === beforeId)
      if (at >= 0) set(rest.toSpliced(at, 0, moved))
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
