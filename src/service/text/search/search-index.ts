import { createHash } from 'node:crypto'
import type { Block } from './passages.ts'
import type { Query, Term } from './query.ts'
import { isToken, tokenize } from './tokens.ts'

/** A file in the full-text index. Its `no` grows with each new file. */
export type IndexedFile = { no: number; id: string; name: string; createdAt: number; stamp: string; blocks: number }

/** A file's content for the index. */
export type Entry = Omit<IndexedFile, 'no' | 'blocks'> & { accountId: string; blocks: readonly Block[] }

/**
 * Files of an account below a number, ordered within these times (ms since 1970; from, and before). @property only with
 * these ids; null: any
 */
export type FileRange = { below: number; from: number | null; before: number | null; only: readonly string[] | null }

/**
 * The index of all words: supplies candidates, which `find.ts` verifies. It may be lost at any time: it is rebuilt from
 * files and corrections. Blocks of a file have ids from `lastBlockId(no)` down, so that descending ids mean descending
 * files and ascending positions.
 */
export type SearchIndex = {
  /** The stamps that these files were indexed with. */
  stampsOf(ids: readonly string[]): Promise<Map<string, string>>
  /** Indexes a file, replacing its previous entry, atomically. */
  put(entry: Entry): Promise<void>
  /** Removes a file with every word. */
  remove(id: string): Promise<void>
  /** Ids of indexed files after an id, ascending. */
  ids(after: string, limit: number): Promise<string[]>
  /** Newest first. */
  files(accountId: string, range: FileRange, limit: number): Promise<IndexedFile[]>
  filesOf(nos: readonly number[]): Promise<Map<number, IndexedFile>>
  /** Descending ids below one, of blocks that may match. @param only in these files; null: in any */
  candidates(accountId: string, query: Query, below: number, only: FileRange['only'], limit: number): Promise<number[]>
  /** The `textOfBlock` of each. */
  blocks(ids: readonly number[]): Promise<Map<number, string>>
  close(): Promise<void>
}

/** A day has 850 blocks. */
export const blocksOfFile = 4_096

/** The id of a file's first block; the next ones count down. */
export const lastBlockId = (no: number): number => no * blocksOfFile + blocksOfFile - 1
export const fileNumber = (blockId: number): number => Math.floor(blockId / blocksOfFile)

const markLength = 4

/** Prefix of the tokens of an account, or of a part of its files: a search reads only its own group. */
function groupMark(group: string): string {
  const sum = createHash('sha256').update(group).digest().readUInt32BE()
  return (sum % 36 ** markLength).toString(36).padStart(markLength, '0')
}

/** Calls back with each token of a block, and of the names that also match it, in order. */
function eachToken(name: string, block: Block, found: (token: string) => void): void {
  const add = (text: string) => {
    // The common case, without allocating a list of one.
    if (isToken(text)) found(text)
    else for (const token of tokenize(text)) found(token)
  }
  for (const { words } of block) for (const word of words) add(word)
  for (const speaker of new Set(block.map(({ speaker }) => speaker))) add(speaker)
  for (const part of name.split(' ')) add(part)
}

/** Tokens with the mark of their group, separated by spaces. */
function marked(group: string, tokens: readonly string[]): string {
  const mark = groupMark(group)
  return tokens.length === 0 ? '' : mark + tokens.join(` ${mark}`)
}

/** The tokens of a block, and of the names that also match it, separated by spaces. */
export function indexedTokens(group: string, name: string, block: Block): string {
  const tokens: string[] = []
  eachToken(name, block, (token) => tokens.push(token))
  return marked(group, tokens)
}

/** The blocks that have a token: the last one's index, and all, separated by commas. */
type Places = { last: number; all: string }

/**
 * The distinct tokens of a whole file, separated by spaces, and for each the indexes of the blocks that have it,
 * separated by commas.
 * @param mostBytes of all tokens; further ones are left out
 */
export function tokensAndPlaces(
  { accountId, name, blocks }: Entry,
  mostBytes: number,
): { tokens: string; places: string[] } {
  const placesOf = new Map<string, Places>()
  let bytes = 0
  for (const [index, block] of blocks.entries()) {
    const here = String(index)
    eachToken(name, block, (token) => {
      const places = placesOf.get(token)
      if (places === undefined) {
        bytes += Buffer.byteLength(token) + markLength
        if (bytes <= mostBytes) placesOf.set(token, { last: index, all: here })
      } else if (places.last !== index) {
        places.last = index
        places.all = `${places.all},${here}`
      }
    })
  }
  return { tokens: marked(accountId, [...placesOf.keys()]), places: [...placesOf.values()].map(({ all }) => all) }
}

/** The terms required of a candidate block, with the mark of its group. */
export function indexedTerms(group: string, { terms, speakers }: Query): Term[] {
  const mark = groupMark(group)
  return [...terms, ...speakers].map(({ tokens, isPrefix }) => ({
    tokens: tokens.map((token) => mark + token),
    isPrefix,
  }))
}
