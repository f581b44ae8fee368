import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { changeBetween } from '../../../text/correction-set.ts'
import type { CorrectionHome } from '../../base/api/corrections.ts'
import type { DocumentKey } from '../../signed-in/library/correction-database.ts'
import { type Synced, writeSynced } from '../edit/correction-store.ts'

/** Runs `work` under a lock: only one tab at a time syncs the corrections of a transcript. */
export function whileAlone(key: DocumentKey, work: () => Promise<void>): Promise<void> {
  return navigator.locks.request(`parley-correction-sync ${JSON.stringify(key)}`, work)
}

/**
 * Sends the corrections that the service does not have, and records that it has them.
 * @param service its state as of the last sync
 * @param label what was done, for the user
 * @param onSending called if there is something to send
 * @returns its new state; null if it already had all of them
 * @throws ApiError 412 if another change came first, 409 if it has another text
 */
export async function sendUnsent(
  home: CorrectionHome,
  key: DocumentKey,
  service: Synced,
  { fingerprint, baseNames, names, patches }: CorrectionSet,
  label: string,
  onSending: () => void = () => undefined,
): Promise<Synced | null> {
  const set = { fingerprint, baseNames, names, patches }
  const change = changeBetween(service.set, set, label)
  if (change === null) return null
  onSending()
  const anew = service.isOlder === true ? { anew: true } : {}
  const revision = await home.send(service.revision, { ...change, ...anew })
  await writeSynced(key, { revision, set })
  return { revision, set }
}
