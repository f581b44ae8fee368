import {
  maxQuotedMs,
  maxQuotes,
  parseDuration,
  type Quote,
  type QuotedFile,
  quoteValidMs,
} from '../../../contract/account/quotes.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { optionNames } from '../../../contract/interface/option-values.ts'
import {
  calculatePrice,
  centsPerMinute,
  type Price,
  priceBeyond,
  type Rates,
} from '../../../contract/interface/price.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Account, FileRow, QuoteRow } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readFreeMinutes } from './free-minutes.ts'
import { getRates } from './get-rates.ts'

/** The quote that an order names, and when it did: an upload may take longer than the quote is valid. */
export type AskedQuote = { id: string; at: number }

/** Recordings are named by lengths in whole seconds: one that is longer by less counts as that long. */
const roundedMs = 1_000
/** Told as expired for so long, then as unknown; a resumable upload may become an order that late. */
const keptMs = 7 * 24 * 60 * 60_000

/** @throws ServiceError 400 naming the recording whose length is none */
function lengthOf({ seconds, duration }: QuotedFile, index: number): number {
  const which = `Recording ${index + 1} of the quote`
  if ((seconds === undefined) === (duration === undefined))
    throw new ServiceError(400, `${which} needs either "seconds" or "duration".`)
  const ms = seconds === undefined ? parseDuration(duration ?? '') : Math.round(seconds * 1_000)
  if (ms === null) throw new ServiceError(400, `${which}: "duration" is a text such as 1:02:30 or 62:30.`)
  if (ms >= 1 && ms <= maxQuotedMs) return ms
  throw new ServiceError(400, `${which} must be longer than 0 and no longer than ${maxQuotedMs / 3_600_000} hours.`)
}

/**
 * Says what recordings of these lengths cost with these options, and keeps it for orders that name it.
 * @param options resolved as those of an order
 * @throws ServiceError 400 for a wrong length, 429 if the account has too many that are valid
 */
export async function makeQuote(
  platform: Platform,
  account: Account,
  options: OrderOptions,
  files: readonly QuotedFile[],
): Promise<Quote> {
  const rates = getRates(platform, account.currency)
  const { discount_percent, currency } = account
  const lengths = files.map(lengthOf)
  const lines = lengths.map((ms) => ({ ms, ...calculatePrice(rates, options, ms, discount_percent) }))
  const [id, now] = [mintId('quo_'), platform.clock()]
  const expires_at = now + quoteValidMs
  await writeAccount(platform.db, account.id, async (trx) => {
    await requireFewQuotes(trx, now)
    const told = { options_json: JSON.stringify(options), rates_json: JSON.stringify(rates), discount_percent }
    const row = { id, account_id: account.id, currency, ...told, created_at: now, expires_at }
    await trx.insertInto('quotes').values(row).execute()
    const priced = lines.map(({ ms, totalCents }, position) => {
      return { quote_id: id, position, duration_ms: ms, total_cents: totalCents, file_id: null }
    })
    await trx.insertInto('quote_lines').values(priced).execute()
  })
  return {
    ...{ id, expires: iso(expires_at), currency, options, discount_percent },
    per_minute_cents: centsPerMinute(rates, options),
    lines: lines.map(({ ms, costCents, discountCents, totalCents }) => {
      return { seconds: ms / 1_000, cost_cents: costCents, discount_cents: discountCents, total_cents: totalCents }
    }),
    total_cents: lines.reduce((sum, { totalCents }) => sum + totalCents, 0),
    free_minutes: await readFreeMinutes(platform, account.id),
  }
}

async function requireFewQuotes(trx: AccountTrx, now: number): Promise<void> {
  const { valid } = await trx
    .selectFrom('quotes')
    .select((eb) => eb.fn.countAll<number>().as('valid'))
    .where('account_id', '=', trx.accountId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (valid < maxQuotes) return
  const words = `At most ${maxQuotes} quotes of an account are valid at once; one holds many recordings. Each ends after 15 minutes.`
  throw new ServiceError(429, words, { 'retry-after': '60' })
}

const uncharged = 'Nothing was charged.'

/**
 * Finds the quote that an order names, before anything is read or charged.
 * @param isRetry a retry of an order that was made is answered, whenever it comes
 * @throws ServiceError 404 if the account has no such quote; 409 if it was for other options, or has expired
 */
export async function requireQuote(
  db: Db,
  { id: accountId, currency }: Pick<Account, 'id' | 'currency'>,
  asked: AskedQuote,
  options: OrderOptions,
  isRetry = false,
): Promise<QuoteRow> {
  const row = db.selectFrom('quotes').selectAll().where('id', '=', asked.id).where('account_id', '=', accountId)
  const quote = await row.executeTakeFirst()
  if (quote === undefined)
    throw new ServiceError(404, `Quote-Id names no quote of this account. ${uncharged} POST /account/quotes makes one.`)
  if (quote.expires_at <= asked.at && !isRetry)
    throw new ServiceError(409, `The quote expired at ${iso(quote.expires_at)}. ${uncharged} Ask for a new one.`)
  const quoted = JSON.parse(quote.options_json) as OrderOptions
  const other = optionNames.find((name) => String(quoted[name]) !== String(options[name]))
  if (other !== undefined || quote.currency !== currency) {
    const words = other === undefined ? 'in another currency' : `for another ${other} than the order has`
    throw new ServiceError(409, `The quote is ${words}. ${uncharged} Ask for a new one.`)
  }
  return quote
}

/** The shortest recording of a quote that nobody has ordered and that is as long as this one. */
async function findLine(db: Db | Trx, quoteId: string, { duration_ms }: Pick<FileRow, 'duration_ms'>, leastCents = 0) {
  return await (db as Db)
    .selectFrom('quote_lines')
    .selectAll()
    .where('quote_id', '=', quoteId)
    .where('file_id', 'is', null)
    .where('duration_ms', '>', duration_ms - roundedMs)
    .where('total_cents', '>=', leastCents)
    .orderBy('duration_ms')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/**
 * The price of a recording by the rates of a quote, which is no more than its line says.
 * @throws ServiceError 409 if it has been used, or the recording is longer than those that are left
 */
export async function priceByQuote(
  db: Db,
  quote: QuoteRow,
  options: OrderOptions,
  file: Pick<FileRow, 'duration_ms'>,
  freeMs: number,
): Promise<Price> {
  const line = await findLine(db, quote.id, file)
  if (line === undefined) throw await noLine(db, quote.id, file)
  const lengthMs = Math.min(file.duration_ms, line.duration_ms)
  return priceBeyond(freeMs, JSON.parse(quote.rates_json) as Rates, options, lengthMs, quote.discount_percent)
}

async function noLine(db: Db | Trx, quoteId: string, { duration_ms }: Pick<FileRow, 'duration_ms'>) {
  const left = (db as Db).selectFrom('quote_lines').select((eb) => eb.fn.max('duration_ms').as('longest'))
  const { longest = null } =
    (await left.where('quote_id', '=', quoteId).where('file_id', 'is', null).executeTakeFirst()) ?? {}
  const words =
    longest === null
      ? 'The quote has been used: each of its recordings is ordered once.'
      : `The recording is ${duration_ms / 1_000} s long, and what is left of the quote at most ${Number(longest) / 1_000} s.`
  return new ServiceError(409, `${words} ${uncharged} Ask for a new one.`)
}

/** Marks what an order uses of its quote, in the transaction that writes it. @throws ServiceError 409 if another was faster */
export async function useQuote(trx: AccountTrx, quoteId: string, file: FileRow): Promise<void> {
  const line = await findLine(trx, quoteId, file, file.total_cents)
  if (line === undefined) throw await noLine(trx, quoteId, file)
  await trx
    .updateTable('quote_lines')
    .set({ file_id: file.id })
    .where('quote_id', '=', quoteId)
    .where('position', '=', line.position)
    .execute()
}

/** Deletes quotes that expired a week ago. */
export async function purgeQuotes({ db, clock }: Platform): Promise<void> {
  await db
    .deleteFrom('quotes')
    .where('expires_at', '<', clock() - keptMs)
    .execute()
}
