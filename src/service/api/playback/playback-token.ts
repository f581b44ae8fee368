import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HeardPart } from '../../orders/file/own-file.ts'
import type { Db } from '../../platform/db/open.ts'

/**
 * What a playback URL grants access to. `part`: the recording, its listening copy, or a small picture, so that a URL plays the same
 * bytes as long as it lives.
 */
export type PlaybackGrant = { fileId: string; keyId: string; expiresAt: number; part?: HeardPart }

const secretName = 'playback'

/** Returns the secret that signs playback URLs; created on first use, stored with the data. */
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

/** Signs a grant as a path segment. It holds the ID of the key, not the key itself. */
export function playbackToken(secret: string, { fileId, keyId, expiresAt, part }: PlaybackGrant): string {
  const payload = Buffer.from(JSON.stringify([fileId, keyId, expiresAt, ...(part ? [part] : [])])).toString('base64url')
  return `${payload}.${sign(secret, payload).toString('base64url')}`
}

/** Verifies a token; null if this service did not sign it or it has expired. */
export function readPlaybackToken(secret: string, token: string, now: number): PlaybackGrant | null {
  const [payload = '', signature = '', ...rest] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const right = sign(secret, payload)
  if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return null
  const [fileId, keyId, expiresAt, part]: [string, string, number, HeardPart?] = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  )
  return expiresAt > now ? { fileId, keyId, expiresAt, ...(part && { part }) } : null
}
