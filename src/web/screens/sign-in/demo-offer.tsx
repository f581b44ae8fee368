import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../../base/api/client.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { openDemo } from '../../signed-in/session/demo.ts'
import { offersDemo } from '../../signed-in/session/offers.ts'
import { checkKey, type SignedIn } from './check-key.ts'

/** Where to get a key; opens a demo account if the service offers that. */
export function DemoOffer({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const demo = useMutation({
    mutationFn: async () => checkKey(await openDemo()),
    onSuccess: onSignedIn,
  })
  return (
    <>
      <p className="text-sm text-ink-3">
        No key yet? The operator of this service creates keys:{' '}
        <code className="font-[ui-monospace,monospace] whitespace-nowrap">npm start</code> prints the first
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

function demoProblem(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Try again.'
  return error.status === 404 ? 'This service offers no demo accounts.' : error.message
}
