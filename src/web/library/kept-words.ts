import type { Session } from '../api/client.ts'
import { SealedStore } from './sealed-store.ts'

/** The words of transcripts that were opened on this device, sealed, by file id; see `transcript/kept`. */
export function openKeptWords(session: Session): Promise<SealedStore | null> {
  return SealedStore.open(session, 'parley-words', 'parley words')
}
