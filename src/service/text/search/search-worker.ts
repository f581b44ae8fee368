import { parentPort, workerData } from 'node:worker_threads'
import { correctedTranscript } from '../../../text/corrected-transcript.ts'
import { identifyText, ownText } from '../transcripts/rendering.ts'
import { readWordsAndTurns } from '../transcripts/stored-words.ts'
import { find } from './find.ts'
import { type Block, groupBlocks, splitPassages } from './passages.ts'
import type { SearchIndex } from './search-index.ts'
import type { IndexPlace, SearchReply, SearchRequest, Source } from './search-protocol.ts'
import { isDamaged, removeIndex, SqliteIndex } from './sqlite-index.ts'

/* The index thread: reads words and indexes them, one file at a time, and serves searches in between. */

const place = workerData as IndexPlace

async function openIndex(): Promise<SearchIndex> {
  if ('sqlite' in place) return new SqliteIndex(place.sqlite)
  const { PostgresIndex } = await import('./postgres-index.ts')
  return await PostgresIndex.open(place.postgres)
}

const send = (reply: SearchReply) => parentPort?.postMessage(reply)

async function textBlocks({ text, corrections }: Source): Promise<Block[]> {
  if (text === null) return groupBlocks([])
  try {
    const own = await ownText(text, readWordsAndTurns)
    const isOfText = corrections !== null && identifyText(own).fingerprint === corrections.fingerprint
    return groupBlocks(
      isOfText ? splitPassages(correctedTranscript(own, corrections), corrections.patches) : splitPassages(own),
    )
  } catch (error) {
    // Lost words: the file is found by its name only.
    if (error instanceof SyntaxError) return groupBlocks([])
    throw error
  }
}

let index: Promise<SearchIndex> | undefined

/** Serves a request; if the index turns out to be damaged, rebuilds it and retries. */
async function answer(request: SearchRequest, mayMend = true): Promise<unknown> {
  try {
    index ??= openIndex()
    return await ask(await index, request)
  } catch (error) {
    const opened = await index?.catch(() => undefined)
    // The next request opens it again.
    if (opened === undefined) index = undefined
    if (!('sqlite' in place && mayMend && isDamaged(error))) throw error
    await opened?.close()
    removeIndex(place.sqlite)
    index = undefined
    send({ made: 'damaged' })
    return await answer(request, false)
  }
}

async function put(opened: SearchIndex, source: Source): Promise<void> {
  // Another node may have been faster.
  const { id, stamp } = source
  if ((await opened.stampsOf([id])).get(id) === stamp) return
  await opened.put({ ...source, blocks: await textBlocks(source) })
}

async function ask(opened: SearchIndex, request: SearchRequest): Promise<unknown> {
  switch (request.kind) {
    case 'put':
      return await put(opened, request.asked)
    case 'remove':
      return await opened.remove(request.asked)
    case 'stampsOf':
      return await opened.stampsOf(request.asked)
    case 'ids':
      return await opened.ids(request.asked.after, request.asked.limit)
    case 'find':
      return await find(opened, request.asked)
    case 'close':
      return await opened.close()
  }
}

async function reply(request: SearchRequest): Promise<void> {
  const { call } = request
  try {
    send({ call, given: await answer(request) })
  } catch (error) {
    send({ call, failed: error instanceof Error ? error : new Error(String(error)) })
  }
}

let before: Promise<void> = Promise.resolve()

parentPort?.on('message', (request: SearchRequest) => {
  // Searches do not wait for the removal of a file.
  if (request.kind === 'find') void reply(request)
  else before = before.then(() => reply(request))
})
