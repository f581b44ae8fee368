import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BillingDetails, InvoicePlan, Invoicing } from '../../../contract/account/invoices.ts'
import { hintOfVatNumber, readVatNumber } from '../../../contract/account/vat-number.ts'
import { account } from '../../base/api/account.ts'
import { invoices, saveBilling, writeInvoice } from '../../base/api/invoices.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { Button } from '../../base/ui/button.tsx'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { Field, TextArea } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice, UnreadNotice } from '../../base/ui/notice.tsx'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { Changes } from '../../signed-in/session/changes.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { InvoiceList } from './invoice-list.tsx'
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
      <Changes>
        {data && <Details key={JSON.stringify(data.details)} details={data.details} hasVat={data.vat_percent > 0} />}
      </Changes>
      {data && <Open invoicing={data} currency={currency} />}
      <InvoiceList />
    </Section>
  )
}

const nobody: BillingDetails = { company: '', address: '', vat_number: null, reverse_charge: false }
const changed = async (session: ReturnType<typeof useSession>) =>
  await queryClient.invalidateQueries({ queryKey: account.all(session) })

function Details({ details, hasVat }: { details: BillingDetails | null; hasVat: boolean }) {
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
      <Fields
        {...{ typed, wrong }}
        hasReverse={hasVat || typed.reverse_charge}
        onChange={(change) => {
          save.reset()
          setTyped({ ...typed, ...change })
        }}
      />
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
  return readVatNumber(number) === null ? `This does not look like a VAT number.${hintOfVatNumber(number)}` : null
}

type FieldsProps = {
  typed: BillingDetails
  wrong: string | null
  /** whether there is VAT that the customer could account for */
  hasReverse: boolean
  onChange: (change: Partial<BillingDetails>) => void
}

function Fields({ typed, wrong, hasReverse, onChange }: FieldsProps) {
  const { company, address, vat_number, reverse_charge } = typed
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
      {hasReverse && (
        <div>
          <LabelledCheckbox
            label="Reverse charge: we account for the VAT ourselves"
            checked={reverse_charge}
            onChange={({ target }) => onChange({ reverse_charge: target.checked })}
          />
          <p className="text-sm text-ink-3">For companies of another EU country than ours; the prices stay the same.</p>
        </div>
      )}
      <p className="text-sm text-ink-3">
        For recordings that arrive from now on: each is charged when it has arrived, to the company and with the VAT of
        that moment. What was charged before goes to whom it was charged to; a corrected address holds for it, too,
        until it is on an invoice.
      </p>
    </>
  )
}

/** What is on no invoice yet, by paper if there are several, and a dialog that names what would be written. */
function Open({ invoicing, currency }: { invoicing: Invoicing; currency: string }) {
  const { details, open_cents, open_entries, plan } = invoicing
  const { environment } = useSession()
  const [isAsking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const text = useRef<HTMLParagraphElement>(null)
  const isWritten = useRef(false)
  const next =
    details === null
      ? 'Enter who is invoiced first.'
      : environment === 'live'
        ? 'It is invoiced once the month is over.'
        : 'In the sandbox it is invoiced only when you ask.'
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p ref={text} tabIndex={-1} className="max-w-prose">
          {open_entries === 0 ? (
            'Nothing is left to be invoiced.'
          ) : plan.length > 1 ? (
            `This is on no invoice yet. ${next}`
          ) : (
            <>
              <strong className="font-semibold tabular-nums">{moneyText(open_cents, currency)}</strong> on no invoice
              yet. {next}
            </>
          )}
        </p>
        {open_entries > 0 && details !== null && (
          <Button
            ref={button}
            onClick={() => {
              isWritten.current = false
              setAsking(true)
            }}
          >
            Write one now…
          </Button>
        )}
      </div>
      {plan.length > 1 && <Plan plan={plan} currency={currency} />}
      {isAsking && (
        <WriteDialog
          {...{ plan, currency }}
          // Once all is written, the button that opened it goes.
          finalFocus={() => (isWritten.current ? text.current : button.current)}
          onWritten={() => {
            isWritten.current = true
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

type PlanProps = { plan: readonly InvoicePlan[]; currency: string }

/** Each paper with its sum and whom it goes to: what goes to one company is never added to what another gets back. */
function Plan({ plan, currency }: PlanProps) {
  return (
    <ul aria-label="To be written" className="grid gap-1">
      {plan.map(({ kind, corrects, total_cents, company, vat_percent }, index) => (
        <li key={index} className="flex justify-between gap-4">
          <span>
            {kind === 'invoice' ? 'Invoice' : `Credit note for ${corrects}`} to {company ?? 'nobody (erased)'}
            <span className="block text-sm text-ink-3">
              {vat_percent > 0 ? `${vat_percent}% VAT in it` : 'Without VAT'}
            </span>
          </span>
          <span className="whitespace-nowrap tabular-nums">{moneyText(total_cents, currency)}</span>
        </li>
      ))}
    </ul>
  )
}

type WriteProps = PlanProps & { finalFocus: () => HTMLElement | null; onWritten: () => void; onClose: () => void }

/** Names what will be written: numbers are given once. */
function WriteDialog({ plan, currency, finalFocus, onWritten, onClose }: WriteProps) {
  const session = useSession()
  const isOne = plan.length === 1
  return (
    <FormDialog
      title={isOne ? `Write this ${plan[0]?.kind === 'invoice' ? 'invoice' : 'credit note'}?` : 'Write these?'}
      description={`${isOne ? 'It takes the next number and is' : 'Each takes the next number, and they are'} never changed.`}
      submit="Write"
      finalFocus={finalFocus}
      onSubmit={async () => {
        const written = await writeInvoice(session)
        onWritten()
        showToast({ tone: 'ok', title: `${written.map(({ id }) => id).join(', ')} written` })
        await changed(session)
      }}
      onClose={onClose}
    >
      <Plan plan={plan} currency={currency} />
    </FormDialog>
  )
}
