import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type VatPart, vatWords } from '../../../contract/account/receipt-parties.ts'
import type { LedgerLine } from '../../../contract/account/usage.ts'
import { account as accountQueries } from '../../base/api/account.ts'
import { useSettings } from '../../base/api/settings.ts'
import { Button, buttonClass } from '../../base/ui/button.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { pageClass } from '../../base/ui/page-header.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'

/**
 * `Visa 4242`, `Balance`, or `Balance, after Visa 4242 paid in $20.00`; `Card` if which one is not recorded; empty if
 * unknown.
 */
export function paidWith({ via, card, top_up_cents, currency, kind }: LedgerLine): string {
  if (via !== 'balance') return card ?? (via === 'card' ? 'Card' : '')
  if (kind === 'refund' || !top_up_cents) return 'Balance'
  return `Balance, after ${card} paid in ${moneyText(top_up_cents, currency)}`
}

type VatProps = { parts: readonly VatPart[]; isAll: boolean; currency: string }

/**
 * The VAT in a total by its rates, as terms and their descriptions; none if there is none.
 * @param isAll the total has nothing beside what the one part has
 */
export function VatTerms({ parts, isAll, currency }: VatProps) {
  return parts.map((part) => (
    <div key={`${part.percent} ${part.isReverse}`} className="contents text-ink-2">
      <dt>{vatWords(part, isAll && parts.length === 1 ? 'it' : moneyText(part.totalCents, currency))}</dt>
      <dd className="text-right text-ink">{moneyText(part.vatCents, currency)}</dd>
    </div>
  ))
}

type Props = {
  /** path of the back link, below the environment: `files` */
  back: string
  backLabel: string
  title: string
  /** label and value, below seller and buyer; null until known */
  facts: readonly (readonly [string, string])[] | null
  /** a line each; null: nobody had said so, and what the settings have now is shown */
  billedTo?: string | null
  /** each section names its own party */
  isDivided?: boolean
  wide?: boolean
  children: ReactNode
}

/** Who is named in the settings, a line each. */
export function useNamedNow(): string | null {
  const { billing } = useSettings(useSession())
  return typeof billing === 'string' && billing !== '' ? billing : null
}

/** What nobody had said at the payment may be changed since: two prints are told apart by the day. */
export function useAsOf(): string {
  return `, as of ${useDates().dayOfYear(Date.now())}`
}

/** A printable receipt: number and dates, seller, buyer, and items. */
export function Paper({
  back,
  backLabel,
  title,
  facts,
  billedTo = null,
  isDivided = false,
  wide = false,
  children,
}: Props) {
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
          <Facts {...{ facts, billedTo, isDivided }} />
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

type FactsProps = { facts: readonly (readonly [string, string])[]; billedTo: string | null; isDivided: boolean }

function Facts({ facts: [number, ...facts], billedTo, isDivided }: FactsProps) {
  const session = useSession()
  const { data: account } = useQuery(accountQueries.overview(session))
  const saidNow = useNamedNow()
  const asOf = useAsOf()
  const seller = account?.seller ?? ['Parley', location.host, account?.support_email].filter(Boolean).join(' · ')
  const owner = account && `${account.name} (${account.id})`
  const buyer = [billedTo ?? saidNow, owner && `${owner}${billedTo === null ? asOf : ''}`].filter(Boolean).join('\n')
  const to = isDivided ? (['Account', owner ?? ''] as const) : (['To', buyer] as const)
  const all = [number, ['From', seller] as const, to, ...facts]
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
