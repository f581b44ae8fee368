import { useQuery } from '@tanstack/react-query'
import { NavLink, Outlet } from 'react-router'
import { account } from '../../base/api/account.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { offeredSections } from './sections.ts'

/** Around each page of the settings (`/:environment/settings/…`): the list of all of them. */
export function Component() {
  return (
    <div className="grid grid-cols-[13rem_minmax(0,1fr)] items-start max-xl:grid-cols-1">
      <Contents />
      <Outlet />
    </div>
  )
}

/** Links to the pages, beside them or, in narrow windows, above. */
function Contents() {
  const session = useSession()
  const { data: overview } = useQuery(account.overview(session))
  return (
    <nav aria-label="Settings" className="sticky top-0 px-6 pt-7 max-xl:static phone:px-3 print:hidden">
      <ul className="flex flex-wrap gap-0.5 xl:grid">
        {offeredSections(overview).map(
          ({ page, id, title }) =>
            id === undefined && (
              <li key={page}>
                <NavLink
                  to={`/${session.environment}/settings/${page}`}
                  className={({ isActive }) =>
                    `block rounded-md px-2.5 py-1.5 ${isActive ? 'bg-sunken font-medium text-ink forced-chosen' : 'text-ink-2 hover:bg-sunken hover:text-ink'}`
                  }
                >
                  {title}
                </NavLink>
              </li>
            ),
        )}
      </ul>
    </nav>
  )
}
