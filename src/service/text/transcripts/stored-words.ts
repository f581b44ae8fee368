import type { StoredWord } from '../../../text/build-transcript.ts'

/**
 * Blob part `words.json` of a finished file: the JSON array of all its words in order, in chunks of text.
 * A file without speech is the empty array.
 */
export function* storedWordsJson(words: Iterable<StoredWord>): Generator<string> {
  let chunk = '['
  let separator = '\n'
  for (const word of words) {
    chunk += separator + JSON.stringify(word)
    separator = ',\n'
    if (chunk.length > 60_000) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}\n]\n`
}

/**
 * Reads `words.json` as a stream, in whole lines as written by `storedWordsJson`, so that the text is never completely
 * in memory and other requests do not wait for a day's words.
 * @param readLines reads whole lines, separated by `,\n`
 * @throws SyntaxError if it is damaged or ends too early
 */
export async function readWordsStream(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  readLines: (lines: string) => StoredWord[] = (lines) => readStoredWords(`[${lines}]`),
): Promise<StoredWord[]> {
  const words: StoredWord[] = []
  const decoder = new TextDecoder()
  let rest = ''
  let isWhole = false
  for await (const chunk of content) {
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n')
    rest = text.slice(end + 1)
    isWhole ||= text.endsWith(']\n')
    // All lines of a chunk at once, which takes half as long as one by one.
    const lines = text.slice(text.startsWith('[') ? 1 : 0, text.endsWith(']\n') ? -2 : Math.max(end, 0)).trim()
    const records = lines.endsWith(',') ? lines.slice(0, -1) : lines
    // One by one: a day's words are too many to be the arguments of one call.
    if (records !== '') for (const word of readLines(records)) words.push(word)
  }
  if (!isWhole) throw new SyntaxError('The stored words end too early.')
  return words
}

const usualLine =
  /\{"word":"([^"\\]*)","start":([\d.]+),"end":([\d.]+),"duration":[\d.]+,"conf":[\d.]+(,"turn":true)?(?:,"speaker":(\d+))?(,"turn":true)?(?:,"turn_conf":[\d.]+)?\}(?:,\n|$)/y

/**
 * Reads lines in half the time, for callers that need only words, times, voices and turns: other fields get defaults.
 */
export function readWordsAndTurns(lines: string): StoredWord[] {
  const words: StoredWord[] = []
  for (let at = 0; at < lines.length; ) {
    usualLine.lastIndex = at
    const usual = usualLine.exec(lines)
    if (usual === null) {
      const end = lines.indexOf(',\n', at)
      words.push(JSON.parse(lines.slice(at, end === -1 ? undefined : end)) as StoredWord)
      at = end === -1 ? lines.length : end + 2
      continue
    }
    const [whole, word = '', start, end, turn, speaker, lateTurn] = usual
    const read: StoredWord = { word, start: Number(start), end: Number(end), duration: 0, conf: 1 }
    if (speaker !== undefined) read.speaker = Number(speaker)
    if (turn !== undefined || lateTurn !== undefined) read.turn = true
    words.push(read)
    at += whole.length
  }
  return words
}

/**
 * Parses `words.json`, or `words_json` of a row of `pieces` (the same array, times from the start of the recording).
 */
export function readStoredWords(json: string): StoredWord[] {
  return JSON.parse(json) as StoredWord[]
}
