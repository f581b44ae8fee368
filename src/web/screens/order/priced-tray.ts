import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { differences } from '../../signed-in/options/option-words.ts'
import { lengthBySize, type PriceBook, type Quote, quote, sumQuotes } from '../../signed-in/options/price-book.ts'
import { type Comparisons, findSameSounds, findTwins } from '../../signed-in/uploads/tray/twins.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'
import { optionsInForce } from './order-draft.ts'
import { judgeUpload, type KnownFile, type Verdict } from './verdict.ts'

/** An upload of the tray with everything shown about it. */
export type PricedUpload = {
  readonly upload: Upload
  readonly options: OrderOptions
  readonly durationMs: number | null
  readonly price: Quote | null
  readonly verdict: Verdict
  /** its share of the free minutes; omitted: the service gives none, or not for it */
  readonly freeMs?: number
  /** a duplicate that is not wanted */
  readonly isLeftOut: boolean
  /** how its options differ from the tray's, in words */
  readonly differences: readonly string[]
}

function priceUpload(upload: Upload, options: OrderOptions, book: PriceBook | null): Quote | null {
  const { inspection } = upload
  if (book === null || inspection === null || inspection.format === null) return null
  const guess = () => lengthBySize(upload.bytes, inspection.format ?? 'mp4', inspection.kind ?? 'audio')
  return quote(book, options, inspection.durationMs ?? guess(), inspection.durationMs !== null)
}

/**
 * The tray with prices and verdicts.
 * @param submitted uploads ordered from here before, running or done
 * @param base options of the whole tray, which an upload's own override
 * @param knownFile the account's file with the same recording, if any
 * @param ordersDuplicates orders possible duplicates all the same
 */
export function priceTray(
  tray: readonly Upload[],
  submitted: readonly Upload[],
  base: OrderOptions,
  book: PriceBook | null,
  knownFile: (upload: Upload) => KnownFile | null,
  ordersDuplicates = false,
  comparisons: Comparisons = new Map(),
): PricedUpload[] {
  const twins = findTwins(tray, submitted, comparisons)
  const sounds = findSameSounds(tray, submitted)
  return tray.map((upload) => {
    const options = optionsInForce(base, upload.overrides)
    const price = priceUpload(upload, options, book)
    const likes = { twin: twins.get(upload.id) ?? null, known: knownFile(upload), sound: sounds.get(upload.id) ?? null }
    const verdict = judgeUpload(upload, likes, price)
    const isLeftOut = isDuplicate(verdict) && !ordersDuplicates
    return {
      upload,
      options,
      durationMs: upload.inspection?.durationMs ?? null,
      price: isLeftOut || verdict.level === 'bad' ? null : price,
      verdict,
      isLeftOut,
      differences: differences(options, base),
    }
  })
}

const isDuplicate = ({ level }: Verdict) => level === 'twin' || level === 'known' || level === 'alike'

export type TraySummary = {
  /** the uploads that the button submits */
  readonly ready: readonly PricedUpload[]
  /** ids of what the button does not submit and no action could: unwanted duplicates, and what cannot be ordered */
  readonly leftOut: readonly string[]
  /** possible duplicates of earlier orders */
  readonly duplicates: readonly PricedUpload[]
  /** uploads that lost their file in a reload */
  readonly fileNeeded: readonly Upload[]
  readonly reading: number
  readonly durationMs: number
  readonly unknownLengths: number
  readonly total: Quote & { readonly unknown: number }
}

/** The totals for the panel and its button. */
export function summarize(priced: readonly PricedUpload[]): TraySummary {
  const ofLevel = (level: Verdict['level']) =>
    priced.flatMap(({ upload, verdict }) => (verdict.level === level ? [upload] : []))
  const good = priced.filter(
    ({ verdict, isLeftOut }) => !isLeftOut && verdict.level !== 'bad' && verdict.level !== 'file-needed',
  )
  const ready = good.filter(
    ({ upload, verdict }) =>
      verdict.level !== 'comparing' && (upload.source.kind === 'link' || upload.inspection !== null),
  )
  return {
    ready,
    leftOut: priced.flatMap(({ upload, verdict, isLeftOut }) =>
      isLeftOut || verdict.level === 'bad' ? [upload.id] : [],
    ),
    duplicates: priced.filter(({ verdict }) => isDuplicate(verdict)),
    fileNeeded: ofLevel('file-needed'),
    reading: good.length - ready.length,
    durationMs: ready.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
    unknownLengths: ready.filter(({ durationMs }) => durationMs === null).length,
    total: sumQuotes(ready.map(({ price }) => price)),
  }
}
