import { type Balance, forecastPayment } from '../../../contract/account/balance.ts'
import type { PaymentMethod } from '../../../contract/account/payment.ts'
import { moneyText } from '../../base/ui/money.ts'
import type { LinkLimit } from './link-limit.tsx'
import type { TraySummary } from './priced-tray.ts'

type Props = {
  balance: Balance
  card: PaymentMethod
  summary: TraySummary
  currency: string
  linkLimit: LinkLimit | null
}

/** What is known of how an order is paid: of links, at most. */
function forecast({ balance, summary: { ready }, linkLimit }: Pick<Props, 'balance' | 'summary' | 'linkLimit'>) {
  const prices = ready.map(({ price }) => price?.cents ?? linkLimit?.cents ?? null)
  const known = prices.filter((price) => price !== null)
  const total = known.reduce((sum, price) => sum + price, 0)
  const isMost = ready.some(({ price }) => price?.cents == null) && linkLimit?.cents != null
  return { ...forecastPayment(balance, total), most: isMost ? ' at most' : '', unknown: prices.length - known.length }
}

/** What the page says that the card pays in for all orders together; null: not all of their prices are known. */
export function shownTopUp(props: Pick<Props, 'balance' | 'summary' | 'linkLimit'>): number | null {
  const { paidInCents, unknown } = forecast(props)
  return unknown > 0 ? null : paidInCents
}

/** `the card pays in $20.00`; null if the balance suffices */
export function cardPaysText(props: Omit<Props, 'card'>): string | null {
  const { paidInCents, most } = forecast(props)
  return paidInCents === 0 ? null : `the card pays in${most} ${moneyText(paidInCents, props.currency)}`
}

/** What an order takes from the balance, and what the card pays in for it, before anything is charged (decision 129). */
export function HowPaid(props: Props) {
  const { balance, card, summary, currency } = props
  if (summary.ready.length === 0) return null
  const money = (cents: number) => moneyText(cents, currency)
  const cardName = `${card.brand} ···· ${card.last_four}`
  const { balanceCents, paidInCents, leftCents, most, unknown } = forecast(props)
  const rest = most ? 'what is left of it is' : `${money(leftCents)} is left`
  return (
    <p className="text-sm text-ink-2 tabular-nums">
      {paidInCents === 0
        ? `${most ? 'At most ' : ''}${money(balanceCents)} from your balance of ${money(balance.balance_cents)}.`
        : `Your balance is ${money(balance.balance_cents)}: ${cardName} pays in${most} ${money(paidInCents)}, and ${rest} for further orders.`}
      {unknown > 0 &&
        ` For what is not priced yet, ${cardName} pays in at least ${money(balance.top_up_cents)} if the balance does not cover it.`}
    </p>
  )
}
