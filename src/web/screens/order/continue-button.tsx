import { useNavigate } from 'react-router'
import { moneyText } from '../../base/ui/money.ts'
import { countText } from '../../base/ui/sizes.ts'
import { orderText } from '../../signed-in/options/order-text.ts'
import { type Continued, continueUploads } from '../../signed-in/uploads/tray/add-to-tray.ts'

type Props = {
  /** uploads of one earlier order that lost their files, with the drafts that have these; not empty */
  pairs: readonly Continued[]
  className: string
}

/** Goes on with an earlier order. Says its terms, which are not those of this page. */
export function ContinueButton({ pairs, className }: Props) {
  const navigate = useNavigate()
  const agreements = pairs.map(({ lost }) => lost.agreement)
  const [first] = pairs
  if (first === undefined) return null
  const { owner, agreement } = first.lost
  const kinds = new Set(agreements.map(({ options }) => orderText(options)))
  const most = agreements.some(({ totalCents }) => totalCents === null) ? 'at most ' : ''
  const cents = agreements.map(({ totalCents, maxTotalCents }) => totalCents ?? maxTotalCents ?? Number.NaN)
  const sum = cents.reduce((all, each) => all + each, 0)
  const onClick = () => {
    continueUploads(pairs)
    void navigate(`/${owner.environment}/order/${agreement.batch}`)
  }
  return (
    <button type="button" onClick={onClick} className={className}>
      Continue that order{pairs.length > 1 && ` with ${countText(pairs.length)} files`}: {[...kinds].join(', ')}
      {Number.isFinite(sum) && `, ${most}${moneyText(sum, agreement.currency)}`}
    </button>
  )
}
