import { Archive, ArrowDownToLine, File, LockKeyhole, ReceiptText, Tag, Trash2, X } from 'lucide-react'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { Button } from '../../../base/ui/button.tsx'
import { clockText } from '../../../base/ui/duration.ts'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { moneyText } from '../../../base/ui/money.ts'
import { countText } from '../../../base/ui/sizes.ts'

type Props = {
  count: number
  records: readonly FileRecord[]
  onDownload: () => void
  onReceipts: () => void
  onDelete: () => void
  /** null if the service keeps no tags */
  onLabels: (() => void) | null
  /** null if the service has no projects */
  onMove: (() => void) | null
  onArchive: () => void
  onHold: () => void
  onClear: () => void
}

/** Actions on the selected files, at the bottom of the window while there are any. */
export function SelectionBar({
  count,
  records,
  onDownload,
  onReceipts,
  onDelete,
  onClear,
  onLabels,
  onMove,
  onArchive,
  onHold,
}: Props) {
  if (count === 0) return null
  const seconds = records.reduce((sum, record) => sum + (Number.isFinite(record.seconds) ? record.seconds : 0), 0)
  const isArchived = records.every(({ labels }) => labels?.archived === true)
  const isHeld = records.every(({ labels }) => labels?.held)
  return (
    <section
      aria-label="Selected files"
      className="fixed bottom-7 left-1/2 z-20 flex max-w-[calc(100vw-1.5rem)] -translate-x-1/2 animate-rise items-center gap-2 phone:gap-1 rounded-lg border border-line bg-surface px-4 py-2 shadow-high phone:bottom-[4.5rem] phone:px-2"
    >
      <p className="mr-4 whitespace-nowrap phone:mr-1 phone:text-sm">
        <strong className="font-semibold">
          {countText(count)} <span className="phone:sr-only">selected</span>
        </strong>{' '}
        <span className="text-ink-2 tabular-nums phone:hidden">
          {clockText(seconds)} · {totalsText(records)}
        </span>
      </p>
      <Button size="sm" onClick={onDownload}>
        <ArrowDownToLine aria-hidden /> <span className="phone:sr-only">Download all as ZIP</span>
      </Button>
      <Button size="sm" onClick={onReceipts}>
        <ReceiptText aria-hidden /> <span className="phone:sr-only">Receipts</span>
      </Button>
      {onLabels && (
        <>
          <Button size="sm" onClick={onLabels}>
            <Tag aria-hidden /> <span className="phone:sr-only">Tags…</span>
          </Button>
          <Button size="sm" onClick={onArchive}>
            <Archive aria-hidden /> <span className="phone:sr-only">{isArchived ? 'Unarchive' : 'Archive'}</span>
          </Button>
          <Button size="sm" onClick={onHold}>
            <LockKeyhole aria-hidden /> <span className="phone:sr-only">{isHeld ? 'End the hold' : 'Hold'}</span>
          </Button>
        </>
      )}
      {onMove && (
        <Button size="sm" onClick={onMove}>
          <File aria-hidden /> <span className="phone:sr-only">Project…</span>
        </Button>
      )}
      <Button size="sm" variant="danger-outline" onClick={onDelete}>
        <Trash2 aria-hidden /> <span className="phone:sr-only">Delete…</span>
      </Button>
      <IconButton label="Clear selection" onClick={onClear}>
        <X aria-hidden />
      </IconButton>
    </section>
  )
}

/** Sums by currency: `$185.74`, `$185.74 + €20.00`. */
export function sumsText(records: readonly FileRecord[], centsOf: (record: FileRecord) => number): string {
  const sums = [...Map.groupBy(records, ({ metadata }) => metadata.currency)].map(([currency, group]) =>
    moneyText(
      group.reduce((sum, record) => sum + centsOf(record), 0),
      currency,
    ),
  )
  return sums.join(' + ') || '–'
}

/** What files cost, as far as it is known. */
export function totalsText(records: readonly FileRecord[]): string {
  const known = records.filter(({ totalCents }) => Number.isFinite(totalCents))
  return sumsText(known, ({ totalCents }) => totalCents)
}
