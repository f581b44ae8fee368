import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowUpFromLine, Play } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { account } from '../../../base/api/account.ts'
import { createSampleTalk } from '../../../base/api/sandbox-tools.ts'
import { Button, buttonClass } from '../../../base/ui/button.tsx'
import { Notice } from '../../../base/ui/notice.tsx'
import { openDemo } from '../../../signed-in/session/demo.ts'
import { offersDemo } from '../../../signed-in/session/offers.ts'
import { getSession, signIn, useSession } from '../../../signed-in/session/session.ts'
import { filePagePath } from '../rows/file-row.tsx'

/** Replaces the list while the account has no files: how to start. Files can be dropped anywhere in the app. */
export function FirstUse() {
  const { environment } = useSession()
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-dashed border-accent/50 bg-accent-faint px-6 py-20 text-center phone:py-12">
      <ArrowUpFromLine aria-hidden className="mb-1 size-7 text-accent" />
      <h2 className="text-md font-semibold">Drop a recording here</h2>
      <p className="max-w-md text-ink-2">
        Audio or video, 26 formats, each under 10&nbsp;GB. You see the price before anything is uploaded or charged. The
        transcript grows here while it is made.
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <Link to={`/${environment}/order`} className={buttonClass('primary')}>
          <ArrowUpFromLine aria-hidden /> New order
        </Link>
        <SampleButton />
      </div>
    </div>
  )
}

/** Opens a finished sample with sound: in this sandbox account, or from Live in a demo account of the sandbox. */
function SampleButton() {
  const session = useSession()
  const navigate = useNavigate()
  const { data: overview } = useQuery(account.overview(session))
  const sample = useMutation({
    mutationFn: async () => {
      const sandbox = getSession('sandbox') ?? (await openDemo())
      return { sandbox, id: await createSampleTalk(sandbox) }
    },
    onSuccess: ({ sandbox, id }) => {
      if (getSession('sandbox') === null) signIn(sandbox, true)
      void navigate(filePagePath('sandbox', id))
    },
  })
  const isOffered = session.environment === 'sandbox' ? overview?.features.sandbox_tools : offersDemo()
  if (!isOffered) return null
  return (
    <>
      <Button onClick={() => sample.mutate()} disabled={sample.isPending}>
        <Play aria-hidden /> {sample.isPending ? 'Opening…' : 'See a finished transcript'}
      </Button>
      {sample.error && <Notice tone="bad">{sample.error.message}</Notice>}
    </>
  )
}
