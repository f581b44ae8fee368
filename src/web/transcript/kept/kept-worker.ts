import * as z from 'zod/mini'
import type { Session } from '../../api/client.ts'
import { openKeptWords } from '../../library/kept-words.ts'
import type { KeptAnswer, KeptRequest } from './kept-protocol.ts'
import { KeptReader, type KeptTranscript, pack, unpack } from './kept-transcript.ts'

z.config({ jitless: true })

/** Beyond these the transcripts that were longest not opened go. */
const mostKept = 200
const mostHits = 20
const mostHitsOfOne = 4

async function keep(session: Session, file: string, transcript: KeptTranscript): Promise<void> {
  const store = await openKeptWords(session)
  if (store === null) return
  try {
    await store.put(file, await pack(transcript))
    const names = await store.names()
    for (const name of names.slice(0, Math.max(0, names.length - mostKept))) await store.delete(name)
  } catch {
    // Storage full or taken away: this transcript is not found from the palette, and everything else works.
  }
}

/** All that can be read with this key, the last opened first. */
async function readAll(session: Session): Promise<KeptReader[]> {
  const store = await openKeptWords(session)
  const readers: KeptReader[] = []
  for (const file of (await store?.names().catch(() => []))?.reverse() ?? []) {
    try {
      const bytes = await store?.get(file)
      if (bytes != null) readers.push(new KeptReader(file, await unpack(bytes)))
    } catch {
      // Sealed with another key, or damaged: as good as not there.
    }
  }
  return readers
}

let readers: Promise<KeptReader[]> = Promise.resolve([])

async function find(query: string): Promise<KeptAnswer> {
  const all = await readers
  const hits = []
  for (const reader of all) {
    hits.push(...reader.find(query, Math.min(mostHitsOfOne, mostHits - hits.length)))
    if (hits.length === mostHits) break
  }
  return { query, hits, transcripts: all.length }
}

self.addEventListener('message', async ({ data }: MessageEvent<KeptRequest>) => {
  if (data.kind === 'open') readers = readAll(data.session)
  else if (data.kind === 'find') self.postMessage(await find(data.query))
  else {
    await keep(data.session, data.file, data.transcript)
    self.close()
  }
})
