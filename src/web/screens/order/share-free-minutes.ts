import { type PriceBook, quote } from '../../signed-in/options/price-book.ts'
import { isUnderWay, type Upload } from '../../signed-in/uploads/tray/upload.ts'
import type { PricedUpload } from './priced-tray.ts'

/** Shares that uploads in progress were promised, which the service has not counted yet. */
function promisedMs(submitted: readonly Upload[]): number {
  const underWay = submitted.filter(isUnderWay)
  return underWay.reduce((sum, { agreement }) => sum + (agreement?.freeMs ?? 0), 0)
}

/**
 * Shares what is left of the free minutes among the tray (decision 144), in its order: each upload is told its share, so
 * that the service charges the price that stands beside it, whichever arrives first. What has an unknown length comes
 * last, and its price stays what it costs at most.
 */
export function shareFreeMinutes(
  rows: readonly PricedUpload[],
  submitted: readonly Upload[],
  book: PriceBook | null,
): PricedUpload[] {
  if (book?.kind !== 'rates' || book.freeMs === undefined) return [...rows]
  let leftMs = Math.max(0, book.freeMs - promisedMs(submitted))
  const take = (row: PricedUpload, isKnown: boolean): PricedUpload => {
    const isLink = row.upload.source.kind === 'link'
    const counts = row.options.transcript_type === 'automated' && (row.price !== null || isLink) && !row.isLeftOut
    if (!counts || (row.durationMs !== null && !isLink) !== isKnown) return row
    const freeMs = isKnown ? Math.min(leftMs, row.durationMs ?? 0) : leftMs
    leftMs -= freeMs
    return { ...row, freeMs, price: isKnown ? quote(book, row.options, row.durationMs ?? 0, true, freeMs) : row.price }
  }
  const known = rows.map((row) => take(row, true))
  return known.map((row) => take(row, false))
}
