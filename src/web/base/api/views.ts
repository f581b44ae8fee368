import { oneLine } from '../../../contract/account/labels.ts'
import type { AccountSettings } from '../../../contract/account/settings.ts'
import { isJsonObject, type JsonObject } from '../../../contract/common/merge-patch.ts'

/** The list of files as somebody wants to see it again, stored with the account's settings by its id. */
export type SavedView = {
  id: string
  name: string
  /** what the address of the list has for it, without `?` */
  query: string
  /** stands in the sidebar */
  pinned: boolean
  /** its place among the views, ascending */
  at: number
}

export const maxViewName = 60

/** A name of one line, not too long; '' if nothing is left of it. */
export function viewName(name: string): string {
  return oneLine(name).slice(0, maxViewName).trim()
}

/** The views in the settings, in their order; what cannot be read is left out. */
export function viewsOf({ views }: AccountSettings): SavedView[] {
  const read = Object.entries(isJsonObject(views) ? views : {}).flatMap(([id, stored]) => {
    if (!isJsonObject(stored) || typeof stored.query !== 'string') return []
    const { name, query, pinned, at } = stored
    const readable = (typeof name === 'string' && viewName(name)) || 'Unnamed view'
    return [{ id, name: readable, query, pinned: pinned === true, at: typeof at === 'number' ? at : 0 }]
  })
  return read.sort((one, two) => one.at - two.at || one.name.localeCompare(two.name))
}

/** The patch that changes some views by their ids, and removes those that are null. Others' changes are not lost. */
export function viewsPatch(changes: Record<string, Partial<Omit<SavedView, 'id'>> | null>): JsonObject {
  return { views: changes }
}

/** The patch that moves a view by one place; null if it stands at that end. */
export function movedPatch(views: readonly SavedView[], id: string, by: -1 | 1): JsonObject | null {
  const from = views.findIndex((view) => view.id === id)
  const view = views[from]
  if (view === undefined || views[from + by] === undefined) return null
  const moved = views.toSpliced(from, 1).toSpliced(from + by, 0, view)
  const changed = moved.flatMap((one, at) => (one.at === at ? [] : [[one.id, { at }] as const]))
  return viewsPatch(Object.fromEntries(changed))
}
