import { useQuery } from '@tanstack/react-query'
import { NavLink } from 'react-router'
import { account } from '../base/api/account.ts'
import { projects } from '../base/api/projects.ts'
import { countText } from '../base/ui/sizes.ts'
import { useSession } from '../signed-in/session/session.ts'

/** So many are listed; all of them have a page. */
const mostShown = 30

/** In the sidebar: the account's projects. @param linkClass classes of a link, for the open one and the others */
export function ProjectLinks({ linkClass }: { linkClass: (isActive: boolean) => string }) {
  const session = useSession()
  const offered = useQuery(account.overview(session)).data?.features.projects === true
  const { data = [] } = useQuery({ ...projects.list(session), enabled: offered })
  if (data.length === 0) return null
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
