import { maxFileBytes } from '../../../contract/interface/limits.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import type { OrderSound } from '../../../contract/interface/order-sound.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { orderedProject } from '../../accounts/auth/key-limits.ts'
import { requireStorageRoom } from '../../orders/create/storage-room.ts'
import { requirePaymentMethod } from '../../orders/money/charge.ts'
import { readMostFree } from '../../orders/money/free-minutes.ts'
import type { AskedQuote } from '../../orders/money/quotes.ts'
import type { AskedProject } from '../../orders/projects/order-into-project.ts'
import { checkDeclaredType } from '../../platform/media/sniff.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { parseIdempotencyKey } from '../http/read-request.ts'
import {
  parseOrderOptions,
  parsePreset,
  readOrderBatch,
  readOrderProject,
  readOrderQuote,
  readOrderSound,
  readRefusal,
  requireKnownNames,
} from '../v1/files.ts'
import { parseCents, parseMaxTotal } from '../v1/order-limit.ts'
import type { UploadMetadata } from './tus-headers.ts'
import type { UploadBytes } from './upload-bytes.ts'

/** The order that an upload will become; column `request_json`. */
export type UploadRequest = {
  fileName: string
  declaredType: string
  /** resolved when the upload was created */
  options: OrderOptions
  /** sent by the client; null if it sent none */
  idempotencyKey: string | null
  /** above this nothing is ordered (decision 87), unless the order is requested under another limit; null: none */
  maxTotalCents: number | null
  preset: string | null
  project: AskedProject | null
  /** absent in uploads from before it existed */
  sound?: OrderSound | null
  batch?: string | null
  quote?: AskedQuote | null
  mostFreeMs?: number | null
  maxTopUpCents?: number | null
  refusesKnown?: boolean | null
  /** as sent by the client; HEAD returns it */
  metadata: UploadMetadata
}

/** What `Upload-Metadata` may have. */
export const metadataNames = [
  ...['filename', 'filetype', 'options', 'idempotency_key', 'max_total_cents', 'max_top_up_cents', 'quote', 'preset'],
  ...['project', 'over_budget', 'sound', 'batch', 'free_seconds', 'known_recording'],
]
/** What clients of tus send on their own. */
const unreadNames = ['name', 'type', 'relativePath']

/** A misspelt limit is none, and a misspelt option orders something else. @throws ServiceError 400 */
function requireKnownMetadata(metadata: UploadMetadata): void {
  const unknown = Object.keys(metadata).find((name) => ![...metadataNames, ...unreadNames].includes(name))
  if (unknown === undefined) return
  const taken = metadataNames.join(', ')
  throw new ServiceError(400, `Upload-Metadata takes no "${unknown}", only ${taken}. Nothing was ordered.`)
}

/** Limit of unfinished uploads per account. */
const mostUnfinished = 200

/** @throws ServiceError 400 on an empty file, 413 above 10 GB (spec 8) */
function checkLength(bytes: number): void {
  if (bytes === 0) throw new ServiceError(400, 'The file is empty. Nothing was charged.')
  // "If the length of the upload exceeds the maximum, … the Server MUST respond with the 413 Request Entity Too Large
  // status."
  if (bytes <= maxFileBytes) return
  throw new ServiceError(413, 'The file is larger than 10 GB (10,000,000,000 bytes). Nothing was charged.')
}

/**
 * Checks everything about an order that is known before its recording is sent, as POST files does.
 * @throws ServiceError 400, 402, 403, 404, 413, 415, 429, 507
 */
export async function checkUpload(
  platform: Platform,
  caller: Caller,
  room: Pick<UploadBytes, 'requireRoom'>,
  {
    bytes,
    metadata,
    ...asked
  }: { bytes: number; metadata: UploadMetadata; idempotencyKey: string | string[] | undefined },
): Promise<UploadRequest> {
  checkLength(bytes)
  requireKnownMetadata(metadata)
  const { account } = caller
  const { options } = parseOrderOptions(platform, account, metadata.options ?? '')
  const declaredType = metadata.filetype ?? ''
  checkDeclaredType(declaredType)
  const repeatable = parseIdempotencyKey(metadata.idempotency_key ?? asked.idempotencyKey)
  const maxTotalCents = parseMaxTotal(metadata.max_total_cents)
  const preset = parsePreset(metadata.preset)
  const project = orderedProject(caller, readOrderProject(metadata.project, metadata.over_budget))
  const sound = readOrderSound(metadata.sound)
  const batch = readOrderBatch(metadata.batch)
  const quote = readOrderQuote(metadata.quote, platform.clock())
  await requireKnownNames(platform, account, { preset, project, quote, options, repeatable })
  await requirePaymentMethod(platform, account)
  const { unfinished } = await platform.db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('unfinished'))
    .where('account_id', '=', account.id)
    .where('file_id', 'is', null)
    .executeTakeFirstOrThrow()
  if (unfinished >= mostUnfinished) {
    const words = `At most ${mostUnfinished} uploads can be unfinished at once. Each expires a day after its last byte.`
    throw new ServiceError(429, words, { 'retry-after': '60' })
  }
  await requireStorageRoom(platform, account, bytes)
  await room.requireRoom(bytes)
  const fileName = metadata.filename ?? ''
  const idempotencyKey = repeatable?.key ?? null
  const mostFreeMs = readMostFree(metadata.free_seconds)
  const maxTopUpCents = parseCents('max_top_up_cents', metadata.max_top_up_cents)
  const refusesKnown = readRefusal(metadata.known_recording)
  const named = { preset, project, sound, batch, quote, mostFreeMs, maxTopUpCents, refusesKnown }
  return { fileName, declaredType, options, idempotencyKey, maxTotalCents, ...named, metadata }
}
