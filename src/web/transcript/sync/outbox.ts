import { keepsCorrections } from '../../base/api/account.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { openCorrections } from '../../base/api/corrections.ts'
import type { DocumentKey } from '../../signed-in/library/correction-database.ts'
import { listDocuments, readDocument, readSynced } from '../edit/correction-store.ts'
import { sendUnsent, whileAlone } from './send-unsent.ts'

/**
 * Sends corrections that exist only on this device, for all transcripts of the account: made offline, before a tab was
 * closed, or before the service stored any. Concurrent changes by others are merged when the transcript is opened.
 */
async function sendOutbox(session: Session): Promise<void> {
  if (!(await keepsCorrections(session))) return
  for (const key of await listDocuments(session.environment, session.account)) {
    try {
      await whileAlone(key, () => sendAll(session, key))
    } catch (error) {
      // Another change came first, or the service has another text: opening the transcript merges them.
      if (!(error instanceof ApiError && [404, 409, 412].includes(error.status))) return
    }
  }
}

async function sendAll(session: Session, key: DocumentKey): Promise<void> {
  const document = await readDocument(key)
  if (document === null) return
  const nothing = { ...document, names: document.baseNames, patches: [] }
  const service = (await readSynced(key)) ?? { revision: 0, set: nothing }
  if (service.set.fingerprint !== document.fingerprint) return
  await sendUnsent(openCorrections(session, key[2]), key, service, document, 'Corrections of a device')
}

let current: Session | null = null

/** Failed requests are retried at the next visit; nothing is lost. */
function sendNow(): void {
  if (current !== null) void sendOutbox(current).catch(() => undefined)
}

/** Sends corrections that exist only on this device: once per session, and whenever the device comes online. */
export function sendUnsentCorrections(session: Session): void {
  if (current === session) return
  if (current === null) window.addEventListener('online', sendNow)
  current = session
  sendNow()
}
