import { useState } from 'react'
import { isTopUp } from '../../../contract/account/balance.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { payIn } from '../../base/api/balance.ts'
import { ApiError } from '../../base/api/client.ts'
import { paymentPage } from '../../base/api/payment-page.ts'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { readCents } from '../../base/ui/read-cents.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { useSession } from '../../signed-in/session/session.ts'

export const sumLimits = 'Enter 5.00 to 10,000.00.'

type Props = {
  currency: string
  card: { brand: string; last_four: string }
  firstCents: number
  onChanged: () => Promise<void>
  /** the bank asks the cardholder to confirm on this page */
  onAsked: (page: string | null) => void
  onClose: () => void
}

/** Asks for a sum that the card pays into the balance ahead of any order (decision 153). */
export function PayIn({ currency, card, firstCents, onChanged, onAsked, onClose }: Props) {
  const session = useSession()
  const [typed, setTyped] = useState(centsToDecimal(firstCents))
  const cents = readCents(typed)
  const isGood = isTopUp(cents)
  // A key for each sum: pressed again after a lost answer, the card pays once.
  const [keys] = useState(() => new Map<number, string>())
  const submit = async () => {
    const key = keys.get(cents) ?? crypto.randomUUID()
    keys.set(cents, key)
    try {
      await payIn(session, cents, key)
      onAsked(null)
      showToast({ tone: 'ok', title: `${moneyText(cents, currency)} paid in` })
    } catch (error) {
      const page = error instanceof ApiError ? paymentPage(error) : null
      if (page === null) throw error
      onAsked(page)
    }
    await onChanged()
  }
  return (
    <FormDialog
      title="Pay into the balance"
      description={`${card.brand} ···· ${card.last_four} is charged now. Orders are paid from the balance, and you can have it paid back to the card.`}
      submit={isGood ? `Pay in ${moneyText(cents, currency)}` : 'Pay in'}
      isReady={isGood}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={`Amount, ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={isGood ? null : sumLimits}
      />
    </FormDialog>
  )
}

/** A payment that its bank asks about (decision 136). */
export function BankAsks({ page }: { page: string }) {
  return (
    <Notice tone="warn">
      Your bank asks you to confirm this payment. Nothing was charged yet.{' '}
      <a href={page} target="_blank" rel="noreferrer" className="font-semibold underline">
        Confirm at your bank (new tab)
      </a>
      . The balance shows it once that is done.
    </Notice>
  )
}
