import { type Balance, forecastPayment } from '../../../contract/account/balance.ts'
import type { PaymentMethod } from '../../../contract/account/payment.ts'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
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
  return { ...forecastPayment(balance, total), unknown: prices.length - known.length }
}

/** `the card pays in $20.00`; null if the balance suffices */
export function cardPaysText(props: Omit<Props, 'card'>): string | null {
  const { paidInCents } = forecast(props)
  return paidInCents === 0 ? null : `the card pays in ${moneyText(paidInCents, props.currency)}`
}

/** What the budget of the account will have left of it, once this is ordered; null: it has none. */
function budgetAfter({ balance: { budget }, summary: { ready }, linkLimit }: Omit<Props, 'card' | 'currency'>) {
  if (budget === undefined) return null
  const total = ready.reduce((sum, { price }) => sum + (price?.cents ?? linkLimit?.cents ?? 0), 0)
  return { ...budget, after_cents: budget.spent_cents + total, total }
}

/** Whether the service would refuse it: it costs more than the account may spend. */
export function isOverBudget(props: Omit<Props, 'card' | 'currency' | 'balance'> & { balance: Balance | undefined }) {
  const { balance } = props
  const budget = balance && budgetAfter({ ...props, balance })
  return budget != null && budget.total > 0 && budget.after_cents > budget.budget_cents
}

/** From 80 % of the account's budget on: what this order leaves of it, or that it is refused. */
export function BudgetNotice(props: Omit<Props, 'card'>) {
  const budget = budgetAfter(props)
  if (budget === null || budget.total === 0 || budget.after_cents < 0.8 * budget.budget_cents) return null
  const [after, most] = [budget.after_cents, budget.budget_cents].map((cents) => moneyText(cents, props.currency))
  const period = budget.budget_per === 'month' ? ' this month' : ''
  return (
    <Notice tone="warn">
      {budget.after_cents > budget.budget_cents
        ? `With this order the account would spend ${after}${period}, more than its budget of ${most}. It would be refused.`
        : `With this order the account has spent ${after} of its budget of ${most}${period}.`}
    </Notice>
  )
}

/** What an order takes from the balance, and what the card pays in for it, before anything is charged (decision 129). */
export function HowPaid(props: Props) {
  const { balance, card, summary, currency } = props
  if (summary.ready.length === 0) return null
  const money = (cents: number) => moneyText(cents, currency)
  const cardName = `${card.brand} ···· ${card.last_four}`
  const { balanceCents, paidInCents, leftCents, unknown } = forecast(props)
  return (
    <p className="text-sm text-ink-2 tabular-nums">
      {paidInCents === 0
        ? `${money(balanceCents)} from your balance of ${money(balance.balance_cents)}.`
        : `Your balance is ${money(balance.balance_cents)}: ${cardName} pays in ${money(paidInCents)}, and ${money(leftCents)} is left for further orders.`}
      {unknown > 0 &&
        ` For what is not priced yet, ${cardName} pays in at least ${money(balance.top_up_cents)} if the balance does not cover it.`}
    </p>
  )
}
