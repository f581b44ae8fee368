import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Balance } from '../../../contract/account/balance.ts'
import type { PaymentMethod } from '../../../contract/account/payment.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import { Button } from '../../base/ui/button.tsx'
import { clockText } from '../../base/ui/duration.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { HowPaid } from './how-paid.tsx'
import { type LinkLimit, LinkLimitField } from './link-limit.tsx'
import { BudgetNotices, type OrderBudget } from './order-budgets.tsx'
import { priceText, rangeText } from './price-text.ts'
import type { TraySummary } from './priced-tray.ts'

export type PayProps = {
  environment: Environment
  summary: TraySummary
  currency: string
  /** undefined: the service does not report it; null: none is saved */
  paymentMethod: PaymentMethod | null | undefined
  /** undefined: each order charges the card */
  balance: Balance | undefined
  budgets: readonly OrderBudget[]
  /** null: links have no price limit */
  linkLimit: LinkLimit | null
  /** something must be agreed to first */
  isBlocked: boolean
  onOrder: () => void
}

type Props = PayProps & {
  isOnline: boolean
  /** the choice of a project */
  project: ReactNode
  /** in the prices; 0: the customer accounts for it; undefined: none is set */
  vatPercent: number | undefined
  /** already taken off all prices but those by the minute */
  discountPercent: number
  /** hints and warnings before paying */
  children: ReactNode
  /** total and button are in a separate bar */
  hasBar: boolean
}

function buttonText({ ready, reading, total }: TraySummary, currency: string, linkLimit: LinkLimit | null): string {
  if (ready.length === 0) return reading > 0 ? 'Reading files…' : 'Upload and pay'
  if (total.unknown > 0 && linkLimit !== null) {
    const cents = total.cents + total.unknown * (linkLimit.cents ?? Number.NaN)
    return `Upload and pay ${priceText({ ...total, cents, certainty: 'most' }, currency)}`
  }
  if (total.unknown === ready.length) return `Upload and order ${formatCount(ready.length, 'file')}`
  const plus = total.unknown > 0 ? ' and more' : ''
  return `Upload and pay ${priceText(total, currency)}${plus}`
}

/** The only button that submits anything; its label shows the price. */
export function PayButton({ environment, summary, currency, paymentMethod, linkLimit, isBlocked, onOrder }: PayProps) {
  const lacksLimit = summary.total.unknown > 0 && linkLimit?.cents === null
  return (
    <Button
      variant={environment === 'sandbox' ? 'sandbox' : 'primary'}
      size="lg"
      className="tabular-nums"
      disabled={summary.ready.length === 0 || summary.reading > 0 || paymentMethod === null || lacksLimit || isBlocked}
      onClick={onOrder}
    >
      {buttonText(summary, currency, linkLimit)}
    </Button>
  )
}

/** The total, the card charged, and the button that submits the order. */
export function Checkout(props: Props) {
  const {
    environment,
    summary,
    currency,
    paymentMethod,
    balance,
    budgets,
    linkLimit,
    isOnline,
    vatPercent,
    discountPercent,
    project,
    children,
    hasBar,
  } = props
  const card = paymentMethod ?? undefined
  return (
    <div className="mt-4 grid gap-3 border-t border-line pt-3.5">
      <h2 className="text-md font-semibold">Pay</h2>
      {project}
      {!hasBar && <Total {...props} />}
      <Hints {...props} />
      {summary.total.unknown > 0 && linkLimit && <LinkLimitField limit={linkLimit} currency={currency} />}
      {balance && card && <HowPaid {...{ balance, card, summary, currency, linkLimit }} />}
      <BudgetNotices {...{ budgets, summary, currency, linkLimit, environment }} />
      {children}
      {paymentMethod === null && (
        <Notice tone="warn">
          No payment method is saved.{' '}
          <Link to={`/${environment}/settings/money#payment`} className="font-semibold underline">
            Add a card
          </Link>{' '}
          first.
        </Notice>
      )}
      {!hasBar && <PayButton {...props} />}
      <p className="text-center text-xs text-ink-3">
        {card && !balance && `${card.brand} ···· ${card.last_four} · `}
        {vatPercent !== undefined && `${vatText(vatPercent)} · `}
        {discountPercent > 0 && `Less your discount of ${discountPercent}% · `}
        {isOnline ? 'Partly refundable below 60%' : 'Offline: sent once the connection is back'}
      </p>
    </div>
  )
}

const vatText = (percent: number) =>
  percent === 0 ? 'Without VAT at the same price (reverse charge)' : `Includes ${percent}% VAT`

/** `3 files · 1:42:08` */
export function trayText({ ready, durationMs }: TraySummary): string {
  return `${formatCount(ready.length, 'file')}${durationMs > 0 ? ` · ${clockText(durationMs / 1_000)}` : ''}`
}

function Total({ summary, currency }: Pick<PayProps, 'summary' | 'currency'>) {
  const { ready, total } = summary
  return (
    <div className="flex items-baseline justify-between gap-3">
      <span className="text-ink-2 tabular-nums">{trayText(summary)}</span>
      {ready.length > total.unknown && (
        <strong className="text-lg font-bold tracking-tight tabular-nums">{priceText(total, currency)}</strong>
      )}
    </div>
  )
}

/** Parts of the total not yet known, and how exact it is. */
function Hints({ summary: { reading, total, unknownLengths }, currency }: Pick<PayProps, 'summary' | 'currency'>) {
  const range = total.certainty === 'about' ? rangeText(total, currency) : null
  return (
    <>
      {reading > 0 && <p className="text-sm text-ink-3">Reading {formatCount(reading, 'more file')}…</p>}
      {range && <p className="text-sm text-ink-3">Estimated from your earlier orders: between {range}.</p>}
      {unknownLengths > 0 && (
        <p className="text-sm text-ink-3">
          {formatCount(unknownLengths, 'file')} {unknownLengths === 1 ? 'is' : 'are'} measured and priced after the
          upload.
        </p>
      )}
    </>
  )
}
