import type { Transaction } from 'kysely'
import { sandboxRetentionMs } from '../../contract/limits.ts'
import type { OrderOptions } from '../../contract/order-options.ts'
import { defaultRates, priceOf } from '../../contract/price.ts'
import { appendEvent, enqueueDelivery, nextFileVersion } from '../db/outbox.ts'
import type { Account, Database, FileRow } from '../db/schema.ts'
import { mintId } from '../ids.ts'
import type { StagedBlob, StagedContent } from '../media/blob-store.ts'
import { type MediaFacts, probeMedia } from '../media/probe.ts'
import type { Platform } from '../platform.ts'
import { type Charge, takeCharge, voidCharge } from './charge.ts'
import { deliveryDate } from './due-dates.ts'
import { duplicatesOf, joinDuplicates } from './duplicates.ts'
import { type Repeatable, rememberAnswer, withIdempotency } from './idempotency.ts'
import { requireHeaderFits } from './metadata-limit.ts'
import { recordingName } from './recording-name.ts'

/** What an order is made of. `staged` is whole; this order ends it, by keeping or discarding. */
export type OrderRequest = {
  account: Account
  options: OrderOptions
  staged: StagedBlob
  /** as the client gave it: text, never a path */
  fileName: string
  /** MIME type as the client declared it, undefined where it did not */
  declaredType: string | undefined
  /** decision 7; null where the client asked without a key */
  repeatable: Repeatable | null
}

/**
 * Makes an order of a staged recording: probes, prices, charges, and commits file, ledger entry and job as one
 * transaction. Whatever fails on the way leaves no file, no bytes and no charge (house rule 10).
 * @returns the file's id; with an idempotency key that has been used for the same, the id of then
 * @throws ServiceError 400, 402, 415, 422, 502, 507
 */
export async function createOrder(platform: Platform, request: OrderRequest): Promise<{ id: string }> {
  const { staged, repeatable, account } = request
  try {
    const content = await staged.finish()
    return await withIdempotency(platform, account.id, repeatable, { request, content }, () =>
      order(platform, request, content),
    )
  } finally {
    await staged.discard()
  }
}

async function order(platform: Platform, request: OrderRequest, content: StagedContent): Promise<{ id: string }> {
  const { staged, account, options } = request
  const facts = await probeMedia(staged.path, { contentType: request.declaredType, fileName: request.fileName })
  const duplicates = await duplicatesOf(platform, account.id, staged, content)
  const row = newRow(platform, request, content, facts, duplicates)
  requireHeaderFits(row)
  const charge = await takeCharge(platform, account, row.total_cents)
  const file = { ...row, transaction_id: charge.transactionId }
  try {
    await staged.keep(file.id)
    await platform.db.transaction().execute((trx) => writeOrder(trx, platform, request, file, charge, content))
  } catch (error) {
    await platform.blobs.remove(file.id)
    await voidCharge(platform, charge.idempotencyKey)
    throw error
  }
  const { changes } = platform
  changes.tell({ kind: 'file', accountId: account.id, fileId: file.id })
  changes.tell({ kind: 'delivery', accountId: account.id })
  changes.tell({ kind: 'job' })
  platform.log.info({ fileId: file.id, transcriptType: options.transcript_type }, 'ordered')
  return { id: file.id }
}

function newRow(
  { clock }: Platform,
  { account, options, fileName }: OrderRequest,
  { bytes, contentHash }: StagedContent,
  { extension, kind, durationMs }: MediaFacts,
  duplicates: readonly string[],
): FileRow {
  const now = clock()
  const price = priceOf(defaultRates, options, durationMs, account.discount_percent)
  return {
    id: mintId('f'),
    account_id: account.id,
    environment: account.environment,
    name: recordingName(fileName),
    media_extension: extension,
    media_kind: kind,
    content_hash: contentHash,
    bytes,
    duration_ms: durationMs,
    cost_cents: price.costCents,
    discount_cents: price.discountCents,
    total_cents: price.totalCents,
    refund_cents: 0,
    currency: account.currency,
    transaction_id: '',
    created_at: now,
    delivery_at: deliveryDate(options, durationMs, now),
    ready_at: null,
    delay_reason: waitsForTypists(account, options) ? noTypists : null,
    duplicates_json: duplicates.length === 0 ? null : JSON.stringify(duplicates),
    options_json: JSON.stringify(options),
    progress_percent: 0,
    version: 0,
    expires_at: account.environment === 'sandbox' ? now + sandboxRetentionMs : null,
    delete_when_ready: 0,
  }
}

/** What stands in `delay_reason` of a live manual order until the operator's workbench exists (decision 12). */
const noTypists = 'Nobody types manual orders on this service yet. The order waits; delete it for a full refund.'

function waitsForTypists(account: Account, options: OrderOptions): boolean {
  return account.environment === 'live' && options.transcript_type === 'manual'
}

/** Everything that must be true together: the file, the charge, the work, the answer to a repeated request. */
async function writeOrder(
  trx: Transaction<Database>,
  { clock }: Platform,
  request: OrderRequest,
  file: FileRow,
  charge: Charge,
  content: StagedContent,
): Promise<void> {
  const now = clock()
  const { account, options, repeatable } = request
  const written = { ...file, version: await nextFileVersion(trx) }
  await trx.insertInto('files').values(written).execute()
  await trx
    .insertInto('ledger')
    .values({
      account_id: account.id,
      kind: 'charge',
      transaction_id: file.transaction_id,
      file_id: file.id,
      file_name: file.name,
      transcript_type: options.transcript_type,
      duration_ms: file.duration_ms,
      amount_cents: file.total_cents,
      currency: file.currency,
      progress_percent: null,
      created_at: now,
      due_at: now,
      status: 'settled',
    })
    .execute()
  await joinDuplicates(trx, file)
  const kinds = waitsForTypists(account, options)
    ? ['peaks']
    : options.transcript_type === 'manual'
      ? ['peaks', 'recognise', 'type']
      : ['peaks', 'recognise']
  for (const kind of kinds) {
    await trx
      .insertInto('jobs')
      .values({
        id: mintId('j'),
        kind,
        file_id: file.id,
        account_id: account.id,
        state: 'waiting',
        run_after: now,
        attempts: 0,
        payload_json: '{}',
        created_at: now,
      })
      .execute()
  }
  await appendEvent(trx, account.id, 'file-created', { id: file.id }, now)
  await enqueueDelivery(trx, written, now)
  if (repeatable !== null) await rememberAnswer(trx, account.id, repeatable, { request, content }, file.id, now)
  await trx.deleteFrom('charge_intents').where('idempotency_key', '=', charge.idempotencyKey).execute()
}
