import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { countCorrections } from '../../../text/patches.ts'
import { keepsCorrections } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { fetchCorrectionVersion, fetchCorrectionVersions, nameCorrectionVersion } from '../../base/api/corrections.ts'
import type { Corrections } from '../edit/corrections.ts'

/** An earlier state of the corrections, stored with the account or else on this device. */
export type Version = {
  /** unique among the versions */
  id: number
  /** milliseconds since 1970 */
  savedAt: number
  corrections: number
  /** label of the last step before it */
  label: string
  /** name of the API key that made it; null on this device */
  by: string | null
  /** given by a user, null if unnamed */
  name: string | null
  /** @throws ApiError */
  read: () => Promise<CorrectionSet | null>
  /** renames it; null if it cannot have a name. @throws ApiError */
  rename: ((name: string) => Promise<void>) | null
}

/** The restorable versions, newest first. @throws ApiError if the account stores them and does not respond */
export async function listVersions(session: Session, corrections: Corrections): Promise<readonly Version[]> {
  const [, , file] = corrections.key
  if (!(await keepsCorrections(session).catch(() => false))) return await versionsOfDevice(corrections)
  const versions = await fetchCorrectionVersions(session, file)
  return versions.map(({ revision, saved, key, label, corrections: count, name }) => ({
    id: revision,
    savedAt: Date.parse(saved),
    corrections: count,
    label,
    by: key,
    name,
    read: async () => (await fetchCorrectionVersion(session, file, revision)).set,
    rename: (given) => nameCorrectionVersion(session, file, revision, given),
  }))
}

async function versionsOfDevice(corrections: Corrections): Promise<readonly Version[]> {
  // If the browser's storage is full, none were stored.
  const versions = await corrections.versions().catch(() => [])
  return versions.map((version) => ({
    id: version.keptAt,
    savedAt: version.keptAt,
    corrections: countCorrections(version),
    label: version.label,
    by: null,
    name: null,
    read: () => Promise.resolve(version),
    rename: null,
  }))
}
