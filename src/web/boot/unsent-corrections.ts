import { keepsCorrections } from '../base/api/account.ts'
import type { Session } from '../base/api/client.ts'

async function send(session: Session): Promise<void> {
  if (!(await keepsCorrections(session))) return
  const { sendOutbox } = await import('../transcript/sync/outbox.ts')
  await sendOutbox(session)
}

let current: Session | null = null

/** Failed requests are retried at the next visit; nothing is lost. */
function sendNow(): void {
  if (current !== null) void send(current).catch(() => undefined)
}

/** Sends corrections that exist only on this device: once per session, and whenever the device comes online. */
export function sendUnsentCorrections(session: Session): void {
  if (current === session) return
  if (current === null) window.addEventListener('online', sendNow)
  current = session
  sendNow()
}
