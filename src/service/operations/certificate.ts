import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '../platform/config.ts'

/**
 * When the certificate at TLS_CERT ends, in milliseconds since 1970; infinite without one.
 * @throws if it cannot be read
 */
export function certificateEnd({ tls }: Pick<Config, 'tls'>): number {
  if (tls === null) return Number.POSITIVE_INFINITY
  return new X509Certificate(readFileSync(tls.certPath)).validToDate.getTime()
}
