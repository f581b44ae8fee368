import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { account } from '../../../base/api/account.ts'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { moneyText } from '../../../base/ui/money.ts'
import { Notice } from '../../../base/ui/notice.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import { rowOrPage } from '../../../signed-in/file-actions/row-or-page.ts'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../../signed-in/session/session.ts'

/** The number and date of the refunds that were dismissed on this device. */
const storageKey = 'parley.refunds-read'

/** Refunds of the last seven days, pending or paid: their files are gone from the list. */
export function RefundNotice() {
  const session = useSession()
  const dates = useDates()
  const { data: overview } = useQuery(account.overview(session))
  const refunds = overview?.recent_refunds
  const [read, setRead] = useState(() => localStorage.getItem(storageKey))
  if (!refunds) return null
  const shown = `${refunds.count} ${refunds.last_due}`
  if (read === shown) return null
  const dismiss = () => {
    localStorage.setItem(storageKey, shown)
    setRead(shown)
    // The pressed button is gone.
    rowOrPage()?.focus()
  }
  const isPending = refunds.pending > 0
  const [count, cents] = isPending ? [refunds.pending, refunds.pending_cents] : [refunds.count, refunds.amount_cents]
  const money = moneyText(cents, overview.currency)
  const what =
    refunds.count === 1 ? `${money} for “${refunds.file_name}”` : `${formatCount(count, 'refund')}, ${money} in all,`
  const be = count === 1 ? 'is' : 'are'
  const last = count === 1 ? 'due' : 'the last due'
  return (
    <Notice
      action={
        <IconButton label="Dismiss refunds" onClick={dismiss}>
          <X aria-hidden />
        </IconButton>
      }
    >
      {what}{' '}
      {isPending
        ? `${be} on the way back to your card, ${last} ${dates.moment(Date.parse(refunds.last_due))}.`
        : `${count === 1 ? 'has' : 'have'} been refunded.`}{' '}
      <Link to={`/${session.environment}/usage`} className="underline underline-offset-2">
        Details
      </Link>
    </Notice>
  )
}
