import { statfs } from 'node:fs/promises'
import type { Account } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

/*
 * Storage quotas. Anybody can open a demo account, and test cards pay: what demo accounts may store is limited, and all sandboxes leave
 * a part of the disk to live orders.
 */

type Room = Pick<Platform, 'db' | 'config'>

/** Bytes of recordings and videos that an account has, and declared for uploads that are not orders yet. */
async function countBytes({ db }: Room, accountId: string, withoutUpload: string): Promise<number> {
  const sum = (table: 'files' | 'uploads' | 'captioned_videos') =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('bytes'), eb.lit(0)).as('bytes'))
      .where('account_id', '=', accountId)
  const [files, videos, uploads] = await Promise.all([
    sum('files').executeTakeFirstOrThrow(),
    sum('captioned_videos').executeTakeFirstOrThrow(),
    sum('uploads').where('file_id', 'is', null).where('id', '!=', withoutUpload).executeTakeFirstOrThrow(),
  ])
  return Number(files.bytes) + Number(videos.bytes) + Number(uploads.bytes)
}

/** Bytes that forms of limited accounts bring at the moment, by account: they are in no table yet. */
const arriving = new Map<string, number>()
/** Bytes that sandboxes are sending to this process: many at once would each find the same free disk. */
let arrivingBytes = 0

/**
 * Checks that a recording has room: before it is read, and again when its size is known.
 * @param bytes of the recording or, before it is read, of the body; null if not declared
 * @param uploadId its upload, which is counted already
 * @throws ServiceError 507; 411 if the account has a limit and no length is declared
 */
export async function requireStorageRoom(
  platform: Room,
  account: Account,
  bytes: number | null,
  uploadId = '',
): Promise<void> {
  await requireSpareDisk(platform, account, bytes ?? 0)
  await requireWithinLimit(platform, account, bytes, uploadId)
}

async function requireWithinLimit(
  platform: Room,
  { id, byte_limit: limit }: Account,
  bytes: number | null,
  uploadId = '',
): Promise<void> {
  if (limit === null) return
  if (bytes === null) throw new ServiceError(411, 'Send the Content-Length: this account may store only so much.')
  const stored = (await countBytes(platform, id, uploadId)) + (arriving.get(id) ?? 0)
  if (stored + bytes <= limit) return
  const [has, may] = [stored, limit].map((each) => `${(each / 1e6).toFixed(1)} MB`)
  const words = `This demo account stores ${has}, and may store ${may}. Nothing was charged.`
  const until = 'Files are removed 24 hours after their order, unfinished uploads a day after their last byte.'
  throw new ServiceError(507, `${words} Delete some, or wait. ${until}`)
}

/** The same before a form is read; its bytes count until `[Symbol.dispose]`. @throws ServiceError 411, 507 */
export async function holdStorageRoom(platform: Room, account: Account, bytes: number | null): Promise<Disposable> {
  const disk = await holdSpareDisk(platform, account, bytes ?? 0)
  try {
    await requireWithinLimit(platform, account, bytes)
  } catch (error) {
    disk[Symbol.dispose]()
    throw error
  }
  const held = account.byte_limit === null ? 0 : (bytes ?? 0)
  const add = (more: number) => {
    const sum = (arriving.get(account.id) ?? 0) + more
    if (sum > 0) arriving.set(account.id, sum)
    else arriving.delete(account.id)
  }
  add(held)
  return {
    [Symbol.dispose]() {
      add(-held)
      disk[Symbol.dispose]()
    },
  }
}

/** Room of a download: each call of `require` holds that many bytes instead of those before, until it is disposed of. */
export class DownloadRoom implements Disposable {
  readonly #platform: Room
  readonly #account: Account
  #held: Disposable | null = null

  constructor(platform: Room, account: Account) {
    this.#platform = platform
    this.#account = account
  }

  /** @throws ServiceError 507 */
  async require(bytes: number): Promise<void> {
    this[Symbol.dispose]()
    this.#held = await holdStorageRoom(this.#platform, this.#account, bytes)
  }

  [Symbol.dispose](): void {
    this.#held?.[Symbol.dispose]()
    this.#held = null
  }
}

/**
 * Reserves disk for bytes that a sandbox is about to send, until `[Symbol.dispose]`. Those that have arrived count twice
 * until then, in favor of live orders.
 * @throws ServiceError 507 if they would leave too little to live orders
 */
export async function holdSpareDisk(
  platform: Pick<Platform, 'config'>,
  account: Account,
  bytes: number,
): Promise<Disposable> {
  const held = account.environment === 'sandbox' ? bytes : 0
  // Before the disk is asked, so that of many at once each sees the others.
  arrivingBytes += held
  try {
    await requireSpareDisk(platform, account, 0)
  } catch (error) {
    arrivingBytes -= held
    throw error
  }
  return {
    [Symbol.dispose]() {
      arrivingBytes -= held
    },
  }
}

/** @throws ServiceError 507 if bytes of a sandbox would leave too little of the disk to live orders */
async function requireSpareDisk(
  platform: Pick<Platform, 'config'>,
  { environment }: Account,
  bytes: number,
): Promise<void> {
  if (environment !== 'sandbox' || (await hasSpareDisk(platform, bytes))) return
  const words = 'The sandbox is out of storage space. Nothing was charged.'
  throw new ServiceError(507, `${words} Its files are removed 24 hours after their order: try again later.`)
}

/** Whether that much more leaves the part of the disk that only live orders may use. */
export async function hasSpareDisk({ config }: Pick<Platform, 'config'>, bytes: number): Promise<boolean> {
  if (config.s3 !== null) return true // the disk of a bucket is its server's
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  return bavail * bsize - arrivingBytes - bytes >= (blocks * bsize * config.sandboxSparePercent) / 100
}
