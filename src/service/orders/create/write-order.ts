import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { requireWithinKeyLimit } from '../../accounts/auth/key-spending.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { Db } from '../../platform/db/open.ts'
import { appendEvent, enqueueDelivery, enqueueJob, nextFileVersion } from '../../platform/db/outbox.ts'
import type { Account, FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { joinDuplicates, orderedMeanwhile, requireUnknown } from '../file/duplicates.ts'
import { requireWithinAccountBudget } from '../money/account-budget.ts'
import { payOrder } from '../money/charge.ts'
import { settleFreeMinutes } from '../money/free-minutes.ts'
import { type Answer, rememberAnswer } from '../money/idempotency.ts'
import { keepTerms } from '../money/invoices/billing.ts'
import { type AskedQuote, useQuote } from '../money/quotes.ts'
import type { Charge } from '../money/top-ups.ts'
import { type AskedProject, orderIntoProject } from '../projects/order-into-project.ts'

/** Whether an order needs typing by the operator's staff while there is none. */
export async function lacksTypists(
  db: Db,
  { environment }: Account,
  { transcript_type }: OrderOptions,
): Promise<boolean> {
  return environment === 'live' && transcript_type === 'manual' && !(await hasTypists(db))
}

/** Whether anybody types live manual orders here (decision 105). */
export async function hasTypists(db: Db): Promise<boolean> {
  const anybody = db.selectFrom('staff').select('id').where('revoked_at', 'is', null).limit(1)
  return (await anybody.executeTakeFirst()) !== undefined
}

/** Writes everything that makes up an order: the file, its charge, its jobs, the response for retries. */
export async function writeOrder(
  trx: AccountTrx,
  order: {
    account: Account
    options: OrderOptions
    file: FileRow
    project: AskedProject | null
    quote: AskedQuote | null
    refusesKnown: boolean
    freeMs: number
    /** in the price */
    vatPercent: number
    charge: Charge
    answer: Answer | null
    uploadId: string | undefined
  },
  now: number,
): Promise<void> {
  const { account, options, charge, answer, uploadId } = order
  await requireStillOpen(trx)
  if (order.refusesKnown) requireUnknown(await orderedMeanwhile(trx, order.file))
  await requireWithinKeyLimit(trx, order.file, now)
  await requireWithinAccountBudget(trx, account, order.file.total_cents, now)
  const project_id = await orderIntoProject(trx, order.file, order.project, now)
  const file = { ...order.file, project_id, version: await nextFileVersion(trx) }
  if (order.quote !== null) await useQuote(trx, order.quote.id, file)
  await trx.insertInto('files').values(file).execute()
  await payOrder(trx, file, charge, now)
  await settleFreeMinutes(trx, file, order.freeMs)
  await keepTerms(trx, file.id, order.vatPercent)
  await appendLog(trx, { action: 'ordered', detail: options.transcript_type, file }, now)
  await joinDuplicates(trx, file)
  const isUntyped = await lacksTypists(trx, account, options)
  await enqueueJob(trx, file.id, 'peaks', now)
  // Without typists, nothing is recognized either.
  if (!isUntyped) await enqueueJob(trx, file.id, 'speech', now)
  await appendEvent(trx, 'file-created', { id: file.id }, now)
  await enqueueDelivery(trx, file, now)
  if (answer !== null) await rememberAnswer(trx, answer, file.id)
  if (uploadId !== undefined) await settleUpload(trx, uploadId, file.id)
}

/** @throws ServiceError 403 if the account was closed while its order was being created */
async function requireStillOpen(trx: AccountTrx): Promise<void> {
  const account = trx.selectFrom('accounts').select('closed_at').where('id', '=', trx.accountId)
  const { closed_at } = await account.executeTakeFirstOrThrow()
  if (closed_at !== null) throw new ServiceError(403, 'The account was closed. Nothing was charged.')
}

/** Records which file an upload became. @throws ServiceError 404 if it was removed while its order was being created */
async function settleUpload(trx: AccountTrx, uploadId: string, fileId: string): Promise<void> {
  const upload = trx.updateTable('uploads').set({ file_id: fileId }).where('id', '=', uploadId)
  const { numUpdatedRows } = await upload.executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ServiceError(404, 'The upload was removed. Nothing was charged.')
}
