import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../platform/config.ts'
import { dataPaths } from '../platform/data-directory.ts'
import { iso } from '../platform/iso-time.ts'
import { explainError } from '../platform/start-error.ts'
import { readCertificate } from './certificate.ts'
import type { Finding } from './doctor-findings.ts'
import { lastBackupAt } from './last-backup.ts'

const dayMs = 86_400_000
/** Renewed by then, a certificate never surprises anybody; the alert fires as late. */
const wantedDays = 14
/** A night may be missed. */
const backupHours = 36

/** Whether the certificate is valid long enough, and for the name that customers use. */
export function checkCertificate({ tls, publicUrl }: Config, now: number): Finding[] {
  if (tls === null) return []
  const check = 'certificate'
  try {
    const certificate = readCertificate(tls)
    const days = Math.floor((certificate.validToDate.getTime() - now) / dayMs)
    const host = publicUrl?.hostname
    const isForHost = host === undefined || certificate.checkHost(host) !== undefined
    const name = isForHost ? '' : `; it is not for ${host}`
    return [{ check, ok: days >= wantedDays && isForHost, says: `valid for ${days} days${name}` }]
  } catch (error) {
    return [{ check, ok: false, says: explainError(error) }]
  }
}

/** Whether what customers sent has been backed up lately. PostgreSQL's backups are not seen from here. */
export function checkBackup({ dataDir, postgres }: Config, now: number): Finding[] {
  const { database } = dataPaths(dataDir)
  if (postgres !== null || !existsSync(database)) return []
  const check = 'backup'
  const at = lastBackupAt(dataDir)
  if (at !== null) {
    const hours = Math.floor((now - at) / 3_600_000)
    return [{ check, ok: hours < backupHours, says: `the last one was made ${iso(at)}, ${hours} h ago` }]
  }
  try {
    using sqlite = new DatabaseSync(database, { readOnly: true, timeout: 5_000 })
    const live = Number(sqlite.prepare("select count(*) as n from files where environment = 'live'").get()?.n)
    return [{ check, ok: live === 0, says: `none was made yet; live files: ${live}` }]
  } catch (error) {
    return [{ check, ok: false, says: explainError(error) }]
  }
}
