import { Bookmark } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { useSettings } from '../base/api/use-settings.ts'
import { viewsOf } from '../base/api/views.ts'
import { useSession } from '../signed-in/session/session.ts'

/** In the sidebar: the saved views that are pinned. @param linkClass classes of a link, for the open one and the others */
export function PinnedViews({ linkClass }: { linkClass: (isActive: boolean) => string }) {
  const session = useSession()
  const views = viewsOf(useSettings(session)).filter(({ pinned }) => pinned)
  const { pathname, search } = useLocation()
  const path = `/${session.environment}/files`
  const open = pathname === path ? new URLSearchParams(search).get('view') : null
  if (views.length === 0) return null
  return (
    <nav aria-label="Views" className="mt-4 grid min-h-0 grid-cols-[minmax(0,1fr)] gap-0.5 overflow-y-auto">
      {views.map(({ id, name }) => (
        <Link
          key={id}
          to={`${path}?view=${encodeURIComponent(id)}`}
          aria-current={id === open ? 'page' : undefined}
          className={linkClass(id === open)}
        >
          <Bookmark aria-hidden className="size-4 shrink-0" strokeWidth={1.8} />
          <bdi className="truncate" title={name}>
            {name}
          </bdi>
        </Link>
      ))}
    </nav>
  )
}
