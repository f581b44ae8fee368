import { useEffect, useState } from 'react'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import type { SearchAnswer } from './search-protocol.ts'
import { WordSearch } from './word-search.ts'

/** What is found in all transcripts stored on this device, for as long as the component is there. */
export function useWordsOnDevice(session: Session, typed: string): SearchAnswer | null {
  const [search] = useState(() => new WordSearch(session))
  useEffect(() => search.search(typed), [search, typed])
  useEffect(() => () => search.close(), [search])
  return useSignal(search.answer)
}
