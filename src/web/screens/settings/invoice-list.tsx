import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { InvoiceLine } from '../../../contract/account/invoices.ts'
import { type InvoiceFormat, invoiceFile, invoiceFormats, invoices } from '../../base/api/invoices.ts'
import { Button } from '../../base/ui/button.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { saveFile } from '../../base/ui/save-file.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { saveCsv } from '../../signed-in/preferences/save-csv.ts'
import { useSession } from '../../signed-in/session/session.ts'

/** Invoices and credit notes, the newest first, each to be saved; nothing while there are none. */
export function InvoiceList() {
  const session = useSession()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(invoices.list(session))
  const save = useMutation({
    mutationFn: async ({ id, format }: { id: string; format: InvoiceFormat }) => {
      const [file, name] = [await invoiceFile(session, id, format), `${id}.${format}`]
      return file.type.startsWith('text/csv') ? saveCsv(await file.text(), name) : saveFile(file, name)
    },
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
