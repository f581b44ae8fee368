import { CSPProvider } from '@base-ui/react/csp-provider'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import {
  Link,
  Navigate,
  Outlet,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useParams,
} from 'react-router'
import type { Environment } from '../../contract/interface/environment.ts'
import { account } from '../base/api/account.ts'
import type { Session } from '../base/api/client.ts'
import { useSignal } from '../base/state/signal.ts'
import { whenIdle } from '../base/state/when-idle.ts'
import { Announcer } from '../base/ui/announcer.tsx'
import { Later, later } from '../base/ui/later.tsx'
import { SkipLink } from '../base/ui/skip-link.tsx'
import { ToastRegion } from '../base/ui/toast.tsx'
import { TooltipLayer } from '../base/ui/tooltip.tsx'
import { pageId, useFocusOfPage } from '../base/ui/use-focus-of-page.ts'
import { railQuery, useIsPhone, useMedia } from '../base/ui/use-media.ts'
import { useOnline } from '../base/ui/use-online.ts'
import { getLive } from '../signed-in/library/live.ts'
import { onNewsOpened } from '../signed-in/library/news.ts'
import { useInProgress } from '../signed-in/library/use-live.ts'
import { useAccountPreferences } from '../signed-in/preferences/change-preferences.ts'
import {
  isEnvironment,
  SessionContext,
  signInPath,
  signOut,
  useEnvironmentSession,
} from '../signed-in/session/session.ts'
import { shareSessions } from '../signed-in/session/shared-session.ts'
import { AppDrop } from '../signed-in/uploads/dock/app-drop.tsx'
import { type DropProps, useIsDragging } from '../signed-in/uploads/dock/dropped-files.ts'
import type { DockPlace } from '../signed-in/uploads/dock/upload-pill.tsx'
import { lookForUploads, uploadsWanted } from '../signed-in/uploads/uploads-wanted.ts'
import { Overlays } from './overlays.tsx'
import { PhoneTabBar, PhoneTopBar } from './phone-bars.tsx'
import { Rail, Sidebar } from './sidebar.tsx'

/**
 * What a route may declare about its page: `rail` leaves the width to the page (icons instead of the sidebar, only the
 * page on a phone); `panel`: it has a panel on the right, and in narrow windows a bar at the bottom; `title` is its
 * part of the document's title.
 */
export type PageHandle = { rail?: boolean; panel?: boolean; title?: string }

const uploads = later(() => import('../signed-in/uploads/dock/page-uploads.tsx'))

/** The shell around every signed-in page. Without a session, redirects to sign-in, and back here from there. */
export function Component() {
  const { environment: named } = useParams()
  const environment: Environment = isEnvironment(named) ? named : 'live'
  const session = useEnvironmentSession(environment)
  const handle = usePageHandle()
  const { pathname, search, hash } = useLocation()
  if (!session) return <Navigate to={signInPath(environment, pathname + search + hash)} replace />
  return (
    <CSPProvider disableStyleElements>
      <SessionContext value={session}>
        <Frame key={environment} session={session} />
        <ToastRegion place={toastPlace(handle)} />
        <TooltipLayer />
        <Announcer />
      </SessionContext>
    </CSPProvider>
  )
}

/** The one place that says so, on every page. */
function OfflineStrip() {
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="bg-warn-soft px-9 py-1 text-xs font-medium text-warn phone:px-4">Offline, showing what is here</p>
      )}
    </div>
  )
}

/** How long a page may take to open before the shell shows that it is on its way. Milliseconds. */
const pendingMs = 150

function usePending(): boolean {
  const isMoving = useNavigation().state !== 'idle'
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!isMoving) return
    const timer = setTimeout(() => setIsLong(true), pendingMs)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [isMoving])
  return isMoving && isLong
}

/** Where recordings can be dropped: anywhere. The page of the order shows its own place. */
function DropFrame() {
  const isShown = useIsDragging() && !useLocation().pathname.endsWith('/order')
  return (
    isShown && (
      <div className="pointer-events-none fixed inset-2 z-50 rounded-lg border-2 border-dashed border-accent">
        <p className="mx-auto mt-2 w-fit rounded-md bg-accent px-3 py-1.5 font-semibold text-on-accent">
          Drop recordings to add them to a new order
        </p>
      </div>
    )
  )
}

function SandboxBand() {
  return (
    <p className="bg-sandbox-soft px-9 py-1 text-xs font-medium text-sandbox phone:px-4 print:hidden">
      Sandbox · files are removed 24 hours after they are ordered
    </p>
  )
}

/** On every page, as nothing can be changed on any. */
function ClosedBand({ session }: { session: Session }) {
  const closing = useQuery(account.overview(session)).data?.closing
  if (closing === undefined) return null
  return (
    <p className="bg-bad-soft px-9 py-1 text-xs font-medium text-bad phone:px-4">
      This account is closed and can only be read.{' '}
      <Link to={`/${session.environment}/settings/account#close`} className="underline underline-offset-2">
        When it is erased, what becomes of its balance, and how it comes back
      </Link>
    </p>
  )
}

function Frame({ session }: { session: Session }) {
  const { environment } = session
  const handle = usePageHandle()
  const isPhone = useIsPhone()
  const hasBar = useMedia('(width < 64rem)')
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = () => (uploads.loaded()?.isUploading(session) ? setIsLeaving(true) : signOut(environment))
  const [dropZone, setDropZone] = useState<DropProps | null>(null)
  const acceptDrops = useCallback((props: DropProps) => setDropZone(() => props), [])
  const isPending = usePending()
  useFrameEffects(session)
  return (
    <div {...dropZone?.()} className="flex min-h-dvh phone:flex-col print:min-h-0">
      <SkipLink href={`#${pageId}`}>Skip to content</SkipLink>
      <Navigation session={session} isRail={handle.rail === true} onSignOut={leave} />
      <div className={`flex min-w-0 flex-1 flex-col ${handle.rail ? 'h-dvh phone:flex-none' : ''}`}>
        {environment === 'sandbox' && <SandboxBand />}
        <ClosedBand session={session} />
        <OfflineStrip />
        {isPending && <div className="fixed inset-x-0 top-0 z-50 h-0.5 animate-breathe bg-accent" />}
        <main
          id={pageId}
          tabIndex={-1}
          aria-busy={isPending || undefined}
          className="min-h-0 min-w-0 flex-1 outline-none"
        >
          <Outlet />
        </main>
      </div>
      {isPhone && !handle.rail && <PhoneTabBar environment={environment} />}
      <Later wanted={useSignal(uploadsWanted)}>
        <Uploads
          session={session}
          place={dockPlace(handle, hasBar)}
          isLeaving={isLeaving}
          onStay={() => setIsLeaving(false)}
          onLeave={() => signOut(environment)}
        />
      </Later>
      <Overlays session={session} onSignOut={leave} />
      <AppDrop session={session} isReady={dropZone !== null} onReady={acceptDrops} />
      <DropFrame />
      <Titles page={handle.title} environment={environment} />
      {/* Every page that is loaded by its address has the same key. */}
      <ScrollRestoration getKey={({ key, pathname }) => (key === 'default' ? pathname : key)} />
    </div>
  )
}

function useFrameEffects(session: Session): void {
  const navigate = useNavigate()
  useAccountPreferences(session)
  // The page's own data comes first.
  useEffect(
    () =>
      whenIdle(() => {
        getLive(session).library.open()
        void lookForUploads()
      }),
    [session],
  )
  useEffect(() => onNewsOpened((path) => void navigate(path)), [navigate])
  useEffect(shareSessions, [])
  useFocusOfPage(useLocation().pathname)
}

type NavigationProps = { session: Session; isRail: boolean; onSignOut: () => void }

/** The sidebar, the rail, or the top bar on a phone. */
function Navigation({ session: { environment, key }, isRail, onSignOut }: NavigationProps) {
  const isPhone = useIsPhone()
  const isNarrow = useMedia(railQuery)
  if (isPhone) return !isRail && <PhoneTopBar environment={environment} onSignOut={onSignOut} />
  if (isRail || isNarrow) return <Rail environment={environment} onSignOut={onSignOut} />
  return <Sidebar environment={environment} keyLastFour={key.slice(-4)} onSignOut={onSignOut} />
}

/** Resumes and shows uploads once the page has rendered. */
function Uploads(props: React.ComponentProps<ReturnType<typeof uploads.use>['PageUploads']>) {
  const { PageUploads } = uploads.use()
  return <PageUploads {...props} />
}

function dockPlace({ rail, panel }: PageHandle, isNarrow: boolean): DockPlace {
  if (rail) return 'above-player'
  if (!panel) return 'corner'
  return isNarrow ? 'above-bar' : 'beside-panel'
}

/** Next to the sidebar or the rail; on a phone above the payment bar or player. */
function toastPlace({ rail, panel }: PageHandle): string {
  if (rail) return 'left-20 phone:bottom-32'
  return `left-60 max-[72rem]:left-20 ${panel ? 'phone:bottom-36' : ''}`
}

function usePageHandle(): PageHandle {
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined)
  return Object.assign({}, ...handles) as PageHandle
}

type Props = { page: string | undefined; environment: Environment }

/** Sets the tab's title and icon: page, environment, and number of files in progress. */
function Titles({ page, environment }: Props) {
  const inProgress = useInProgress()
  useEffect(() => {
    const count = inProgress > 0 ? `(${inProgress}) ` : ''
    // A page without a title here (a transcript) sets its own.
    if (page === undefined) return
    const sandbox = environment === 'sandbox' ? ['Sandbox'] : []
    document.title = `${count}${[page, ...sandbox, 'Parley'].join(' · ')}`
  }, [page, environment, inProgress])
  // Capped at nine: hundreds of orders must not create hundreds of icons.
  const icon = inProgress > 0 ? countIcon(inProgress) : plainIcon
  useEffect(() => showIcon(icon), [icon])
  useEffect(() => () => showIcon(plainIcon), [])
  return null
}

const plainIcon = '/favicon.svg'

function showIcon(href: string): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', href)
}

/** The logo with a number badge, as an SVG data URL. */
function countIcon(count: number): string {
  const bars =
    '<path d="M4 14v4M9 11v10M14 5v22M19 9v14M24 6v20M28.5 14v4" stroke="#0f5e54" stroke-width="3" stroke-linecap="round"/>'
  const words = count > 9 ? '9+' : String(count)
  const badge = `<circle cx="22" cy="22" r="10" fill="#8f5400"/><text x="22" y="27" font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle" fill="#fff">${words}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none">${bars}${badge}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
