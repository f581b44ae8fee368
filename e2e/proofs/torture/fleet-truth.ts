import { ListMultipartUploadsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import type { Playback } from '../../../src/contract/account/file-pages.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import type { Receiver } from '../../kit/receiver.ts'
import { sha256Of, type Told, type ToldOrder } from './fleet-customers.ts'
import type { Fleet } from './fleet-nodes.ts'
import { comesTrue, Tally } from './rounds.ts'

const restsWithinMs = 600_000

/** Waits until no recognition, delivery, charge or lease is pending. */
export async function comesToRest({ db }: Fleet): Promise<Tally> {
  const rest = new Tally('work that came to rest')
  const charge = () => db.selectFrom('charge_intents').select('account_id').executeTakeFirst()
  const job = () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'speech')
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirst()
  const delivery = () =>
    db.selectFrom('deliveries').select('id').where('state', 'in', ['waiting', 'sending']).executeTakeFirst()
  for (const [name, open] of Object.entries({ charge, job, delivery })) {
    rest.count(await comesTrue(async () => (await open()) === undefined, restsWithinMs), `a ${name} stands still`)
  }
  return rest
}

/** Verifies the file of an order, as its customer gets it. @returns the problem; null: none */
async function wrongOf(fleet: Fleet, order: ToldOrder, phrase: string): Promise<string | null> {
  const { id, key, sha256, isAutomated, pieces } = order
  const url = fleet.api[0]?.url as URL
  const found = await askApi(url, key, `file/${id}`)
  if (order.state === 'deleted') return found.status === 404 ? null : `was deleted and is answered ${found.status}`
  if (found.status !== 200) return `was acknowledged and is answered ${found.status}`
  const playback = await accountClient(url, key).read<Playback>('POST', `files/${id}/playback`)
  const media = await fetch(new URL(playback.url, url))
  if (sha256Of(new Uint8Array(await media.arrayBuffer())) !== sha256) return 'has other bytes than were sent'
  if (!isAutomated) return null
  const text = await (await askApi(url, key, `file/${id}.txt`)).text()
  const heard = text.replaceAll(/\s+/g, ' ').toLowerCase().split(phrase).length - 1
  return heard === pieces ? null : `has ${heard} of its ${pieces} pieces in its text: ${text.slice(0, 200)}`
}

/**
 * Every order exists with its bytes and its text, or was deleted as acknowledged; nobody has a file without having got
 * its id.
 */
export async function compareFiles(fleet: Fleet, told: Told, phrase: string): Promise<Tally> {
  const kept = new Tally('orders kept with bytes and text, and deletions')
  for (const order of told.orders.values()) {
    const wrong = await wrongOf(fleet, order, phrase)
    kept.count(wrong === null, `${order.id} ${wrong}`)
  }
  for (const about of told.contradictions) kept.count(false, about)
  const files = await fleet.db.selectFrom('files').select(['id', 'given_up']).execute()
  for (const { id, given_up } of files) {
    kept.count(told.orders.has(id), `${id} was never acknowledged`)
    kept.count(given_up === 0, `${id} was given up`)
  }
  return kept
}

/** Each order was charged once; only deleted files were refunded, and at most once. */
export async function compareMoney({ db }: Fleet, told: Told): Promise<Tally[]> {
  const [charges, refunds] = [new Tally('one charge for each order'), new Tally('refunds of deleted orders alone')]
  const entries = await db.selectFrom('ledger').select(['kind', 'file_id', 'amount_cents']).execute()
  const by = Map.groupBy(entries, ({ kind, file_id }) => `${kind} ${file_id}`)
  const files = await db.selectFrom('files').select(['id', 'total_cents']).execute()
  const cents = new Map(files.map(({ id, total_cents }) => [id, total_cents]))
  for (const { id, state, isAutomated } of told.orders.values()) {
    const [charged, given] = [by.get(`charge ${id}`) ?? [], by.get(`refund ${id}`) ?? []]
    charges.count(charged.length === 1, `${id} was charged ${charged.length} times`)
    const isRight = state === 'deleted' || charged[0]?.amount_cents === cents.get(id)
    charges.count(isRight, `${id} costs ${cents.get(id)} and was charged ${charged[0]?.amount_cents}`)
    const least = state === 'deleted' && !isAutomated ? 1 : 0
    const most = state === 'deleted' ? 1 : 0
    refunds.count(given.length >= least && given.length <= most, `${id} (${state}) has ${given.length} refunds`)
  }
  for (const { kind, file_id } of entries)
    charges.count(told.orders.has(file_id), `a ${kind} of the unknown ${file_id}`)
  return [charges, refunds]
}

/** Every recognized order that was not deleted was delivered by webhook at least once. */
export function compareWebhooks(told: Told, receiver: Receiver): Tally {
  const webhooks = new Tally('webhooks')
  const bodies = receiver.received.map(({ body }) => body).join()
  for (const { id, state, isAutomated } of told.orders.values()) {
    if (isAutomated && state === 'kept') webhooks.count(bodies.includes(id), `nothing was told of ${id}`)
  }
  return webhooks
}

/** The ids of recordings in the bucket, and of unfinished multipart uploads. */
async function inBucket({ bucket }: Fleet): Promise<{ media: Set<string>; all: Set<string>; unfinished: string[] }> {
  const { client, bucket: Bucket, prefix } = bucket
  const [media, all] = [new Set<string>(), new Set<string>()]
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: `${prefix}files/` })) {
    for (const { Key = '' } of Contents) {
      const [, id = '', part] = Key.slice(`${prefix}files/`.length).split('/')
      all.add(id)
      if (part === 'media') media.add(id)
    }
  }
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
  return { media, all, unfinished: Uploads.map(({ Key = '' }) => Key) }
}

/** Number of recordings orphaned by the kills, before age-based removal. */
export async function countLeftOver(fleet: Fleet): Promise<number> {
  const [known, { all, unfinished }] = [await rowsOf(fleet), await inBucket(fleet)]
  return [...all].filter((id) => !known.has(id)).length + unfinished.length
}

async function rowsOf({ db }: Fleet): Promise<Set<string>> {
  return new Set((await db.selectFrom('files').select('id').execute()).map(({ id }) => id))
}

/** Runs chores until the bucket matches the rows, or until the timeout; then reports orphaned or missing objects. */
export async function compareBucket(fleet: Fleet, withinMs: number): Promise<Tally> {
  const objects = new Tally('objects and rows')
  const isClean = async () => {
    fleet.doChores()
    const [known, { all, unfinished }] = [await rowsOf(fleet), await inBucket(fleet)]
    return unfinished.length === 0 && [...all].every((id) => known.has(id))
  }
  await comesTrue(isClean, withinMs)
  const [known, { media, all, unfinished }] = [await rowsOf(fleet), await inBucket(fleet)]
  for (const id of known) objects.count(media.has(id), `${id} has a row and no recording`)
  for (const id of all) objects.count(known.has(id), `${id} has objects and no row`)
  for (const key of unfinished) objects.count(false, `${key} is an upload that nobody ended`)
  return objects
}
