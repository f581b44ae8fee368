import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { vatCents } from '../../../contract/account/invoices.ts'
import type { LedgerLine } from '../../../contract/account/usage.ts'
import { account as accountQueries } from '../../base/api/account.ts'
import { useSettings } from '../../base/api/settings.ts'
import { Button, buttonClass } from '../../base/ui/button.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { pageClass } from '../../base/ui/page-header.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'

/** `Visa 4242`, `Balance`, or `Balance, after Visa 4242 paid in $20.00`; empty if unknown. */
export function paidWith({ via, card, top_up_cents, currency, kind }: LedgerLine): string {
  if (via !== 'balance') return card ?? ''
  if (kind === 'refund' || !top_up_cents) return 'Balance'
  return `Balance, after ${card} paid in ${moneyText(top_up_cents, currency)}`
}

type VatProps = { entries: readonly LedgerLine[]; totalCents: number; currency: string }

/** The VAT in a total, as a term and its description; none if there is none, or if charges have several rates. */
export function VatTerm({ entries, totalCents, currency }: VatProps) {
  const charges = entries.filter(({ kind }) => kind === 'charge')
  const percent = charges[0]?.vat_percent ?? 0
  if (percent === 0 || charges.some(({ vat_percent }) => vat_percent !== percent)) return null
  return (
    <>
      <dt className="text-ink-2">{percent}% VAT in it</dt>
      <dd className="text-right">{moneyText(vatCents(totalCents, percent), currency)}</dd>
    </>
  )
}

type Props = {
  /** path of the back link, below the environment: `files` */
  back: string
  backLabel: string
  title: string
  /** label and value, below seller and buyer; null until known */
  facts: readonly (readonly [string, string])[] | null
  /** who ordered, a line each; null: nobody had said so, and what the settings have now is shown */
  billedTo?: string | null
  wide?: boolean
  children: ReactNode
}

/** A printable receipt: number and dates, seller, buyer, and items. */
export function Paper({ back, backLabel, title, facts, billedTo = null, wide = false, children }: Props) {
  const session = useSession()
  const { environment } = session
  const { data: account } = useQuery(accountQueries.overview(session))
  return (
    <div className={pageClass}>
      <div className="flex items-center justify-between gap-4 print:hidden">
        <Link to={`/${environment}/${back}`} className={buttonClass('quiet')}>
          <ArrowLeft aria-hidden /> {backLabel}
        </Link>
        <Button onClick={() => window.print()} disabled={facts === null}>
          <Printer aria-hidden /> Print
        </Button>
      </div>
      {facts === null ? (
        <>
          <h1 className="sr-only">{title}</h1>
          {children}
        </>
      ) : (
        <article
          className={`mx-auto grid w-full gap-6 rounded-lg border border-line bg-surface p-8 phone:p-4 print:block print:space-y-6 print:border-0 print:p-0 ${wide ? 'max-w-4xl print:max-w-none' : 'max-w-xl'}`}
        >
          <header className="grid gap-1">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            {environment === 'sandbox' && <p className="text-sandbox">Sandbox: no money moved.</p>}
            {environment === 'live' && account?.is_test_money && (
              <p className="text-warn">Paid with a test card: no money moved.</p>
            )}
          </header>
          <Facts facts={facts} billedTo={billedTo} />
          {children}
          {account?.features.invoices && (
            <p className="text-sm text-ink-3">
              This is a receipt, and no invoice. Invoices are in the settings, under Money.
            </p>
          )}
        </article>
      )}
    </div>
  )
}

type FactsProps = { facts: readonly (readonly [string, string])[]; billedTo: string | null }

function Facts({ facts: [number, ...facts], billedTo }: FactsProps) {
  const session = useSession()
  const dates = useDates()
  const { data: account } = useQuery(accountQueries.overview(session))
  const { billing } = useSettings(session)
  const seller = account?.seller ?? ['Parley', location.host, account?.support_email].filter(Boolean).join(' · ')
  // What nobody had said at the payment may be changed since: two prints are told apart by the day.
  const asOf = billedTo === null ? `, as of ${dates.dayOfYear(Date.now())}` : ''
  const buyer = account && `${account.name} (${account.id})${asOf}`
  const saidNow = typeof billing === 'string' ? billing : null
  const all = [
    number,
    ['From', seller] as const,
    ['To', [billedTo ?? saidNow, buyer].filter(Boolean).join('\n')] as const,
    ...facts,
  ]
  return (
    <dl className="grid grid-cols-[8rem_1fr] gap-y-2">
      {all.map(
        (fact) =>
          fact?.[1] && (
            <div key={fact[0]} className="contents">
              <dt className="text-ink-2">{fact[0]}</dt>
              <dd className="min-w-0 break-words whitespace-pre-line">{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
