import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BillingDetails, InvoiceLine, Invoicing } from '../../../contract/account/invoices.ts'
import { hintOfVatNumber, readVatNumber } from '../../../contract/account/vat-number.ts'
import { account } from '../../base/api/account.ts'
import {
  type InvoiceFormat,
  invoiceFile,
  invoiceFormats,
  invoices,
  saveBilling,
  writeInvoice,
} from '../../base/api/invoices.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { Button } from '../../base/ui/button.tsx'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { Field, TextArea } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice, UnreadNotice } from '../../base/ui/notice.tsx'
import { saveFile } from '../../base/ui/save-file.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { Changes } from '../../signed-in/session/changes.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

/** Who is invoiced, and the invoices. */
export function InvoicesSection({ currency }: { currency: string }) {
  const { data, error, refetch } = useQuery(invoices.details(useSession()))
  const vat =
    !data || data.vat_percent === 0
      ? ''
      : data.details?.reverse_charge
        ? 'They are without VAT, which you account for yourselves.'
        : `They include ${data.vat_percent} % VAT.`
  return (
    <Section
      id="invoices"
      worksWhileClosed
      title="Invoices"
      words={`Prices are what you are charged, and nothing is added. ${vat} Receipts of files and months have the same name and address.`}
    >
      {error && <UnreadNotice what="Invoices" error={error} onAgain={() => void refetch()} />}
      {data === undefined && !error && <Skeleton className="h-48" />}
      <Changes>{data && <Details key={JSON.stringify(data.details)} details={data.details} />}</Changes>
      {data && <Open invoicing={data} currency={currency} />}
      <List />
    </Section>
  )
}

const nobody: BillingDetails = { company: '', address: '', vat_number: null, reverse_charge: false }
const changed = async (session: ReturnType<typeof useSession>) =>
  await queryClient.invalidateQueries({ queryKey: account.all(session) })

function Details({ details }: { details: BillingDetails | null }) {
  const session = useSession()
  const [typed, setTyped] = useState(details ?? nobody)
  const save = useMutation({
    mutationFn: () => saveBilling(session, typed),
    onSuccess: async () => {
      showToast({ tone: 'ok', title: 'Invoice details saved' })
      await changed(session)
    },
  })
  const wrong = whatIsWrong(typed)
  const isGood = typed.company.trim() !== '' && typed.address.trim() !== '' && wrong === null
  const isNew = JSON.stringify(typed) !== JSON.stringify(details ?? nobody)
  return (
    <form
      className="grid max-w-md gap-4 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isGood) save.mutate()
      }}
    >
      <Fields typed={typed} wrong={wrong} onChange={(change) => setTyped({ ...typed, ...change })} />
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
      <div className="flex items-center gap-3">
        <Button type="submit" disabled={!isGood || !isNew || save.isPending}>
          Save details
        </Button>
        {isNew && <span className="text-sm text-warn">Not saved yet</span>}
      </div>
    </form>
  )
}

/** Of the VAT number. */
function whatIsWrong({ vat_number, reverse_charge }: BillingDetails): string | null {
  const number = vat_number?.trim() ?? ''
  if (number === '') return reverse_charge ? 'Reverse charge needs one.' : null
  return readVatNumber(number) === null ? `This has not the form of a VAT number.${hintOfVatNumber(number)}` : null
}

type FieldsProps = { typed: BillingDetails; wrong: string | null; onChange: (change: Partial<BillingDetails>) => void }

function Fields({ typed: { company, address, vat_number, reverse_charge }, wrong, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label="Company or name"
        autoComplete="organization"
        maxLength={200}
        value={company}
        onChange={({ target }) => onChange({ company: target.value })}
      />
      <TextArea
        label="Address"
        autoComplete="street-address"
        rows={3}
        maxLength={500}
        value={address}
        onChange={({ target }) => onChange({ address: target.value })}
      />
      <Field
        label="VAT number"
        autoComplete="off"
        maxLength={40}
        value={vat_number ?? ''}
        hint="If you have one, with the letters of its country: DE123456789."
        error={wrong}
        onChange={({ target }) => onChange({ vat_number: target.value === '' ? null : target.value })}
      />
      <div>
        <LabelledCheckbox
          label="Reverse charge: we account for the VAT ourselves"
          checked={reverse_charge}
          onChange={({ target }) => onChange({ reverse_charge: target.checked })}
        />
        <p className="text-sm text-ink-3">
          Of orders from now on. For companies of another EU country than ours; the prices stay the same.
        </p>
      </div>
    </>
  )
}

/** What is on no invoice yet. */
function Open({
  invoicing: { details, open_cents, open_entries },
  currency,
}: {
  invoicing: Invoicing
  currency: string
}) {
  const session = useSession()
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose">
          {open_entries === 0 ? (
            'Everything that was charged is on an invoice.'
          ) : (
            <>
              <strong className="font-semibold tabular-nums">{moneyText(open_cents, currency)}</strong> on no invoice
              yet.{' '}
              {details === null
                ? 'Enter who is invoiced first.'
                : 'Once the month is over, an invoice of it is written.'}
            </>
          )}
        </p>
        {open_entries > 0 && details !== null && <Button onClick={() => setAsking(true)}>Write one now…</Button>}
      </div>
      {isAsking && (
        <FormDialog
          title={`Write an invoice of ${moneyText(open_cents, currency)}?`}
          description="It takes the next number, goes to who is invoiced now, and is never changed. What belongs on earlier invoices is on credit notes."
          submit="Write"
          onSubmit={async () => {
            const written = await writeInvoice(session)
            showToast({ tone: 'ok', title: `${written.map(({ id }) => id).join(', ')} written` })
            await changed(session)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function List() {
  const session = useSession()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(invoices.list(session))
  const save = useMutation({
    mutationFn: async ({ id, format }: { id: string; format: InvoiceFormat }) =>
      saveFile(await invoiceFile(session, id, format), `${id}.${format}`),
  })
  const rows = data?.pages.flatMap((page) => page.invoices) ?? []
  if (rows.length === 0) return null
  return (
    <div className="grid justify-items-start gap-2 border-t border-line pt-3">
      <ul aria-label="Invoices" className="grid w-full">
        {rows.map((row) => (
          <Row key={row.id} row={row} onSave={(format) => save.mutate({ id: row.id, format })} />
        ))}
      </ul>
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
      {hasNextPage && (
        <Button size="sm" onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
          Show more
        </Button>
      )}
    </div>
  )
}

function Row({ row, onSave }: { row: InvoiceLine; onSave: (format: InvoiceFormat) => void }) {
  const dates = useDates()
  const { id, kind, created, total_cents, currency, corrects } = row
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <span className="w-24 shrink-0 text-ink-3">{dates.dayOfYear(Date.parse(created))}</span>
      <span className="min-w-40 flex-1">
        <span className="font-medium">{id}</span>
        {kind === 'credit-note' && <span className="block text-sm text-ink-2">Credit note for {corrects}</span>}
      </span>
      <span className="ml-auto tabular-nums">{moneyText(total_cents, currency)}</span>
      <span className="flex gap-1.5">
        {(Object.keys(invoiceFormats) as InvoiceFormat[]).map((format) => {
          const name = invoiceFormats[format]
          return (
            <Button key={format} size="sm" aria-label={`${name} of ${id}`} onClick={() => onSave(format)}>
              {name}
            </Button>
          )
        })}
      </span>
    </li>
  )
}
