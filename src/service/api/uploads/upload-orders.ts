import { createOrder, OverLimitError } from '../../orders/create/create.ts'
import type { AskedQuote } from '../../orders/money/quotes.ts'
import type { Account, Upload } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { UploadRequest } from './check-upload.ts'
import type { UploadStore } from './upload-store.ts'

/** Refusals after which a retry with the same bytes may succeed: no card, over budget, too many requests. */
const passing: readonly number[] = [402, 409, 429]

/** True if a retry may succeed, as after a fault on our side, or under a higher limit. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error instanceof OverLimitError) return true
  return passing.includes(error.status) || error.status >= 500
}

/** What a request for the order of a complete upload names again; null: as when it was created. */
type OrderedAgain = {
  maxTotalCents: number | null
  maxTopUpCents: number | null
  quote: AskedQuote | null
  refusesKnown: boolean | null
}
const asBefore: OrderedAgain = { maxTotalCents: null, maxTopUpCents: null, quote: null, refusesKnown: null }

/**
 * Creates the orders of complete uploads, each exactly once, however often and by whichever request it is requested.
 */
export class UploadOrders {
  readonly #platform: Platform
  readonly #store: UploadStore
  readonly #underWay = new Map<string, Promise<{ id: string }>>()

  constructor(platform: Platform, store: UploadStore) {
    this.#platform = platform
    this.#store = store
  }

  /** True while the order of an upload is being created; its bytes must stay until then. */
  isUnderWay(id: string): boolean {
    return this.#underWay.has(id)
  }

  /**
   * Starts the order of a complete upload, or joins the one in flight. Call it while the upload is held (UploadLocks),
   * so that a DELETE either precedes it or finds it in flight; one on another node ends the order, uncharged.
   * @param again replaces the limits and the quote that the upload was created with; null: those apply
   * @throws ServiceError as `createOrder`, with the upload removed if it can never become an order; 404 if it expired
   */
  begin(account: Account, id: string, again: OrderedAgain = asBefore): Promise<{ id: string }> {
    const underWay = this.#underWay.get(id)
    if (underWay !== undefined) return underWay
    const order = this.#order(account, id, again).finally(() => this.#underWay.delete(id))
    this.#underWay.set(id, order)
    return order
  }

  async #order(account: Account, id: string, again: OrderedAgain): Promise<{ id: string }> {
    const upload = await this.#store.find(id, { account, limits: null })
    if (upload.file_id !== null) return { id: upload.file_id }
    try {
      const made = await this.#create(account, upload, again)
      await this.#store.markOrdered(id, made.id)
      return made
    } catch (error) {
      // Another node may have created the order in the meantime; its bytes are then gone.
      const { file_id: fileId } = await this.#store.find(id, { account, limits: null }).catch(() => upload)
      if (fileId !== null) return { id: fileId }
      if (!isTemporary(error)) await this.#store.remove(id)
      throw error
    }
  }

  async #create(account: Account, upload: Upload, again: OrderedAgain): Promise<{ id: string }> {
    const asked = JSON.parse(upload.request_json) as UploadRequest
    const { options, fileName, declaredType, idempotencyKey, preset, project, sound, batch, quote, mostFreeMs } = asked
    const maxTotalCents = again.maxTotalCents ?? asked.maxTotalCents
    const staged = await this.#store.stage(upload)
    // The upload's own ID stands in for a missing key, so that a retry finds the existing order.
    const repeatable = { key: idempotencyKey ?? `upload-${upload.id}` }
    const request = {
      account,
      options,
      maxTotalCents,
      preset,
      project,
      sound: sound ?? null,
      batch: batch ?? null,
      quote: again.quote ?? quote ?? null,
      mostFreeMs: mostFreeMs ?? null,
      maxTopUpCents: again.maxTopUpCents ?? asked.maxTopUpCents ?? null,
      refusesKnown: again.refusesKnown ?? asked.refusesKnown ?? false,
      repeatable,
      uploadId: upload.id,
      staged,
      fileName,
      declaredType,
    }
    return await createOrder(this.#platform, request)
  }
}
