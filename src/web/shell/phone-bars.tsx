import { useQuery } from '@tanstack/react-query'
import { ChevronDown, LogOut } from 'lucide-react'
import { Link, NavLink, useNavigate } from 'react-router'
import type { Environment } from '../../contract/interface/environment.ts'
import { account } from '../base/api/account.ts'
import { Logo } from '../base/ui/logo.tsx'
import { Menu, MenuItem, MenuSeparator } from '../base/ui/menu.tsx'
import { pillClass } from '../base/ui/pill.tsx'
import { environmentName, otherEnvironment } from '../signed-in/session/offers.ts'
import { useSession } from '../signed-in/session/session.ts'
import { useNavItems } from './nav-items.ts'

type Props = { environment: Environment; onSignOut: () => void }

/** The app's top bar on a phone: the name, and an environment menu with sign out. */
export function PhoneTopBar({ environment, onSignOut }: Props) {
  const navigate = useNavigate()
  const other = otherEnvironment(environment)
  const hasProjects = useQuery(account.overview(useSession())).data?.features.projects === true
  return (
    <div className="flex h-12 items-center justify-between border-b border-line px-4 print:hidden">
      <Link to={`/${environment}/files`} className="flex min-h-8 items-center gap-2 font-semibold">
        <Logo className="size-5" /> Parley
      </Link>
      {hasProjects && (
        <NavLink
          to={`/${environment}/projects`}
          className={({ isActive }) =>
            `ml-auto px-3 py-2 text-sm ${isActive ? 'font-medium text-accent' : 'text-ink-2'}`
          }
        >
          Projects
        </NavLink>
      )}
      <Menu
        trigger={
          <button type="button" className={environmentPillClass(environment)}>
            {environmentName(environment)} <ChevronDown aria-hidden />
          </button>
        }
      >
        {other !== null && (
          <>
            <MenuItem onSelect={() => void navigate(`/${other}/files`)}>Switch to {environmentName(other)}</MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuItem onSelect={onSignOut}>
          <LogOut aria-hidden /> Sign out
        </MenuItem>
      </Menu>
    </div>
  )
}

/** The pages, as a tab bar at the bottom of a phone. */
export function PhoneTabBar({ environment }: { environment: Environment }) {
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)] print:hidden"
    >
      {useNavItems().map(({ path, label, short, icon: Icon }) => (
        <NavLink
          key={path}
          to={`/${environment}/${path}`}
          aria-label={label}
          className={({ isActive }) => tabClass(isActive)}
        >
          <Icon aria-hidden className="size-5" strokeWidth={1.7} />
          {short}
        </NavLink>
      ))}
    </nav>
  )
}

function environmentPillClass(environment: Environment): string {
  return `${pillClass(environment === 'live' ? 'plain' : 'sandbox')} min-h-7`
}

function tabClass(isActive: boolean): string {
  return `grid h-14 place-items-center content-center gap-0.5 text-[0.6875rem] ${isActive ? 'font-medium text-accent' : 'text-ink-2'}`
}
