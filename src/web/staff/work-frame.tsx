import { useQuery } from '@tanstack/react-query'
import { NavLink, Outlet } from 'react-router'
import type { StaffOverview } from '../../contract/work/staff.ts'
import type { Session } from '../base/api/client.ts'
import { work } from '../base/api/work.ts'
import { useSignal } from '../base/state/signal.ts'
import { Announcer } from '../base/ui/announcer.tsx'
import { Button } from '../base/ui/button.tsx'
import { PageFailure } from '../base/ui/empty-state.tsx'
import { Logo } from '../base/ui/logo.tsx'
import { ToastRegion } from '../base/ui/toast.tsx'
import { TooltipLayer } from '../base/ui/tooltip.tsx'
import { StaffContext, signedIn, signOutStaff } from './staff-session.ts'
import { StaffSignIn } from './staff-sign-in.tsx'

/** The frame of the staff's pages; asks for a key if nobody is signed in. */
export function WorkFrame() {
  const { session, wasRefused } = useSignal(signedIn)
  return (
    <>
      {session === null ? <StaffSignIn wasRefused={wasRefused} /> : <SignedIn session={session} />}
      <ToastRegion place="left-4 phone:bottom-4" />
      <TooltipLayer />
      <Announcer />
    </>
  )
}

function SignedIn({ session }: { session: Session }) {
  const { data: staff, error } = useQuery(work.staff(session))
  if (staff === undefined) return error === null ? null : <PageFailure message={error.message} />
  return (
    <StaffContext value={{ session, staff }}>
      <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
        <TopBar staff={staff} />
        <main className="min-h-0 overflow-y-auto">
          <Outlet />
        </main>
      </div>
    </StaffContext>
  )
}

const linkClass =
  'rounded-md px-2.5 py-1.5 font-medium text-ink-2 hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink'

function TopBar({ staff: { name, role } }: { staff: StaffOverview }) {
  return (
    <header className="flex h-12 items-center gap-3 border-b border-line bg-surface px-5 phone:gap-1 phone:px-3">
      <Logo className="size-5" />
      <nav aria-label="Work" className="flex gap-1">
        <NavLink to="/" end className={linkClass}>
          Queue
        </NavLink>
        {role === 'manager' && (
          <NavLink to="/orders" className={linkClass}>
            Orders
          </NavLink>
        )}
      </nav>
      <p className="ml-auto min-w-0 truncate text-sm text-ink-2">
        <bdi>{name}</bdi> <span className="text-ink-3 phone:hidden">· {role}</span>
      </p>
      <Button size="sm" variant="quiet" onClick={() => signOutStaff()}>
        Sign out
      </Button>
    </header>
  )
}
