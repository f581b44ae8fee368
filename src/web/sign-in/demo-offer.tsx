import { useMutation } from '@tanstack/react-query'
import { openDemoAccount } from '../api/account.ts'
import { ApiError } from '../api/client.ts'
import { offersDemo } from '../session/offers.ts'
import { Notice } from '../ui/notice.tsx'
import { showToast } from '../ui/toast.tsx'
import { checkKey, type SignedIn } from './check-key.ts'

/** Where to get a key; opens a demo account where the service offers that. */
export function DemoOffer({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const demo = useMutation({
    mutationFn: async () => checkKey({ environment: 'sandbox', key: (await openDemoAccount()).key }),
    onSuccess: (signedIn) => {
      showKeyOnce(signedIn.session.key)
      onSignedIn(signedIn)
    },
  })
  return (
    <>
      <p className="text-sm text-ink-3">
        No key yet? Whoever runs this service makes one:{' '}
        <code className="font-[ui-monospace,monospace]">npm start</code> printed the first
        {offersDemo() && (
          <>
            , or{' '}
            <button
              type="button"
              disabled={demo.isPending}
              onClick={() => demo.mutate()}
              className="rounded-sm font-semibold text-accent underline-offset-2 hover:underline"
            >
              open a demo account in the sandbox
            </button>
          </>
        )}
        .
      </p>
      {demo.error && <Notice tone="bad">{demoProblem(demo.error)}</Notice>}
    </>
  )
}

/** The only way back into the account once this tab is closed. */
function showKeyOnce(key: string): void {
  showToast({
    title: 'Your demo account is open',
    detail: `Until this tab closes you stay signed in; later you need its key: ${key}`,
    action: { label: 'Copy the key', onPress: () => void navigator.clipboard.writeText(key) },
    stayMs: 0,
  })
}

function demoProblem(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something went wrong in this page. Try again.'
  return error.status === 404 ? 'This service offers no demo accounts.' : error.message
}
