import type { ReactNode } from 'react'
import type { Session } from '../api/client.ts'
import { environmentName, offeredEnvironments } from '../session/offers.ts'
import {
  brandClass,
  contentClass,
  environmentPillClass,
  frameClass,
  mainClass,
  railClass,
  railLinkClass,
  railNavClass,
  sidebarClass,
  sideCountClass,
  sideFootClass,
  sideKeyClass,
  sideLinkClass,
  sideNavClass,
  signOutClass,
  tabBarClass,
  tabClass,
  topBarClass,
  topBrandClass,
} from '../shell/frame-classes.ts'
import { navPagesOf } from '../shell/nav-pages.ts'
import { SandboxBand } from '../shell/sandbox-band.tsx'
import { phoneQuery, railQuery } from '../ui/media-queries.ts'
import { segmentClass, segmentedClass } from '../ui/segmented.tsx'
import { countText } from '../ui/sizes.ts'

type Props = {
  session: Session
  /** of all files in the environment */
  fileCount: number
  /** whether the service has an account interface beside the files */
  offersAccount: boolean
  children: ReactNode
}

/** The frame as `drawOnce` draws it at first: its text and links around the list of files. Icons come with the page. */
export function FirstFrame(props: Props) {
  const { session, children } = props
  const isPhone = window.matchMedia(phoneQuery).matches
  const isRail = window.matchMedia(railQuery).matches
  return (
    <div className={frameClass}>
      {isPhone ? <TopBar {...props} /> : isRail ? <Rail {...props} /> : <Sidebar {...props} />}
      <div className={contentClass}>
        {session.environment === 'sandbox' && <SandboxBand />}
        <div className={mainClass}>{children}</div>
      </div>
      {isPhone && <TabBar {...props} />}
    </div>
  )
}

function pagesOf({ offersAccount }: Props) {
  return navPagesOf(offersAccount ? undefined : null)
}

function Sidebar(props: Props) {
  const { environment, key } = props.session
  const offered = offeredEnvironments()
  return (
    <div className={sidebarClass}>
      <span className={brandClass}>
        <span className="size-6" /> Parley
      </span>
      {offered.length > 1 && (
        <nav className={`mt-4 ${segmentedClass}`}>
          {offered.map((one) => (
            <a key={one} href={`/${one}/files`} className={segmentClass(one === environment)}>
              {environmentName(one)}
            </a>
          ))}
        </nav>
      )}
      <nav className={sideNavClass}>
        {pagesOf(props).map(({ path, label }) => (
          <a key={path} href={`/${environment}/${path}`} className={sideLinkClass(path === 'files')}>
            <span className="size-4" />
            {label}
            {path === 'files' && <span className={sideCountClass}>{countText(props.fileCount)}</span>}
          </a>
        ))}
      </nav>
      <div className={sideFootClass}>
        <span className={sideKeyClass}>key ···· {key.slice(-4)}</span>
        <span className={signOutClass}>Sign out</span>
      </div>
    </div>
  )
}

function Rail(props: Props) {
  return (
    <div className={railClass}>
      <span className="size-8" />
      <nav className={railNavClass}>
        {pagesOf(props).map(({ path }) => (
          <a key={path} href={`/${props.session.environment}/${path}`} className={railLinkClass(path === 'files')}>
            <span className="size-4" />
          </a>
        ))}
      </nav>
    </div>
  )
}

function TopBar({ session: { environment } }: Props) {
  return (
    <div className={topBarClass}>
      <span className={topBrandClass}>
        <span className="size-5" /> Parley
      </span>
      <span className={environmentPillClass(environment)}>
        {environmentName(environment)} <span className="size-3.5" />
      </span>
    </div>
  )
}

function TabBar(props: Props) {
  return (
    <nav className={tabBarClass}>
      {pagesOf(props).map(({ path, short }) => (
        <a key={path} href={`/${props.session.environment}/${path}`} className={tabClass(path === 'files')}>
          <span className="size-5" />
          {short}
        </a>
      ))}
    </nav>
  )
}
