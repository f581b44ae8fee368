import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { useEffect, useState } from 'react'
import { Navigate, Outlet, ScrollRestoration, useLocation, useMatches, useNavigate, useParams } from 'react-router'
import type { Environment } from '../../contract/environment.ts'
import type { Session } from '../api/client.ts'
import { onNewsOpened } from '../library/news.ts'
import { useAccountPreferences } from '../preferences/change-preferences.ts'
import { isEnvironment, SessionContext, signInPath, signOut, useSessionOf } from '../session/session.ts'
import { Announcer } from '../ui/announcer.tsx'
import { railQuery } from '../ui/media-queries.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { useIsPhone, useMedia } from '../ui/use-media.ts'
import { useAppDrop } from '../uploads/dock/app-drop.tsx'
import { LeaveDialog } from '../uploads/dock/leave-dialog.tsx'
import { guardLeaving, uploadsUnderWay, useTitlePercent } from '../uploads/dock/leave-guard.ts'
import { type DockPlace, UploadDock } from '../uploads/dock/upload-dock.tsx'
import { restoreRecordings } from '../uploads/tray/recording-backup.ts'
import { startUploads } from '../uploads/uploads.ts'
import { CommandPalette } from './command-palette.tsx'
import { contentClass, frameClass, mainClass } from './frame-classes.ts'
import { KeysHelp } from './keys-help.tsx'
import type { PageHandle } from './page-handle.ts'
import { PhoneTabBar, PhoneTopBar } from './phone-bars.tsx'
import { SandboxBand } from './sandbox-band.tsx'
import { Rail, Sidebar } from './sidebar.tsx'
import { Titles } from './titles.tsx'

void startUploads().then(restoreRecordings)
guardLeaving()

/** The frame around every signed-in page. Without a session it redirects to sign-in, and from there back to this page. */
export function Component() {
  const { environment: named } = useParams()
  const environment: Environment = isEnvironment(named) ? named : 'live'
  const session = useSessionOf(environment)
  const { pathname, search, hash } = useLocation()
  if (!session) return <Navigate to={signInPath(environment, pathname + search + hash)} replace />
  return (
    <CSPProvider disableStyleElements>
      <SessionContext value={session}>
        <Tooltip.Provider delay={500}>
          <ToastRegion>
            <Frame key={environment} session={session} />
          </ToastRegion>
          <Announcer />
        </Tooltip.Provider>
      </SessionContext>
    </CSPProvider>
  )
}

function Frame({ session }: { session: Session }) {
  const { environment } = session
  const handle = usePageHandle()
  const isPhone = useIsPhone()
  const hasBar = useMedia('(width < 64rem)')
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = () => (uploadsUnderWay(session) > 0 ? setIsLeaving(true) : signOut(environment))
  const dropProps = useAppDrop(session)
  useFrameEffects(session)
  return (
    <div {...dropProps({ className: frameClass })}>
      <SkipLink />
      <Navigation session={session} isRail={handle.rail === true} onSignOut={leave} />
      <div className={`${contentClass} ${handle.rail ? 'h-dvh phone:flex-none' : ''}`}>
        {environment === 'sandbox' && <SandboxBand />}
        <main id="content" tabIndex={-1} className={mainClass}>
          <Outlet />
        </main>
      </div>
      {isPhone && !handle.rail && <PhoneTabBar environment={environment} />}
      <UploadDock session={session} place={dockPlace(handle, hasBar)} />
      <Overlays session={session} isLeaving={isLeaving} onStay={() => setIsLeaving(false)} onSignOut={leave} />
      <Titles page={handle.title} environment={environment} />
      <ScrollRestoration />
    </div>
  )
}

function useFrameEffects(session: Session): void {
  const navigate = useNavigate()
  useTitlePercent(session)
  useAccountPreferences(session)
  useEffect(() => onNewsOpened((path) => void navigate(path)), [navigate])
}

function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-3 py-2 text-canvas focus:translate-y-0"
    >
      Skip to the content
    </a>
  )
}

type NavigationProps = { session: Session; isRail: boolean; onSignOut: () => void }

/** The sidebar, the rail, or on a phone the bar at the top. */
function Navigation({ session: { environment, key }, isRail, onSignOut }: NavigationProps) {
  const isPhone = useIsPhone()
  const isNarrow = useMedia(railQuery)
  if (isPhone) return !isRail && <PhoneTopBar environment={environment} onSignOut={onSignOut} />
  if (isRail || isNarrow) return <Rail environment={environment} onSignOut={onSignOut} />
  return <Sidebar environment={environment} keyLastFour={key.slice(-4)} onSignOut={onSignOut} />
}

type OverlayProps = { session: Session; isLeaving: boolean; onStay: () => void; onSignOut: () => void }

/** What opens above the page: rendered after the page, as nobody sees it yet. */
function Overlays({ session, isLeaving, onStay, onSignOut }: OverlayProps) {
  if (!useSettled()) return null
  return (
    <>
      <LeaveDialog session={session} open={isLeaving} onStay={onStay} onLeave={() => signOut(session.environment)} />
      <CommandPalette session={session} onSignOut={onSignOut} />
      <KeysHelp />
    </>
  )
}

/** True once the page is rendered and the browser idle. */
function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    const settle = () => setIsSettled(true)
    // Not every browser reports that it is idle.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(settle, 300)
      return () => clearTimeout(timer)
    }
    const asked = requestIdleCallback(settle, { timeout: 1_000 })
    return () => cancelIdleCallback(asked)
  }, [])
  return isSettled
}

function dockPlace({ rail, panel }: PageHandle, isNarrow: boolean): DockPlace {
  if (rail) return 'above-player'
  if (!panel) return 'corner'
  return isNarrow ? 'above-bar' : 'beside-panel'
}

function usePageHandle(): PageHandle {
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined)
  return Object.assign({}, ...handles) as PageHandle
}
