import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../platform/db/open.ts'

/** What a playback address gives access to. */
export type PlaybackGrant = { fileId: string; keyId: string; expiresAt: number }

const secretName = 'playback'

/** The secret that signs playback addresses; created at the first use, stored with the data. */
export async function playbackSecret(db: Db): Promise<string> {
  const read = () => db.selectFrom('secrets').select('value').where('name', '=', secretName)
  const known = await read().executeTakeFirst()
  if (known !== undefined) return known.value
  await db
    .insertInto('secrets')
    .values({ name: secretName, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await read().executeTakeFirstOrThrow()).value
}

function sign(secret: string, payload: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest()
}

/** The grant with its signature, as part of a path. It has the id of the key, not the key itself. */
export function playbackToken(secret: string, { fileId, keyId, expiresAt }: PlaybackGrant): string {
  const payload = Buffer.from(JSON.stringify([fileId, keyId, expiresAt])).toString('base64url')
  return `${payload}.${sign(secret, payload).toString('base64url')}`
}

/** The grant of a token that this service signed and that has not expired; null for any other. */
export function readPlaybackToken(secret: string, token: string, now: number): PlaybackGrant | null {
  const [payload = '', signature = '', ...rest] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const right = sign(secret, payload)
  if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return null
  const [fileId, keyId, expiresAt]: [string, string, number] = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return expiresAt > now ? { fileId, keyId, expiresAt } : null
}
