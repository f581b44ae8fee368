import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Navigate, NavLink, Outlet, useLocation } from 'react-router'
import { type StaffOverview, staffKeyPrefix } from '../../contract/work/staff.ts'
import { ApiError, type Session } from '../base/api/client.ts'
import { fetchStaff, work } from '../base/api/work.ts'
import { useSignal } from '../base/state/signal.ts'
import { Announcer } from '../base/ui/announcer.tsx'
import { Button } from '../base/ui/button.tsx'
import { LabelledCheckbox } from '../base/ui/checkbox.tsx'
import { PageFailure } from '../base/ui/empty-state.tsx'
import { Logo } from '../base/ui/logo.tsx'
import { Notice } from '../base/ui/notice.tsx'
import { ToastRegion } from '../base/ui/toast.tsx'
import { TooltipLayer } from '../base/ui/tooltip.tsx'
import { pageId, useFocusOfPage } from '../base/ui/use-focus-of-page.ts'
import { KeyField } from '../screens/sign-in/key-field.tsx'
import { StaffContext, signedIn, signInStaff, signOutStaff } from './staff-session.ts'

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

const managerPaths = ['/orders', '/pay']

function SignedIn({ session }: { session: Session }) {
  const { data: staff, error } = useQuery(work.staff(session))
  const { pathname } = useLocation()
  useFocusOfPage(pathname)
  if (staff === undefined) return error === null ? null : <PageFailure message={error.message} />
  // A manager may have used this tab before.
  if (staff.role !== 'manager' && managerPaths.includes(pathname)) return <Navigate to="/" replace />
  return (
    <StaffContext value={{ session, staff }}>
      <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
        <TopBar staff={staff} />
        <main id={pageId} tabIndex={-1} className="min-h-0 overflow-y-auto outline-none">
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
          <>
            <NavLink to="/orders" className={linkClass}>
              Orders
            </NavLink>
            <NavLink to="/pay" className={linkClass}>
              Pay
            </NavLink>
          </>
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

function explainRefusal(error: unknown, key: string): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Try again.'
  if (error.status === 401 && !key.startsWith(staffKeyPrefix)) return `A key of staff begins with ${staffKeyPrefix}.`
  if (error.status === 401) return 'This key is not valid. Is it complete, or was it revoked?'
  if (error.status === 0) return `${error.message} The key was not checked; try again in a moment.`
  return error.status === 429 ? 'Too many attempts. Wait a moment, then try again.' : error.message
}

/** Asks staff members for their key. */
function StaffSignIn({ wasRefused }: { wasRefused: boolean }) {
  const [typed, setTyped] = useState('')
  const [keep, setKeep] = useState(true)
  const key = typed.trim()
  const check = useMutation({
    mutationFn: fetchStaff,
    onSuccess: (staff, checked) => signInStaff(staff, checked, keep),
  })
  useEffect(() => {
    document.title = 'Sign in · Parley work'
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key !== '' && !check.isPending) check.mutate(key)
  }
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-10">
      <div className="grid w-full max-w-[380px] gap-5">
        <p className="mb-3 flex items-center gap-2.5 text-lg font-semibold tracking-tight">
          <Logo className="size-6" /> Parley work
        </p>
        {wasRefused && (
          <Notice tone="warn">You were signed out: your key was revoked. What you had saved is kept.</Notice>
        )}
        <form noValidate className="grid gap-5" onSubmit={submit}>
          <div className="grid gap-1.5">
            <h1 className="text-2xl font-semibold tracking-tight">Sign in with your staff key</h1>
            <p className="text-ink-2">Your manager gave it to you. It stays in this browser tab.</p>
          </div>
          <KeyField
            label="Staff key"
            value={typed}
            error={check.error && explainRefusal(check.error, key)}
            onChange={(next) => {
              setTyped(next)
              check.reset()
            }}
          />
          <LabelledCheckbox
            label="Keep me signed in until this tab closes"
            checked={keep}
            onChange={(event) => setKeep(event.target.checked)}
          />
          <Button type="submit" variant="primary" size="lg" disabled={key === '' || check.isPending}>
            {check.isPending ? 'Checking key…' : 'Sign in'}
          </Button>
        </form>
      </div>
    </main>
  )
}
