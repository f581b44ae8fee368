import type { OrderOptions } from '../../contract/option-values.ts'
import { differences } from '../options/option-words.ts'
import { lengthBySize, type PriceBook, type Quote, quote, sumQuotes } from '../options/price-book.ts'
import type { Line } from '../uploads/tray/line.ts'
import { optionsInForce } from './order-draft.ts'
import { findTwins, type KnownFile, type Verdict, verdictOf } from './verdict.ts'

/** A line of the tray with everything that is shown of it. */
export type PricedLine = {
  readonly line: Line
  readonly options: OrderOptions
  readonly durationMs: number | null
  readonly price: Quote | null
  readonly verdict: Verdict
  /** what it orders differently from the rest, in words */
  readonly differences: readonly string[]
}

function priceLine(line: Line, options: OrderOptions, book: PriceBook | null): Quote | null {
  const { inspection } = line
  if (book === null || inspection === null || inspection.format === null) return null
  const guess = () => lengthBySize(line.bytes, inspection.format ?? 'mp4', inspection.kind ?? 'audio')
  return quote(book, options, inspection.durationMs ?? guess(), inspection.durationMs !== null)
}

/**
 * The tray with prices and verdicts.
 * @param uploads what was ordered from here before, on its way or done
 * @param base options of the whole tray, over which a line's own stand
 * @param knownFile the account's file of this name (without extension) and size, if any
 */
export function priceTray(
  tray: readonly Line[],
  uploads: readonly Line[],
  base: OrderOptions,
  book: PriceBook | null,
  knownFile: (name: string, bytes: number) => KnownFile | null,
): PricedLine[] {
  const twins = findTwins(tray, uploads)
  return tray.map((line) => {
    const options = optionsInForce(base, line.overrides)
    const price = priceLine(line, options, book)
    const known = line.source.kind === 'file' ? knownFile(line.name, line.bytes) : null
    const verdict = verdictOf(line, twins.get(line.id) ?? null, known, price)
    return {
      line,
      options,
      durationMs: line.inspection?.durationMs ?? null,
      price: verdict.level === 'bad' ? null : price,
      verdict,
      differences: differences(options, base),
    }
  })
}

export type TraySummary = {
  /** what the button sends */
  readonly ready: readonly PricedLine[]
  readonly badIds: readonly string[]
  readonly reading: number
  readonly durationMs: number
  readonly unknownLengths: number
  readonly total: Quote & { readonly unknown: number }
}

/** What stands under the tray and on the button. */
export function summarize(priced: readonly PricedLine[]): TraySummary {
  const good = priced.filter(({ verdict }) => verdict.level !== 'bad')
  const ready = good.filter(({ line }) => line.source.kind === 'link' || line.inspection !== null)
  return {
    ready,
    badIds: priced.filter(({ verdict }) => verdict.level === 'bad').map(({ line }) => line.id),
    reading: good.length - ready.length,
    durationMs: ready.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
    unknownLengths: ready.filter(({ durationMs }) => durationMs === null).length,
    total: sumQuotes(ready.map(({ price }) => price)),
  }
}
