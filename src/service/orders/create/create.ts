import { orderDurationHeader, orderTotalHeader } from '../../../contract/interface/headers.ts'
import { sandboxRetentionMs } from '../../../contract/interface/limits.ts'
import { extensionsOfMimeType } from '../../../contract/interface/media-formats.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import type { OrderSound } from '../../../contract/interface/order-sound.ts'
import { centsToDecimal, type Price } from '../../../contract/interface/price.ts'
import { requireWithinKeyLimit } from '../../accounts/auth/key-spending.ts'
import type { Config } from '../../platform/config.ts'
import { isDatabaseAway } from '../../platform/db/database-away.ts'
import type { Account, FileRow } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import type { StagedBlob, StagedContent } from '../../platform/media/blob-store.ts'
import { fetchLink } from '../../platform/media/fetch-link.ts'
import { displayName } from '../../platform/media/file-name.ts'
import { type MediaFacts, probeMedia } from '../../platform/media/probe.ts'
import { isWebPage, webPageError } from '../../platform/media/web-page-link.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { delayReasons } from '../file/delays.ts'
import { deliveryDate } from '../file/due-dates.ts'
import { findDuplicates, requireUnknown } from '../file/duplicates.ts'
import { requireHeaderFits } from '../file/file-metadata.ts'
import { requireWithinAccountBudget } from '../money/account-budget.ts'
import { withCharge } from '../money/charge.ts'
import { withFreeMinutes } from '../money/free-minutes.ts'
import { type Answer, fingerprint, once, type Repeatable } from '../money/idempotency.ts'
import type { AskedQuote } from '../money/quotes.ts'
import { type AskedProject, requireWithinBudget } from '../projects/order-into-project.ts'
import { priceOrder } from './price-order.ts'
import { countOrder, waitOfNew } from './queue-depth.ts'
import { countVoices, requireSound } from './require-sound.ts'
import { DownloadRoom, requireStorageRoom } from './storage-room.ts'
import { lacksTypists, writeOrder } from './write-order.ts'

type Ordered = {
  account: Account
  options: OrderOptions
  /** decision 7; null if the client sent no key */
  repeatable: Repeatable | null
  /** above this nothing is ordered (decision 87); null or absent: no limit */
  maxTotalCents?: number | null
  /** the preset of the order page; null or absent: none */
  preset?: string | null
  /** what is heard of the recording; null or absent: nothing in particular */
  sound?: OrderSound | null
  /** the client's name for what it orders together; null or absent: none */
  batch?: string | null
  /** its project, and whether it may exceed the budget; null or absent: none */
  project?: AskedProject | null
  /** what it names as the most that it costs (decision 143); null or absent: none */
  quote?: AskedQuote | null
  /** at most so many free milliseconds are used for it; null or absent: as many as there are */
  mostFreeMs?: number | null
  /** the card may pay in no more for it, and for all of its batch (decision 149); null or absent: what it takes */
  maxTopUpCents?: number | null
  /** nothing is ordered if the account has the same recording, byte for byte */
  refusesKnown?: boolean
  /** the resumable upload that becomes the order, unless it has been removed */
  uploadId?: string
}

/** What an order names besides its options, for its fingerprint: nothing if it names nothing. */
function readNamed({ preset = null, project = null, sound = null, quote = null }: Ordered): unknown[] {
  if (quote !== null) return [preset, project, sound, quote.id]
  if (sound !== null) return [preset, project, sound]
  return preset === null && project === null ? [] : [preset, project]
}

/** A complete, staged recording. The order keeps or discards it. */
type Recording = {
  staged: StagedBlob
  /** from the client: text, never used as a path */
  fileName: string
  /** the MIME type that the client declared, undefined if it did not */
  declaredType: string | undefined
}
export type OrderRequest = Ordered & Recording
export type LinkOrderRequest = Ordered & { link: string }

/**
 * Creates an order from a staged recording: probes, prices, charges, and commits file, ledger entry and job in one
 * transaction. A failure at any point leaves no file, no bytes and no charge.
 * @returns the file's id; if the idempotency key was already used for the same request, the id from then
 * @throws ServiceError 400, 402, 415, 422, 502, 507
 */
export async function createOrder(platform: Platform, request: OrderRequest): Promise<{ id: string }> {
  const { staged, fileName, declaredType, options } = request
  try {
    const content = await staged.finish()
    const asked = [content.contentHash, content.bytes, fileName, declaredType, options, ...readNamed(request)]
    return await once(platform, request.account.id, request.repeatable, fingerprint(asked), (answer) =>
      placeOrder(platform, request, content, answer),
    )
  } finally {
    await staged.discard()
  }
}

/**
 * Creates an order from a link, after downloading it completely (decision 8). A retry with the same key is answered
 * without downloading.
 * @throws ServiceError as `createOrder`; 400 if the link cannot be fetched, 413 if it is too large, 507 before it is
 *   downloaded if its server states a length that has no room
 */
export async function createOrderFromLink(
  platform: Platform,
  request: LinkOrderRequest,
  signal: AbortSignal,
): Promise<{ id: string }> {
  const asked = [request.link, request.options, ...readNamed(request)]
  return once(platform, request.account.id, request.repeatable, fingerprint(asked), async (answer) => {
    using room = new DownloadRoom(platform, request.account)
    const { id: account } = request.account
    const asked = { account, link: request.link, requireRoom: (bytes: number) => room.require(bytes) }
    const fetched = await fetchLink(platform.guard, platform.blobs, asked, signal)
    room[Symbol.dispose]()
    try {
      // A server's type is nobody's declaration: it only chooses among the formats that fit the bytes (decision 3).
      const isMedia = extensionsOfMimeType(fetched.contentType ?? '').length > 0
      const recording = { ...fetched, declaredType: isMedia ? fetched.contentType : undefined }
      return await placeOrder(platform, { ...request, ...recording }, await fetched.staged.finish(), answer)
    } catch (error) {
      if (!(error instanceof ServiceError && error.status === 415)) throw error
      const isPage = await fetched.staged.withMedia((source) => isWebPage(fetched.contentType, source))
      throw isPage ? webPageError(request.link) : error
    } finally {
      await fetched.staged.discard()
    }
  })
}

async function placeOrder(
  platform: Platform,
  request: OrderRequest,
  content: StagedContent,
  answer: Answer | null,
): Promise<{ id: string }> {
  const { staged, account, options, declaredType, fileName, uploadId } = request
  refuseManualOrders(platform.config, options)
  await requireStorageRoom(platform, account, content.bytes, uploadId)
  const declared = { contentType: declaredType, fileName }
  const facts = await staged.withMedia((source) => probeMedia(source, declared))
  requireSound(facts, request.sound ?? null)
  const duplicates = await findDuplicates(platform, account.id, staged, content)
  if (request.refusesKnown) requireUnknown(duplicates)
  const isUntyped = await lacksTypists(platform.db, account, options)
  const isHeard = options.transcript_type === 'automated'
  const soundMs = facts.durationMs * countVoices(facts, request.sound ?? null)
  // The promise has one length of the recording.
  const waitMs = isHeard ? (await waitOfNew(platform, account.id, soundMs)) + soundMs - facts.durationMs : 0
  const id = staged.fileId ?? mintId('f')
  const { durationMs } = facts
  const free = { fileId: id, account, options, durationMs, mostMs: request.mostFreeMs ?? null }
  const row = await withFreeMinutes(platform, free, async (freeMs) => {
    const price = await priceOrder(platform, request, durationMs, freeMs)
    const priced = newRow(platform, request, content, facts, { id, duplicates, isUntyped, waitMs, price })
    await payAndWrite(platform, request, priced, freeMs, answer)
    return priced
  })
  const { changes } = platform
  if (isHeard)
    countOrder(platform.db, { id: row.id, accountId: account.id, createdAt: row.created_at, leftMs: soundMs })
  changes.notify({ kind: 'file', accountId: account.id, fileId: row.id })
  changes.notify({ kind: 'delivery', accountId: account.id })
  changes.notify({ kind: 'job' })
  platform.log.info({ fileId: row.id, transcriptType: options.transcript_type }, 'ordered')
  return { id: row.id }
}

/** Charges an order and writes it; if either fails, nothing of it is left. */
async function payAndWrite(
  platform: Platform,
  request: OrderRequest,
  row: FileRow,
  freeMs: number,
  answer: Answer | null,
): Promise<void> {
  const { staged, account, options, uploadId, maxTopUpCents = null, batch = null } = request
  requireHeaderFits(row)
  await requireAffordable(platform, request, row)
  await withCharge(platform, account, { amountCents: row.total_cents, maxTopUpCents, batch }, async (charge) => {
    try {
      await staged.keep(row.id)
      const order = {
        account,
        options,
        file: { ...row, transaction_id: charge.transactionId },
        project: request.project ?? null,
        quote: request.quote ?? null,
        refusesKnown: request.refusesKnown ?? false,
        freeMs,
        vatPercent: platform.config.vatPercent,
        charge,
        answer,
        uploadId,
      }
      await writeAccount(platform.db, account.id, (trx) => writeOrder(trx, order, platform.clock()))
    } catch (error) {
      // If the database is unreachable, nobody knows whether the order exists; if not, its bytes are orphans.
      if (!isDatabaseAway(error) && !staged.isOfUpload) await platform.blobs.remove(row.id)
      throw error
    }
  })
}

/** @throws ServiceError 400, 409 if an order costs more than its limit, or than a budget has left */
async function requireAffordable(platform: Platform, request: OrderRequest, row: FileRow): Promise<void> {
  const { db, clock } = platform
  requireWithinLimit(row, request.maxTotalCents ?? null)
  await requireWithinBudget(db, request.account.id, row, request.project ?? null, clock())
  await requireWithinKeyLimit(db, row, clock())
  await requireWithinAccountBudget(db, request.account, row.total_cents, clock())
}

/** @throws ServiceError 422 for a manual order if the operator accepts none (decision 105) */
export function refuseManualOrders({ manualOrders }: Config, { transcript_type }: OrderOptions): void {
  if (manualOrders || transcript_type !== 'manual') return
  const words = 'This service takes no manual orders. Order with transcript_type=automated. Nothing was charged.'
  throw new ServiceError(422, words)
}

/**
 * @throws OverLimitError 400 if an order costs more than the customer's limit (decision 87); its headers have the price
 *   and length, so that a client can ask its user again
 */
function requireWithinLimit({ total_cents, currency, duration_ms }: FileRow, maxTotalCents: number | null): void {
  if (maxTotalCents === null || total_cents <= maxTotalCents) return
  const [price, limit] = [total_cents, maxTotalCents].map((cents) => `${centsToDecimal(cents)} ${currency}`)
  const words = `The order would cost ${price}, more than its limit of ${limit}. Nothing was charged.`
  const headers = { [orderTotalHeader]: String(total_cents), [orderDurationHeader]: String(duration_ms) }
  throw new OverLimitError(400, words, headers)
}

/** An order above its limit: the same recording is ordered under a higher one. */
export class OverLimitError extends ServiceError {}

/** Columns of a file to which nothing has happened yet. */
const untouched = {
  refund_cents: 0,
  transaction_id: '',
  promised_at: null,
  ready_at: null,
  progress_percent: 0,
  version: 0,
  delete_when_ready: 0,
  given_up: 0,
  readable_ms: null,
  heard_json: null,
  corrections: 0,
  review: 'draft',
  approved_revision: null,
  labels_json: null,
  project_id: null,
  keeping_since: null,
  recording_deleted_at: null,
  recording_deleted_by: null,
} as const

function newRow(
  platform: Platform,
  { account, options, preset, sound, batch, fileName }: OrderRequest,
  { bytes, contentHash }: StagedContent,
  { extension, kind, durationMs, seeksExactly }: MediaFacts,
  {
    id,
    duplicates,
    isUntyped,
    waitMs,
    price,
  }: { id: string; duplicates: readonly string[]; isUntyped: boolean; waitMs: number; price: Price },
): FileRow {
  const now = platform.clock()
  return {
    ...untouched,
    caption_rules_json: account.caption_rules_json,
    id,
    account_id: account.id,
    environment: account.environment,
    name: displayName(fileName),
    media_extension: extension,
    media_kind: kind,
    content_hash: contentHash,
    bytes,
    duration_ms: durationMs,
    cost_cents: price.costCents,
    discount_cents: price.discountCents,
    total_cents: price.totalCents,
    currency: account.currency,
    created_at: now,
    delivery_at: deliveryDate(options, durationMs, now, waitMs),
    delay_reason: isUntyped ? delayReasons.typists : null,
    duplicates_json: duplicates.length === 0 ? null : JSON.stringify(duplicates),
    options_json: JSON.stringify(options),
    expires_at: account.environment === 'sandbox' ? now + sandboxRetentionMs : null,
    preset: preset ?? null,
    sound: sound ?? null,
    batch: batch ?? null,
    listening_copy: seeksExactly ? null : 'needed',
  }
}
