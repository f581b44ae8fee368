import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { settings, useSettings } from '../../../base/api/settings.ts'
import { readViews, type SavedView } from '../../../base/api/views.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { type ListState, readListState, usualList, writeListState } from '../list/list-state.ts'

/** The saved view named by the URL. */
export type OpenView = {
  /** null: the URL names none */
  id: string | null
  /** null if there is none, it is loading, or it was deleted */
  view: SavedView | null
  isLoading: boolean
  /** the list differs from the stored view */
  isChanged: boolean
  /** opens a stored view; null: all files */
  open: (id: string | null) => void
}

export type ViewsProps = {
  openView: OpenView
  /** the current list, as a view stores it */
  query: string
  /** nonexistent columns named by the view or the URL */
  unknownColumns: readonly string[]
}

/** What the list shows, and how: the URL holds it, as a view, or else `usual`, and the differences from it. */
export function useListState(usual = usualList) {
  const [search, setSearch] = useSearchParams()
  const id = search.get('view')
  const { view, isLoading } = useView(id)
  const query = view?.query ?? ''
  const base = useMemo(() => (query === '' ? usual : readListState(new URLSearchParams(query))), [query, usual])
  const state = useMemo(() => readListState(search, base), [search, base])
  // A second change may come before the router has taken the first.
  const changing = useRef<ListState | null>(null)
  useEffect(() => {
    if (search) changing.current = null
  }, [search])
  function change(changed: Partial<ListState>) {
    changing.current = { ...(changing.current ?? state), ...changed }
    const next = writeListState(changing.current, base)
    if (id !== null) next.set('view', id)
    setSearch(next, { replace: true, preventScrollReset: true })
  }
  const openView: OpenView = {
    id,
    view,
    isLoading,
    isChanged: view !== null && writeListState(state, base).size > 0,
    open: (next) => setSearch(next === null ? {} : { view: next }),
  }
  return { state, change, openView }
}

/** A view of the account; makes no request if none is named. */
function useView(id: string | null): Pick<OpenView, 'view' | 'isLoading'> {
  const session = useSession()
  const enabled = id !== null
  const { isPending } = useQuery({ ...settings.query(session), enabled })
  const stored = useSettings(session, enabled)
  const view = useMemo(() => readViews(stored).find((one) => one.id === id) ?? null, [stored, id])
  return { view, isLoading: enabled && isPending && view === null }
}
