import type { FastifyReply, FastifyRequest } from 'fastify'
import { batchName } from '../../../contract/account/file-pages.ts'
import { presetName } from '../../../contract/account/vocabulary.ts'
import { orderWarningHeader } from '../../../contract/interface/headers.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { OptionError, parseOptions } from '../../../contract/interface/order-options.ts'
import { type OrderSound, parseOrderSound } from '../../../contract/interface/order-sound.ts'
import { orderedProject } from '../../accounts/auth/key-limits.ts'
import { createOrder, createOrderFromLink } from '../../orders/create/create.ts'
import { resolveOptions } from '../../orders/create/resolve-options.ts'
import { holdStorageRoom } from '../../orders/create/storage-room.ts'
import { lacksTypists } from '../../orders/create/write-order.ts'
import { requirePaymentMethod } from '../../orders/money/charge.ts'
import { readMostFree } from '../../orders/money/free-minutes.ts'
import type { Repeatable } from '../../orders/money/idempotency.ts'
import { type AskedQuote, requireQuote } from '../../orders/money/quotes.ts'
import { type AskedProject, describeProject, requireKnownProject } from '../../orders/projects/order-into-project.ts'
import { afterRead } from '../../platform/db/hot-reads.ts'
import type { Account } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { refineText } from '../../platform/refine-text.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { requireKnownPreset } from '../../text/vocabulary/known-preset.ts'
import { jsonType } from '../http/operation.ts'
import { parseIdempotencyKey } from '../http/read-request.ts'
import { sendContinue } from '../http/unread-body.ts'
import { parseCents, parseMaxTotal } from './order-limit.ts'
import { readFormHeaders, receiveRecording } from './receive-recording.ts'
import type { V1Context } from './v1-route.ts'

/** `GET files`: the IDs, newest first (spec 4.1). */
export function listFiles({ platform, caller, reply }: V1Context): FastifyReply | Promise<FastifyReply> {
  const { hotReads, clock } = platform
  const projects = caller.limits?.projects ?? null
  return afterRead(hotReads.fileIdsJson(caller.account.id, clock(), projects), (json) =>
    reply.header('content-type', jsonType).send(json),
  )
}

/**
 * Decodes a query string strictly: `URLSearchParams` silently replaces bytes that are not UTF-8 by U+FFFD.
 * @throws OptionError naming the option with such bytes (spec 7: options incorrectly formatted)
 */
function decodedQuery(queryString: string): URLSearchParams {
  const query = new URLSearchParams(queryString.replaceAll('%00', '')) // as `refineText`
  if (/%ef%bf%bd/i.test(queryString)) return query // the client itself sent an escaped U+FFFD
  for (const [name, value] of query) {
    if (!`${name}${value}`.includes('\ufffd')) continue
    throw new OptionError(name, `${name} is not properly escaped: its percent-encoding must be UTF-8.`)
  }
  return query
}

/**
 * Resolves an order's options from a query string: given options, then the account's defaults, then the spec's (spec
 * 2.3).
 * @param queryString not yet decoded: spaces as `%20` or `+`
 * @returns the options, and the names of the given ones that have no effect with them
 * @throws OptionError, also if `custom_formatting` is not enabled for the account (spec 2.3, rule 5); ServiceError 422
 * if manual orders are disabled
 */
export function parseOrderOptions(platform: Platform, account: Account, queryString: string) {
  return resolveOptions(platform, account, parseOptions(decodedQuery(queryString)))
}

/**
 * Reads the order page's preset used for the order, whose vocabulary also applies (decision 89); null for none.
 * @param text undefined or null if the client names none
 * @throws ServiceError 400 if malformed
 */
export function parsePreset(text: string | null | undefined): string | null {
  if (text === undefined || text === null) return null
  const read = presetName.safeParse(text)
  if (read.success) return read.data
  throw new ServiceError(400, 'The name of a preset has 1 to 80 characters.')
}

/**
 * Reads what is to be heard of a recording; null if the client does not say.
 * @throws ServiceError 400 if malformed
 */
export function readOrderSound(text: string | string[] | null | undefined): OrderSound | null {
  if (text === undefined || text === null) return null
  const sound = parseOrderSound(String(text).trim().toLowerCase())
  if (sound === null) throw new ServiceError(400, 'Order-Sound takes the number of a sound track, from 1, or: each.')
  return sound
}

/**
 * Reads the client's name for what it orders together; null if it gives none.
 * @throws ServiceError 400 if malformed
 */
export function readOrderBatch(text: string | string[] | null | undefined): string | null {
  if (text === undefined || text === null) return null
  const read = batchName.safeParse(text)
  if (read.success) return read.data
  throw new ServiceError(400, 'Order-Batch takes 1 to 64 letters, digits, - and _.')
}

/**
 * Reads an order's project, and whether it may exceed the budget (decision 99); null if the client names none.
 * @throws ServiceError 400 if malformed
 */
export function readOrderProject(
  id: string | string[] | null | undefined,
  overBudget: string | string[] | null | undefined,
): AskedProject | null {
  const isOver = overBudget !== undefined && overBudget !== null
  if (isOver && overBudget !== 'yes') throw new ServiceError(400, 'Over-Budget takes only: yes.')
  return id === undefined || id === null ? null : { id: refineText(String(id)), overBudget: isOver }
}

/** Reads the quote that an order names, as of now; null if it names none. */
export function readOrderQuote(id: string | string[] | null | undefined, now: number): AskedQuote | null {
  return id === undefined || id === null ? null : { id: refineText(String(id)), at: now }
}

/** What an order names, to be checked before its recording is read. */
type Names = {
  preset: string | null
  project: AskedProject | null
  quote: AskedQuote | null
  options: OrderOptions
  repeatable: Repeatable | null
}

/** @throws ServiceError 404 if the account has no such project, preset or quote; 409 if the quote is for another order */
export async function requireKnownNames(
  { db }: Pick<Platform, 'db'>,
  account: Account,
  { preset, project, quote, options, repeatable }: Names,
): Promise<void> {
  if (quote !== null) await requireQuote(db, account, quote, options, repeatable !== null)
  if (project !== null) await requireKnownProject(db, account.id, project)
  if (preset !== null) await requireKnownPreset(db, account, preset)
}

/** Decodes a percent-encoded name in a header, as headers are limited to ASCII. */
function decodedHeader(header: string | string[] | undefined): string | undefined {
  try {
    return header === undefined ? undefined : refineText(decodeURIComponent(String(header)))
  } catch {
    return ''
  }
}

/** Aborts when the client disconnects before the response, since nobody waits for the result any more. */
function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(new Error('The client has disconnected.')))
  return gone.signal
}

/** `Known-Recording`: whether a recording that the account has is refused; null if not sent. @throws ServiceError 400 */
export function readRefusal(value: unknown): boolean | null {
  if (value === undefined || value === null) return null
  if (value === 'refuse' || value === 'order') return value === 'refuse'
  throw new ServiceError(400, 'Known-Recording is refuse or order. Nothing was charged.')
}

/** A header: ASCII alone. */
const nobodyTypes =
  'Nobody types manual orders here at present. If nobody has begun on the delivery date, the order is refunded in full.'

/** The header that an order is answered with where nobody types. */
export async function warnOfOrder({ db }: Pick<Platform, 'db'>, account: Account, options: OrderOptions) {
  return (await lacksTypists(db, account, options)) ? { [orderWarningHeader]: nobodyTypes } : {}
}

/** `POST files`: creates an order from an upload or a link (spec 4.2). Checks everything possible before the body. */
export async function createFile({ platform, limits, caller, request, reply }: V1Context): Promise<{ id: string }> {
  const [{ account }, { headers }] = [caller, request]
  const { options, ignored } = parseOrderOptions(platform, account, getQueryString(request.url))
  const repeatable = parseIdempotencyKey(headers['idempotency-key'])
  const maxTotalCents = parseMaxTotal(headers['max-total-cents'])
  const preset = parsePreset(decodedHeader(headers['order-preset']))
  const project = orderedProject(caller, readOrderProject(headers['order-project'], headers['over-budget']))
  const sound = readOrderSound(headers['order-sound'])
  const refusesKnown = readRefusal(headers['known-recording']) ?? false
  const batch = readOrderBatch(headers['order-batch'])
  const quote = readOrderQuote(headers['quote-id'], platform.clock())
  const mostFreeMs = readMostFree(headers['free-seconds'])
  const maxTopUpCents = parseCents('Max-Top-Up-Cents', headers['max-top-up-cents'])
  const form = readFormHeaders(request.headers)
  await requireKnownNames(platform, account, { preset, project, quote, options, repeatable })
  await requirePaymentMethod(platform, account)
  const endUpload = limits.beginUpload(caller)
  try {
    const received = await receiveWithin(platform, account, request, reply, form)
    const asked = {
      account,
      options,
      repeatable,
      maxTotalCents,
      preset,
      project,
      sound,
      batch,
      quote,
      mostFreeMs,
      maxTopUpCents,
      refusesKnown,
      ...received,
    }
    const made = await ('link' in asked
      ? createOrderFromLink(platform, asked, AbortSignal.any([clientGone(reply), platform.ending]))
      : createOrder(platform, asked))
    reply.headers(await describeProject(platform.db, project, made.id))
    reply.headers(await warnOfOrder(platform, account, options))
    if (ignored.length > 0) reply.header('ignored-options', ignored.join(', '))
    return made
  } finally {
    endUpload()
  }
}

type FormHeaders = ReturnType<typeof readFormHeaders>

/** Receives a form's recording if it has room. @throws ServiceError as `holdStorageRoom` and `receiveRecording` */
async function receiveWithin(
  platform: Platform,
  account: Account,
  request: FastifyRequest,
  reply: FastifyReply,
  form: FormHeaders,
) {
  const length = request.headers['content-length']
  using _room = await holdStorageRoom(platform, account, length === undefined ? null : Number(length))
  sendContinue(request, reply)
  return await receiveRecording(platform, request.raw, form)
}

function getQueryString(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}
