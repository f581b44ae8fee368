import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Environment } from '../../../contract/interface/environment.ts'
import { account } from '../../base/api/account.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { Logo } from '../../base/ui/logo.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { isEnvironment, returnPath, signIn } from '../../signed-in/session/session.ts'
import type { SignedIn } from './check-key.ts'
import { SignInForm } from './sign-in-form.tsx'
import { SignInPicture } from './sign-in-picture.tsx'

type Props = {
  /** called when a key check starts */
  onCheck: () => void
  /** awaited before the first page opens; if it rejects, that page shows the error */
  beforeEntry: () => Promise<void>
}

/** Sign in (`/sign-in`). */
export function SignIn({ onCheck, beforeEntry }: Props) {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const asked = search.get('environment') ?? undefined
  const environment: Environment = isEnvironment(asked) ? asked : 'live'

  useEffect(() => {
    document.title = 'Sign in · Parley'
  }, [])

  async function enter({ session, overview }: SignedIn, keep: boolean) {
    await beforeEntry().catch(() => undefined)
    queryClient.setQueryData(account.overview(session).queryKey, overview)
    signIn(session, keep)
    void navigate(returnPath(session.environment, search.get('from')), { replace: true })
  }

  return (
    <div className="grid min-h-dvh grid-cols-2 max-lg:grid-cols-1">
      <main className="grid place-items-center px-6 py-10">
        <div className="grid w-full max-w-[380px] gap-5">
          <p className="mb-3 flex items-center gap-2.5 text-lg font-semibold tracking-tight">
            <Logo className="size-6" /> Parley
          </p>
          {search.get('reason') === 'refused' && (
            <Notice tone="warn">You were signed out: your key was revoked or has expired.</Notice>
          )}
          <SignInForm key={environment} environment={environment} onCheck={onCheck} onSignedIn={enter} />
        </div>
      </main>
      <SignInPicture />
    </div>
  )
}
