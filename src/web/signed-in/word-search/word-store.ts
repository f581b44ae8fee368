import type { Session } from '../../base/api/client.ts'
import { SealedStore } from '../session/sealed-store.ts'

/** The sealed words of transcripts that were opened on this device, by file id. Null if the browser stores nothing. */
export function openWordStore(session: Session): Promise<SealedStore | null> {
  return SealedStore.open(session, 'parley-words', 'parley words')
}
