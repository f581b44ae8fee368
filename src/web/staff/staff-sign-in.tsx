import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { staffKeyPrefix } from '../../contract/work/staff.ts'
import { ApiError } from '../base/api/client.ts'
import { fetchStaff } from '../base/api/work.ts'
import { Button } from '../base/ui/button.tsx'
import { LabelledCheckbox } from '../base/ui/checkbox.tsx'
import { Logo } from '../base/ui/logo.tsx'
import { Notice } from '../base/ui/notice.tsx'
import { KeyField } from '../screens/sign-in/key-field.tsx'
import { signInStaff } from './staff-session.ts'

function explainRefusal(error: unknown, key: string): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Try again.'
  if (error.status === 401 && !key.startsWith(staffKeyPrefix)) return `A key of staff begins with ${staffKeyPrefix}.`
  if (error.status === 401) return 'This key is not valid. Is it complete, or was it revoked?'
  if (error.status === 0) return `${error.message} The key was not checked; try again in a moment.`
  return error.status === 429 ? 'Too many attempts. Wait a moment, then try again.' : error.message
}

/** Asks staff members for their key. */
export function StaffSignIn({ wasRefused }: { wasRefused: boolean }) {
  const [typed, setTyped] = useState('')
  const [keep, setKeep] = useState(false)
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
