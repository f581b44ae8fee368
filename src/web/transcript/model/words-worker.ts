import { readTxt, type TextShape } from '../../../formats/read-txt.ts'
import { ApiError, request } from '../../base/api/client.ts'
import { readWords } from './read-words.ts'
import { listBuffers } from './word.ts'
import type { ShapeMessage, WordsMessage, WordsRequest } from './words-protocol.ts'

/** How to parse the text format; resolved once the page has the file's metadata. */
const shape = Promise.withResolvers<TextShape>()

function send(message: WordsMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer })
}

async function readJson({ credentials, jsonUrl }: WordsRequest): Promise<void> {
  const response = await request(credentials, jsonUrl)
  if (response.body === null) throw new ApiError(response.status, 'The service sent no transcript.')
  const { end, skipped, fingerprint } = await readWords(response.body, (chunk) =>
    send({ kind: 'chunk', chunk }, listBuffers(chunk)),
  )
  send({ kind: 'end', as: end, skipped, fingerprint })
}

/** The beginning of a line is enough to match it to a turn. */
const matchedLetters = 40

async function readText({ credentials, txtUrl }: WordsRequest): Promise<void> {
  const response = await request(credentials, txtUrl)
  const { lines, damage } = readTxt(await response.text(), await shape.promise)
  const beginnings = lines.map((line) => ({ ...line, text: line.text.slice(0, matchedLetters) }))
  send({ kind: 'lines', damage, lines: beginnings })
}

function sendFailure(error: unknown): void {
  if (error instanceof ApiError) send({ kind: 'failed', status: error.status, message: error.message })
  else send({ kind: 'failed', status: 0, message: 'The connection dropped while the transcript was loading.' })
}

async function load(wordsRequest: WordsRequest): Promise<void> {
  try {
    await readJson(wordsRequest)
  } catch (error) {
    return sendFailure(error)
  }
  try {
    await readText(wordsRequest)
  } catch {
    // Without the text format, turns have no names; the words are shown anyway.
    send({ kind: 'lines', lines: [], damage: null })
  }
}

self.addEventListener('message', ({ data }: MessageEvent<WordsRequest | ShapeMessage>) => {
  if (data.kind === 'read') void load(data)
  else shape.resolve(data.shape)
})
