import { oneLine } from '../../../contract/account/labels.ts'
import type { AccountSettings } from '../../../contract/account/settings.ts'
import { isJsonObject, type JsonObject } from '../../../contract/common/merge-patch.ts'

/** A saved state of the list of files, stored with the account's settings by its id. */
export type SavedView = {
  id: string
  name: string
  /** the list's query string, without `?` */
  query: string
  /** shown in the sidebar */
  pinned: boolean
  /** its position among the views, ascending */
  at: number
}

export const maxViewName = 60

/** Normalizes a name to one line of limited length; '' if nothing remains. */
export function viewName(name: string): string {
  return oneLine(name).slice(0, maxViewName).trim()
}

/** The views in the settings, in order; unreadable ones are skipped. */
export function readViews({ views }: AccountSettings): SavedView[] {
  const read = Object.entries(isJsonObject(views) ? views : {}).flatMap(([id, stored]) => {
    if (!isJsonObject(stored) || typeof stored.query !== 'string') return []
    const { name, query, pinned, at } = stored
    const readable = (typeof name === 'string' && viewName(name)) || 'Unnamed view'
    return [{ id, name: readable, query, pinned: pinned === true, at: typeof at === 'number' ? at : 0 }]
  })
  return read.sort((one, two) => one.at - two.at || one.name.localeCompare(two.name))
}

/** The patch that changes views by id, and removes those that are null. Concurrent changes by others are kept. */
export function viewsPatch(changes: Record<string, Partial<Omit<SavedView, 'id'>> | null>): JsonObject {
  return { views: changes }
}

/** The patch that moves a view by one position; null if it is already at that end. */
export function movedPatch(views: readonly SavedView[], id: string, by: -1 | 1): JsonObject | null {
  const from = views.findIndex((view) => view.id === id)
  const view = views[from]
  if (view === undefined || views[from + by] === undefined) return null
  const moved = views.toSpliced(from, 1).toSpliced(from + by, 0, view)
  const changed = moved.flatMap((one, at) => (one.at === at ? [] : [[one.id, { at }] as const]))
  return viewsPatch(Object.fromEntries(changed))
}
