import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { Link, NavLink, useLocation } from 'react-router'
import { account } from '../base/api/account.ts'
import { projects } from '../base/api/projects.ts'
import { useSettings } from '../base/api/settings.ts'
import { readViews } from '../base/api/views.ts'
import { countText } from '../base/ui/sizes.ts'
import { useSession } from '../signed-in/session/session.ts'

type Props = {
  /** classes of a link, by whether it is active */
  linkClass: (isActive: boolean) => string
}

/** The sidebar's sections below its pages, rendered after the page. */
export function SidebarSections({ linkClass }: Props) {
  return (
    <>
      <PinnedViews linkClass={linkClass} />
      <ProjectLinks linkClass={linkClass} />
    </>
  )
}

function PinnedViews({ linkClass }: Props) {
  const session = useSession()
  const views = readViews(useSettings(session)).filter(({ pinned }) => pinned)
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

/** Maximum number listed; the projects page lists all. */
const mostShown = 30

function ProjectLinks({ linkClass }: Props) {
  const session = useSession()
  const offered = useQuery(account.overview(session)).data?.features.projects === true
  const { data } = useQuery({ ...projects.list(session), enabled: offered })
  if (!offered || data === undefined) return null
  return (
    <nav aria-labelledby="projects" className="mt-4 grid min-h-0 grid-cols-1 content-start gap-0.5 overflow-y-auto">
      <div className="flex items-baseline justify-between px-2.5 pb-1 text-xs font-medium text-ink-3">
        <h2 id="projects">Projects</h2>
        <NavLink end to={`/${session.environment}/projects`} className="rounded-sm tabular-nums hover:text-ink">
          All <span className="sr-only">projects: </span>
          {countText(data.length)}
        </NavLink>
      </div>
      {data.slice(0, mostShown).map(({ id, name }) => (
        <NavLink
          key={id}
          to={`/${session.environment}/projects/${encodeURIComponent(id)}`}
          className={({ isActive }) => linkClass(isActive)}
        >
          <bdi className="truncate" title={name}>
            {name}
          </bdi>
        </NavLink>
      ))}
    </nav>
  )
}
