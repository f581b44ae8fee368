import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { countOfCorrections } from '../../../text/count-of-corrections.ts'
import { keepsCorrections } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { fetchCorrectionVersion, fetchCorrectionVersions, nameCorrectionVersion } from '../../base/api/corrections.ts'
import type { Corrections } from '../edit/corrections.ts'

/** An earlier state of the corrections, kept by the account or else by this device. */
export type Version = {
  /** tells it from the others */
  id: number
  /** milliseconds since 1970 */
  savedAt: number
  corrections: number
  /** what was done last before it */
  label: string
  /** the name of the key that made it; null on this device */
  by: string | null
  /** given by somebody, null if nobody did */
  name: string | null
  /** @throws ApiError */
  read: () => Promise<CorrectionSet | null>
  /** gives it a name; null if it can have none. @throws ApiError */
  rename: ((name: string) => Promise<void>) | null
}

/** The states that can be gone back to, the newest first. @throws ApiError if the account keeps them and does not answer */
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
  // Where this browser has no room nothing was stored.
  const versions = await corrections.versions().catch(() => [])
  return versions.map((version) => ({
    id: version.keptAt,
    savedAt: version.keptAt,
    corrections: countOfCorrections(version),
    label: version.label,
    by: null,
    name: null,
    read: () => Promise.resolve(version),
    rename: null,
  }))
}
