import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** A new webhook secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/**
 * The `webhook-signature` header of Standard Webhooks 1.0: `v1,` and HMAC-SHA256 over id, time and body, once per
 * secret, so that the old one stays valid after a rotation.
 * @param timestamp seconds since 1970, as in the `webhook-timestamp` header
 */
export function signatureHeader(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
