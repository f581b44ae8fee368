import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Environment } from '../../../contract/interface/environment.ts'
import { account } from '../../base/api/account.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { Logo } from '../../base/ui/logo.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { useFocusOfPage } from '../../base/ui/use-focus-of-page.ts'
import { ownPages } from '../../signed-in/session/offers.ts'
import { isEnvironment, returnPath, signIn } from '../../signed-in/session/session.ts'
import type { SignedIn } from './check-key.ts'
import { SignInForm } from './sign-in-form.tsx'

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

  useFocusOfPage('/sign-in')
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
            <Notice tone="warn">
              You were signed out: your key was revoked or has expired, or its account was erased.
            </Notice>
          )}
          <SignInForm key={environment} environment={environment} onCheck={onCheck} onSignedIn={enter} />
          <PageLinks />
        </div>
      </main>
      <SignInPicture />
    </div>
  )
}

/** What the operator has to show to customers, as far as it is written, and licenses. */
function PageLinks() {
  return (
    <p className="text-xs text-ink-3">
      {[...ownPages(), 'notices.txt'].map((name) => (
        <a key={name} href={`/${name}`} className="mr-3 inline-block capitalize underline-offset-2 hover:underline">
          {name === 'notices.txt' ? 'Licenses' : name}
        </a>
      ))}
    </p>
  )
}

/** Heights of the bars, 0 to 1, resembling the waveform of a sentence. */
const bars = Array.from({ length: 96 }, (_, index) => {
  const syllable = Math.abs(Math.sin(index * 0.41) * Math.sin(index * 0.13 + 1))
  return 0.14 + 0.86 * syllable * (0.6 + 0.4 * Math.abs(Math.sin(index * 2.3)))
})
const spokenBars = 59

/** An illustration of the product: a waveform, its words, and the word being spoken. */
function SignInPicture() {
  return (
    <aside className="grid place-items-center border-l border-line bg-sunken px-10 max-lg:hidden">
      <figure className="w-full max-w-[520px]">
        <svg viewBox="0 0 480 44" className="mb-10 w-full" aria-hidden="true">
          {bars.map((height, index) => (
            <rect
              key={index}
              x={index * 5}
              y={22 - height * 20}
              width="2.6"
              height={height * 40}
              rx="1.3"
              className={index < spokenBars ? 'fill-accent' : 'fill-line-strong'}
            />
          ))}
        </svg>
        {/* The device's serif: for one sentence, the reading font would be more than a third of the page's weight. */}
        <blockquote className="font-[ui-serif,Georgia,serif] text-[1.8rem] leading-[2.75rem]">
          “You could hear the river from every <mark className="rounded-sm bg-speech px-1 text-ink">kitchen.</mark>{' '}
          People forget that.”
        </blockquote>
        <figcaption className="mt-6 text-xs text-ink-3 tabular-nums">00:14 · Tom Reyes</figcaption>
      </figure>
    </aside>
  )
}
