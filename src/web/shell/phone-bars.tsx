import { ChevronDown, LogOut } from 'lucide-react'
import { Link, NavLink, useNavigate } from 'react-router'
import type { Environment } from '../../contract/environment.ts'
import { environmentName, otherEnvironment } from '../session/offers.ts'
import { Logo } from '../ui/logo.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { environmentPillClass, tabBarClass, tabClass, topBarClass, topBrandClass } from './frame-classes.ts'
import { useNavItems } from './nav-items.ts'

type Props = { environment: Environment; onSignOut: () => void }

/** Top of the app on a phone: the name, and the environment with sign out behind it. */
export function PhoneTopBar({ environment, onSignOut }: Props) {
  const navigate = useNavigate()
  const other = otherEnvironment(environment)
  return (
    <div className={topBarClass}>
      <Link to={`/${environment}/files`} className={topBrandClass}>
        <Logo className="size-5" /> Parley
      </Link>
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

/** The pages, at the bottom of a phone. */
export function PhoneTabBar({ environment }: { environment: Environment }) {
  return (
    <nav aria-label="Pages" className={tabBarClass}>
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
