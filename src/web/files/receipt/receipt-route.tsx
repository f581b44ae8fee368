import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { decimalToCents } from '../../../contract/price.ts'
import { account as accountQueries } from '../../api/account.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { useFile } from '../../library/use-file.ts'
import { orderText } from '../../options/order-text.ts'
import { useDates } from '../../preferences/preferences.ts'
import { useSession } from '../../session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { clockText } from '../../ui/duration.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { moneyText } from '../../ui/money.ts'
import { pageClass } from '../../ui/page-header.tsx'
import { sizeText } from '../../ui/sizes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Receipt of one file (`/:env/files/:id/receipt`), to be printed. */
export function Component() {
  const session = useSession()
  const { id = '' } = useParams()
  const { record, error } = useFile(id)
  return (
    <div className={pageClass}>
      <div className="flex items-center justify-between gap-4 print:hidden">
        <Link to={`/${session.environment}/files`} className={buttonClass('quiet')}>
          <ArrowLeft aria-hidden /> Files
        </Link>
        <Button onClick={() => window.print()} disabled={!record}>
          <Printer aria-hidden /> Print
        </Button>
      </div>
      {record ? (
        <Receipt record={record} sandbox={session.environment === 'sandbox'} />
      ) : error ? (
        <EmptyState title="The receipt could not be loaded">{error.message}</EmptyState>
      ) : (
        <Skeleton className="mx-auto h-96 w-full max-w-xl" />
      )}
    </div>
  )
}

/** Longer than most: one row after the other. */
function Receipt({ record, sandbox }: { record: FileRecord; sandbox: boolean }) {
  const { metadata } = record
  const dates = useDates()
  const money = (decimal: string) => moneyText(decimal === '' ? Number.NaN : decimalToCents(decimal), metadata.currency)
  const { data: account } = useQuery(accountQueries.overview(useSession()))
  const facts: [string, string][] = [
    ['Receipt number', metadata.transaction_id || '–'],
    ['From', ['Parley', location.host, account?.support_email].filter(Boolean).join(' · ')],
    ...(account ? [['To', `${account.name} (${account.id})`] as [string, string]] : []),
    ['Recording', metadata.name || record.id],
    ['File', record.id],
    ['Ordered', dates.date(record.createdAt)],
    ['Length', clockText(record.seconds)],
    ['Size', sizeText(Number(metadata.bytes || Number.NaN))],
    ['Order', orderText(metadata.options)],
  ]
  return (
    <article className="mx-auto grid w-full max-w-xl gap-6 rounded-lg border border-line bg-surface p-8 print:border-0 print:p-0">
      <header className="grid gap-1">
        <h1 className="text-xl font-semibold tracking-tight">Receipt</h1>
        {sandbox && <p className="text-sandbox">Sandbox: no money moved.</p>}
      </header>
      <dl className="grid grid-cols-[8rem_1fr] gap-y-2">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-2">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <dl className="grid grid-cols-[1fr_auto] gap-y-2 border-t border-line pt-4 tabular-nums">
        <dt className="text-ink-2">Cost</dt>
        <dd className="text-right">{money(metadata.cost)}</dd>
        <dt className="text-ink-2">Discount</dt>
        <dd className="text-right">{money(metadata.discount)}</dd>
        {Number(metadata.refund_amount) > 0 && (
          <>
            <dt className="text-ink-2">Refunded</dt>
            <dd className="text-right">{money(metadata.refund_amount)}</dd>
          </>
        )}
        <dt className="font-semibold">Total, {metadata.currency}</dt>
        <dd className="text-right text-md font-semibold">{moneyText(record.totalCents, metadata.currency)}</dd>
      </dl>
    </article>
  )
}
