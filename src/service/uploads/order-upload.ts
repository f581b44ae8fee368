import { link, rm } from 'node:fs/promises'
import type { Account, Upload } from '../db/schema.ts'
import { createOrder } from '../orders/create.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import type { UploadRequest, UploadStore } from './upload-store.ts'

/** Statuses after which the same bytes may well become an order: without a card, or on our side. */
function passes(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.status === 402 || error.status === 429 || error.status >= 500
}

const underWay = new Map<string, Promise<{ id: string }>>()

/**
 * Makes the order of a complete upload, once, however often and from wherever it is asked: by the last PATCH, by
 * `POST <upload>/order`, after a crash in the middle.
 * @throws ServiceError as `createOrder`. What can never become an order is forgotten with its bytes
 */
export function orderUpload(platform: Platform, store: UploadStore, account: Account, upload: Upload) {
  const running = underWay.get(upload.id) ?? order(platform, store, account, upload)
  underWay.set(upload.id, running)
  return running.finally(() => underWay.delete(upload.id))
}

async function order(
  platform: Platform,
  store: UploadStore,
  account: Account,
  { id }: Upload,
): Promise<{ id: string }> {
  const row = await platform.db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (row.file_id !== null) return { id: row.file_id }
  const { options, fileName, declaredType, idempotencyKey } = JSON.parse(row.request_json) as UploadRequest
  // The order takes a second name of the bytes: were it refused, they are still here for another try.
  const path = `${store.pathOf(id)}.order`
  await rm(path, { force: true })
  await link(store.pathOf(id), path)
  try {
    const staged = await platform.blobs.adopt(path)
    // The upload's own id stands in for a missing key, so that a repetition finds the order that was made.
    const repeatable = { key: idempotencyKey ?? `upload-${id}` }
    const made = await createOrder(platform, { account, options, repeatable, staged, fileName, declaredType })
    await platform.db.updateTable('uploads').set({ file_id: made.id }).where('id', '=', id).execute()
    await store.freeBytes(id)
    return made
  } catch (error) {
    if (!passes(error)) await store.forget(id)
    throw error
  }
}
