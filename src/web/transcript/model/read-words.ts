import { TextFingerprint } from '../../../text/text-fingerprint.ts'
import { ChunkBuilder } from './chunk-builder.ts'
import { type JsonEnd, RecordSplitter } from './record-splitter.ts'
import type { WordChunk } from './word.ts'

export type ReadEnd = {
  end: JsonEnd
  /** number of entries that were not word records */
  skipped: number
  /** identifies this exact text with its times: each version of the transcript has a different fingerprint */
  fingerprint: string
}

/** The first words are sent immediately, so that text appears quickly; later ones in batches, to keep messages few. */
const firstBatchWords = 200
const batchWords = 8_192

/**
 * Reads a JSON transcript as it arrives and emits its words in chunks.
 * @param body UTF-8 bytes of a JSON array of word records (spec 2.4): complete, truncated or something else
 * @throws the stream's error if the connection breaks; the words so far were emitted
 */
export async function readWords(
  body: ReadableStream<Uint8Array>,
  onChunk: (chunk: WordChunk) => void,
): Promise<ReadEnd> {
  const splitter = new RecordSplitter()
  const builder = new ChunkBuilder()
  const fingerprint = new TextFingerprint()
  let batch = firstBatchWords
  const emitChunk = () => {
    if (builder.count === 0) return
    const chunk = builder.flush()
    fingerprint.add(chunk.text, chunk.starts)
    onChunk(chunk)
    batch = batchWords
  }
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      for (const record of splitter.push(decoder.decode(step.value, { stream: true }))) builder.add(record)
      if (builder.count >= batch) emitChunk()
    }
    for (const record of splitter.push(decoder.decode())) builder.add(record)
  } finally {
    emitChunk()
  }
  return { end: splitter.end(), skipped: builder.skipped, fingerprint: fingerprint.toString() }
}
