import { account } from './account.ts'
import type { Session } from './client.ts'
import { queryClient } from './query-client.ts'

/** Whether the service keeps corrections; not where it cannot be asked. */
export async function keepsCorrections(session: Session): Promise<boolean> {
  const overview = await queryClient.query(account.overview(session)).catch(() => null)
  return overview?.features.corrections === true
}
