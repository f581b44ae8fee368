import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { moneyText } from '../../base/ui/money.ts'

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

/** The total cost of files, as far as known. */
export function totalsText(records: readonly FileRecord[]): string {
  const known = records.filter(({ totalCents }) => Number.isFinite(totalCents))
  return sumsText(known, ({ totalCents }) => totalCents)
}
