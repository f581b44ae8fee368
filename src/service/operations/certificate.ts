import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '../platform/config.ts'

/** The certificate at TLS_CERT. @throws if it cannot be read */
export const readCertificate = ({ certPath }: NonNullable<Config['tls']>) => new X509Certificate(readFileSync(certPath))

/**
 * When the certificate at TLS_CERT ends, in milliseconds since 1970; infinite without one.
 * @throws if it cannot be read
 */
export function certificateEnd({ tls }: Pick<Config, 'tls'>): number {
  return tls === null ? Number.POSITIVE_INFINITY : readCertificate(tls).validToDate.getTime()
}
