/**
 * A place within a transcript, from a link or an earlier visit. Words have the service's numbers. `silent`: scrolls
 * only the text; otherwise the player seeks as well, and the words are highlighted.
 */
export type Place =
  | { kind: 'time'; seconds: number; silent?: boolean }
  | { kind: 'words'; from: number; to: number; silent?: boolean; plays?: boolean }

/**
 * Parses `#t=123.4` and `#w=100-130` (both words inclusive), with `&play` if playback should start; null for anything
 * else.
 */
export function placeOfHash(hash: string): Place | null {
  const time = /^#t=(\d+(?:\.\d+)?)$/.exec(hash)
  if (time !== null) return { kind: 'time', seconds: Number(time[1]) }
  const words = /^#w=(\d+)(?:-(\d+))?(&play)?$/.exec(hash)
  if (words === null) return null
  const from = Number(words[1])
  const to = Math.max(from, Number(words[2] ?? from)) + 1
  return { kind: 'words', from, to, ...(words[3] !== undefined && { plays: true }) }
}

/** The hash of a link to these words, `to` exclusive. */
export function hashOfWords(from: number, to: number): string {
  return to - from === 1 ? `#w=${from}` : `#w=${from}-${to - 1}`
}
