import { useNavigate } from 'react-router'
import { moneyText } from '../../base/ui/money.ts'
import { countText } from '../../base/ui/sizes.ts'
import { orderText } from '../../signed-in/options/order-text.ts'
import { continueUploads } from '../../signed-in/uploads/tray/add-to-tray.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'

type Props = {
  /** uploads of one earlier order that lost their files, with the drafts that have these; not empty */
  pairs: readonly { lost: Upload; draft: Upload }[]
  className: string
}

/** Goes on with an earlier order. Says its terms, which are not those of this page. */
export function ContinueButton({ pairs, className }: Props) {
  const navigate = useNavigate()
  const [first] = pairs
  const agreements = pairs.flatMap(({ lost }) => lost.agreement ?? [])
  if (first === undefined || agreements[0] === undefined) return null
  const { batch, currency } = agreements[0]
  const kinds = new Set(agreements.map(({ options }) => orderText(options)))
  const most = agreements.some(({ totalCents }) => totalCents === null) ? 'at most ' : ''
  const cents = agreements.map(({ totalCents, maxTotalCents }) => totalCents ?? maxTotalCents ?? Number.NaN)
  const sum = cents.reduce((all, each) => all + each, 0)
  const onClick = () => {
    continueUploads(pairs)
    void navigate(`/${first.lost.owner.environment}/order/${batch}`)
  }
  return (
    <button type="button" onClick={onClick} className={className}>
      Continue that order{pairs.length > 1 && ` with ${countText(pairs.length)} files`}: {[...kinds].join(', ')}
      {Number.isFinite(sum) && `, ${most}${moneyText(sum, currency)}`}
    </button>
  )
}
