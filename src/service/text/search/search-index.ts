import { createHash } from 'node:crypto'
import type { Block } from './passages.ts'
import type { Query, Term } from './query.ts'
import { isToken, tokenize } from './tokens.ts'

/** A file as it is indexed. Its `no` grows with each new file. */
export type IndexedFile = { no: number; id: string; name: string; createdAt: number; stamp: string; blocks: number }

/** What is to be indexed of a file. */
export type Entry = Omit<IndexedFile, 'no' | 'blocks'> & { accountId: string; blocks: readonly Block[] }

/** Files of an account below a number, ordered within these times (ms since 1970; from, and before). @property only of these ids; null: of any */
export type FileRange = { below: number; from: number | null; before: number | null; only: readonly string[] | null }

/**
 * The index of all words: candidates, which `find.ts` reads again. It may be lost at any time: it is made again from files
 * and corrections. Blocks of a file have ids from `lastBlockId(no)` down, so that a falling id is a falling file and a growing
 * place in it.
 */
export type SearchIndex = {
  /** Of these files, the stamps that they were indexed with. */
  stampsOf(ids: readonly string[]): Promise<Map<string, string>>
  /** Indexes a file in the place of what was there of it, whole or not at all. */
  put(entry: Entry): Promise<void>
  /** Takes a file out, with every word. */
  remove(id: string): Promise<void>
  /** Ids of indexed files after an id, in their order. */
  ids(after: string, limit: number): Promise<string[]>
  /** The newest first. */
  files(accountId: string, range: FileRange, limit: number): Promise<IndexedFile[]>
  filesOf(nos: readonly number[]): Promise<Map<number, IndexedFile>>
  /** Falling ids of blocks below one that may have what is looked for. @param only in these files; null: in any */
  candidates(accountId: string, query: Query, below: number, only: FileRange['only'], limit: number): Promise<number[]>
  /** What `textOfBlock` has of each. */
  blocks(ids: readonly number[]): Promise<Map<number, string>>
  close(): Promise<void>
}

/** A day has 850 blocks. */
export const blocksOfFile = 4_096

/** The id of a file's first block; the next ones count down. */
export const lastBlockId = (no: number): number => no * blocksOfFile + blocksOfFile - 1
export const fileNumber = (blockId: number): number => Math.floor(blockId / blocksOfFile)

const markLength = 4

/** Begins each token of an account, or of a part of its files: a search reads only what it is about. */
function groupMark(group: string): string {
  const sum = createHash('sha256').update(group).digest().readUInt32BE()
  return (sum % 36 ** markLength).toString(36).padStart(markLength, '0')
}

/** Calls with the tokens of a block, with the names by which it is found as well, in their order. */
function eachToken(name: string, block: Block, found: (token: string) => void): void {
  const add = (text: string) => {
    // As most words are: a list of one would be made for each.
    if (isToken(text)) found(text)
    else for (const token of tokenize(text)) found(token)
  }
  for (const { words } of block) for (const word of words) add(word)
  for (const speaker of new Set(block.map(({ speaker }) => speaker))) add(speaker)
  for (const part of name.split(' ')) add(part)
}

/** Tokens with the mark of their group, told apart by spaces. */
function marked(group: string, tokens: readonly string[]): string {
  const mark = groupMark(group)
  return tokens.length === 0 ? '' : mark + tokens.join(` ${mark}`)
}

/** The tokens of a block, with the names by which it is found as well, told apart by spaces. */
export function indexedTokens(group: string, name: string, block: Block): string {
  const tokens: string[] = []
  eachToken(name, block, (token) => tokens.push(token))
  return marked(group, tokens)
}

/** The blocks that have a token: the last one's index, and all, told apart by commas. */
type Places = { last: number; all: string }

/**
 * The tokens of a whole file, once each and told apart by spaces, and for each the indexes of the blocks that have it,
 * told apart by commas.
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

/** The terms that a block must have to be a candidate, with the mark of its group. */
export function indexedTerms(group: string, { terms, speakers }: Query): Term[] {
  const mark = groupMark(group)
  return [...terms, ...speakers].map(({ tokens, isPrefix }) => ({
    tokens: tokens.map((token) => mark + token),
    isPrefix,
  }))
}
