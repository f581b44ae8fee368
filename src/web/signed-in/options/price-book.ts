import type { AccountOverview } from '../../../contract/account/account.ts'
import type { MediaExtension } from '../../../contract/interface/media-formats.ts'
import type { FileMetadata } from '../../../contract/interface/metadata.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { decimalToCents, priceBeyond, type Rates } from '../../../contract/interface/price.ts'

/** Rate in cents per minute that an account has paid so far: lowest, median and highest. */
type LearnedRate = { readonly low: number; readonly middle: number; readonly high: number }

/** Source of prices. */
export type PriceBook =
  | {
      readonly kind: 'rates'
      readonly rates: Rates
      readonly discountPercent: number
      readonly currency: string
      /** free milliseconds that are left this month; omitted: the service gives none */
      readonly freeMs?: number
    }
  /** the service publishes no rates: learned from the cost of the account's own orders */
  | {
      readonly kind: 'learned'
      readonly rates: { readonly [type in OrderOptions['transcript_type']]: LearnedRate | null }
      readonly currency: string
    }

/** A price, or the range of an estimate. */
export type Quote = {
  readonly cents: number
  readonly lowCents: number
  readonly highCents: number
  /** `exact` and `most`: never charged more without a question (decision 87); `about`: the charge may differ */
  readonly certainty: 'exact' | 'most' | 'about'
}

/** The price book of a service that publishes its rates. */
export function readPriceBook(overview: AccountOverview): PriceBook {
  const { rates, discount_percent: discountPercent, currency } = overview
  const free = overview.free_minutes
  return { kind: 'rates', rates, discountPercent, currency, ...(free && { freeMs: free.left_seconds * 1_000 }) }
}

function learn(perMinute: readonly number[]): LearnedRate | null {
  const sorted = perMinute.toSorted((a, b) => a - b)
  const [low, middle, high] = [sorted.at(0), sorted.at(Math.floor(sorted.length / 2)), sorted.at(-1)]
  return low === undefined || middle === undefined || high === undefined ? null : { low, middle, high }
}

/** Learns the rate per minute from the account's own files, by their totals and seconds (spec 2.2). */
export function learnBook(history: readonly FileMetadata[]): PriceBook {
  const known = history.filter(({ seconds, total }) => Number(seconds) > 0 && Number.isFinite(total))
  const rateOf = (type: OrderOptions['transcript_type']) =>
    learn(
      known
        .filter(({ options }) => options.transcript_type === type)
        .map(({ total, seconds }) => (decimalToCents(total) * 60) / Number(seconds)),
    )
  return {
    kind: 'learned',
    rates: { automated: rateOf('automated'), manual: rateOf('manual') },
    currency: known.at(-1)?.currency ?? '',
  }
}

/** Few bytes per second by format: the longest that a file is likely to be if its length cannot be read. */
const fewBytesPerSecond: Partial<Record<MediaExtension, number>> = {
  wav: 16_000,
  aif: 88_200,
  aiff: 88_200,
  flac: 30_000,
  amr: 800,
  mxf: 1_000_000,
  mts: 200_000,
}

/** A generous length from the size alone, in milliseconds. */
export function lengthBySize(bytes: number, format: MediaExtension, kind: 'audio' | 'video'): number {
  const bytesPerSecond = fewBytesPerSecond[format] ?? (kind === 'audio' ? 6_000 : 50_000)
  return Math.round((bytes / bytesPerSecond) * 1_000)
}

/**
 * The price of a recording with these options; null if no rate is known.
 * @param isLengthKnown false: the length is an estimate, and so is the price
 * @param freeMs so much of it is free
 */
export function quote(
  book: PriceBook,
  options: OrderOptions,
  durationMs: number,
  isLengthKnown: boolean,
  freeMs = 0,
): Quote | null {
  if (book.kind === 'rates') {
    const cents = priceBeyond(freeMs, book.rates, options, durationMs, book.discountPercent).totalCents
    return { cents, lowCents: cents, highCents: cents, certainty: isLengthKnown ? 'exact' : 'most' }
  }
  const rate = book.rates[options.transcript_type]
  if (rate === null) return null
  const [cents, lowCents, highCents] = [rate.middle, rate.low, rate.high].map((perMinute) =>
    Math.round((perMinute * durationMs) / 60_000),
  ) as [number, number, number]
  return { cents, lowCents, highCents, certainty: 'about' }
}

/** Sums quotes; lines without a quote count in `unknown`. */
export function sumQuotes(quotes: readonly (Quote | null)[]): Quote & { unknown: number } {
  const known = quotes.filter((one) => one !== null)
  const sum = (pick: (one: Quote) => number) => known.reduce((total, one) => total + pick(one), 0)
  return {
    cents: sum(({ cents }) => cents),
    lowCents: sum(({ lowCents }) => lowCents),
    highCents: sum(({ highCents }) => highCents),
    certainty: (['about', 'most'] as const).find((one) => known.some(({ certainty }) => certainty === one)) ?? 'exact',
    unknown: quotes.length - known.length,
  }
}
