import { FlaskConical, LogOut } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, NavLink } from 'react-router'
import type { Environment } from '../../contract/interface/environment.ts'
import { whenIdle } from '../base/state/when-idle.ts'
import { IconButton, iconButtonClass } from '../base/ui/icon-button.tsx'
import { Later, laterPart } from '../base/ui/later.tsx'
import { Logo } from '../base/ui/logo.tsx'
import { segmentClass, segmentedClass } from '../base/ui/segmented.tsx'
import { countText } from '../base/ui/sizes.ts'
import { useFileCount } from '../signed-in/library/use-live.ts'
import { environmentName, hasDocs, offeredEnvironments, otherEnvironment } from '../signed-in/session/offers.ts'
import { useNavItems } from './nav-items.ts'

const SidebarSections = laterPart(async () => (await import('./sidebar-sections.tsx')).SidebarSections)

type Props = {
  environment: Environment
  keyLastFour: string
  onSignOut: () => void
}

/** Name, environment, pages and the signed-in key. */
export function Sidebar({ environment, keyLastFour, onSignOut }: Props) {
  return (
    <div className="sticky top-0 flex h-dvh w-56 shrink-0 flex-col border-r border-line p-3.5 print:hidden">
      <Link
        to={`/${environment}/files`}
        className="flex items-center gap-2.5 rounded-md px-2 py-1 text-[1.0625rem] font-semibold"
      >
        <Logo className="size-6" /> Parley
      </Link>
      <EnvironmentSwitch environment={environment} />
      <nav aria-label="Pages" className="mt-4 grid gap-0.5">
        {useNavItems().map(({ path, label, icon: Icon }) => (
          <NavLink key={path} to={`/${environment}/${path}`} className={({ isActive }) => sideLinkClass(isActive)}>
            <Icon aria-hidden className="size-4" strokeWidth={1.8} />
            {label}
            {path === 'files' && <FileCount />}
          </NavLink>
        ))}
      </nav>
      <Later wanted={useIsIdle()}>
        <SidebarSections linkClass={sideLinkClass} />
      </Later>
      <div className="mt-auto">
        {hasDocs() && (
          <a href="/docs" className="mb-2 block rounded-md px-2 py-1 text-sm text-ink-2 hover:bg-sunken hover:text-ink">
            API docs
          </a>
        )}
      </div>
      <div className="flex items-center justify-between border-t border-line pt-3 pl-2 text-sm">
        <span className="text-xs text-ink-2 tabular-nums">
          <span className="sr-only">Signed in with the key that ends in </span>
          <span aria-hidden>key ···· </span>
          {keyLastFour}
        </span>
        <button
          type="button"
          onClick={onSignOut}
          className="rounded-md px-2 py-1 text-ink-2 hover:bg-sunken hover:text-ink"
        >
          Sign out
        </button>
      </div>
    </div>
  )
}

/** True once the page has rendered: its own content comes first. */
function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => setIsIdle(true)), [])
  return isIdle
}

function FileCount() {
  const count = useFileCount()
  if (count === null) return null
  return (
    <span className="ml-auto text-sm font-normal text-ink-3 tabular-nums">
      <span className="sr-only">, </span>
      {countText(count)}
    </span>
  )
}

/** Live or Sandbox: links, because each has its own URLs. */
function EnvironmentSwitch({ environment }: { environment: Environment }) {
  const offered = offeredEnvironments()
  if (offered.length < 2) return null
  return (
    <nav aria-label="Environment" className={`mt-4 ${segmentedClass}`}>
      {offered.map((one) => (
        <Link
          key={one}
          to={`/${one}/files`}
          aria-current={one === environment ? 'true' : undefined}
          className={segmentClass(one === environment)}
        >
          {environmentName(one)}
        </Link>
      ))}
    </nav>
  )
}

/** The sidebar as icons: on narrow desktops, and on pages that need the width. */
export function Rail({ environment, onSignOut }: Omit<Props, 'keyLastFour'>) {
  const other = otherEnvironment(environment)
  return (
    <div className="sticky top-0 flex h-dvh w-16 shrink-0 flex-col items-center gap-5 border-r border-line py-4 print:hidden">
      <Link to={`/${environment}/files`} aria-label="Parley" className="rounded-md">
        <Logo className="size-8" />
      </Link>
      <nav aria-label="Pages" className="grid gap-1.5">
        {useNavItems().map(({ path, label, icon: Icon }) => (
          <NavLink
            key={path}
            to={`/${environment}/${path}`}
            aria-label={label}
            data-tooltip={label}
            data-tooltip-side="right"
            className={({ isActive }) => railLinkClass(isActive)}
          >
            <Icon aria-hidden className="size-4" strokeWidth={1.8} />
          </NavLink>
        ))}
      </nav>
      <div className="mt-auto grid gap-1.5">
        {other !== null && (
          <Link
            to={`/${other}/files`}
            aria-label={`Switch to ${environmentName(other)}`}
            data-tooltip={`Switch to ${environmentName(other)}`}
            data-tooltip-side="right"
            className={`${iconButtonClass} ${environment === 'sandbox' ? 'text-sandbox' : ''}`}
          >
            <FlaskConical aria-hidden />
          </Link>
        )}
        <IconButton label="Sign out" onClick={onSignOut}>
          <LogOut aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}

function linkTone(isActive: boolean): string {
  return isActive
    ? 'bg-sunken text-ink forced-colors:outline forced-colors:outline-[Highlight]'
    : 'text-ink-2 hover:bg-sunken hover:text-ink'
}

function railLinkClass(isActive: boolean): string {
  return `grid size-[34px] place-items-center rounded-md transition-colors ${linkTone(isActive)}`
}

function sideLinkClass(isActive: boolean): string {
  return `flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium transition-colors ${linkTone(isActive)}`
}
