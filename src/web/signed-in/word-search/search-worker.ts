import type { Session } from '../../base/api/client.ts'
import type { SearchAnswer, SearchRequest } from './search-protocol.ts'
import { decodeTranscript, encodeTranscript, type StoredTranscript } from './stored-transcript.ts'
import { TranscriptSearcher } from './transcript-searcher.ts'
import { openWordStore } from './word-store.ts'

/** Beyond these the least recently opened transcripts are deleted. */
const maxTranscripts = 200
const maxHits = 20
const maxHitsOfOne = 4

async function store(session: Session, file: string, transcript: StoredTranscript): Promise<void> {
  const words = await openWordStore(session)
  if (words === null) return
  try {
    await words.put(file, await encodeTranscript(transcript))
    const files = await words.names()
    for (const old of files.slice(0, Math.max(0, files.length - maxTranscripts))) await words.delete(old)
  } catch {
    // Storage is full or was taken away: the palette does not find this transcript, everything else works.
  }
}

/** All transcripts that this key can decrypt, the most recently opened first. */
async function loadAll(session: Session): Promise<TranscriptSearcher[]> {
  const words = await openWordStore(session)
  const loaded: TranscriptSearcher[] = []
  for (const file of (await words?.names().catch(() => []))?.reverse() ?? []) {
    try {
      const bytes = await words?.get(file)
      if (bytes != null) loaded.push(new TranscriptSearcher(file, await decodeTranscript(bytes)))
    } catch {
      // Sealed with another key, or damaged: skipped.
    }
  }
  return loaded
}

let searchers: Promise<TranscriptSearcher[]> = Promise.resolve([])

async function search(query: string): Promise<SearchAnswer> {
  const all = await searchers
  const hits = []
  for (const searcher of all) {
    hits.push(...searcher.search(query, Math.min(maxHitsOfOne, maxHits - hits.length)))
    if (hits.length === maxHits) break
  }
  return { query, hits, transcripts: all.length }
}

self.addEventListener('message', async ({ data }: MessageEvent<SearchRequest>) => {
  if (data.kind === 'load') searchers = loadAll(data.session)
  else if (data.kind === 'search') self.postMessage(await search(data.query))
  else {
    await store(data.session, data.file, data.transcript)
    self.postMessage(null)
    self.close()
  }
})
