import { ArrowUpFromLine } from 'lucide-react'
import { Link } from 'react-router'
import { useSession } from '../../session/session.ts'
import { buttonClass } from '../../ui/button.tsx'

/** In place of the list while the account has no files: what to do first. Files can be dropped anywhere in the app. */
export function FirstUse() {
  const { environment } = useSession()
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-dashed border-accent/50 bg-accent-faint px-6 py-20 text-center">
      <ArrowUpFromLine aria-hidden className="mb-1 size-7 text-accent" />
      <h2 className="text-md font-semibold">Drop a recording here</h2>
      <p className="max-w-md text-ink-2">
        Audio or video, 26 formats, each under 10 GB. You see its price before anything is sent or paid; its transcript
        appears here and fills up while it is made.
      </p>
      <Link to={`/${environment}/order`} className={buttonClass('primary', 'md', 'mt-3')}>
        <ArrowUpFromLine aria-hidden /> New order
      </Link>
    </div>
  )
}
