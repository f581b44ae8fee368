import { account } from '../api/account.ts'
import type { Session } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { correctedFiles } from '../library/corrected-files.ts'

async function send(session: Session): Promise<void> {
  if (correctedFiles(session).size === 0) return
  const overview = await queryClient.query(account.overview(session)).catch(() => null)
  if (overview?.features.corrections !== true) return
  const { sendOutbox } = await import('../transcript/sync/outbox.ts')
  await sendOutbox(session)
}

/** Sends corrections that this device has to itself, now and when it is online again. Returns a function that ends it. */
export function sendUnsentCorrections(session: Session): () => void {
  // What fails is tried again at the next visit, and nothing of it is lost.
  const sendNow = () => void send(session).catch(() => undefined)
  sendNow()
  window.addEventListener('online', sendNow)
  return () => window.removeEventListener('online', sendNow)
}
