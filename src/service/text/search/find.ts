import type { FoundSentence } from '../../../contract/account/search.ts'
import { foundSentence, matchesName, matchPassage, mayMatch } from './match.ts'
import { unpackBlock } from './passages.ts'
import type { Query } from './query.ts'
import { type FileRange, fileNumber, type IndexedFile, lastBlockId, type SearchIndex } from './search-index.ts'
import { tokenize } from './tokens.ts'

/** A file with matches. */
type FoundFile = Pick<IndexedFile, 'id' | 'stamp'> & { sentences: FoundSentence[] }

/** `next`: cursor of the next page; null: there is no more. */
export type Found = { files: FoundFile[]; next: number | null }

export type Wanted = {
  accountId: string
  query: Query
  /** only files with these ids; null: all */
  only: readonly string[] | null
  /** only blocks with a lower id */
  below: number
  /** files on a page */
  limit: number
}

/**
 * How many blocks of the newest files are read before the index is queried: common words are found there immediately.
 */
const skimmedBlocks = 64
const skimmedAtOnce = 8
/** Most blocks read for one page, whatever the query; the next page continues. */
const mostBlocks = 1_500
const mostCandidates = 2_000
const blocksAtOnce = 128
const sentencesOfFile = 3

const isWithin = ({ from, before }: Query, { createdAt }: IndexedFile) =>
  createdAt >= (from ?? 0) && createdAt < (before ?? Number.MAX_SAFE_INTEGER)

const toFileRange = ({ below, query: { from, before }, only }: Wanted): FileRange => ({
  ...{ below: fileNumber(below - 1) + 1, from, before, only },
})

/** @param text of `textOfBlock` */
function sentencesIn(query: Query, text: string, name: readonly string[]): FoundSentence[] {
  const sentences: FoundSentence[] = []
  if (!mayMatch(query, text, name)) return sentences
  for (const passage of unpackBlock(text)) {
    const found = matchPassage(query, passage, name)
    if (found !== null) sentences.push(foundSentence(passage, found))
    if (sentences.length === sentencesOfFile) break
  }
  return sentences
}

/**
 * Finds files, newest first, each with sentences of its first matching block. Every match is verified by the words
 * themselves; the index only supplies candidates.
 */
export async function find(index: SearchIndex, wanted: Wanted, skimmed = skimmedBlocks): Promise<Found> {
  const { accountId, below } = wanted
  const [newest] = await index.files(accountId, toFileRange(wanted), 1)
  if (newest === undefined) return { files: [], next: null }
  const within = { ...wanted, below: Math.min(below, lastBlockId(newest.no) + 1) }
  return (await skim(index, within, skimmed)) ?? (await search(index, within))
}

/** Reads the newest files without querying the index. @returns null if that does not fill a page soon */
async function skim(index: SearchIndex, wanted: Wanted, most: number): Promise<Found | null> {
  const { accountId, query, below, limit } = wanted
  const candidates = await index.files(accountId, toFileRange(wanted), most)
  const files: FoundFile[] = []
  let left = most
  let ahead = new Map<number, string>()
  for (const file of candidates) {
    const name = tokenize(file.name)
    let sentences: FoundSentence[] = []
    const last = lastBlockId(file.no) - file.blocks
    for (let id = Math.min(lastBlockId(file.no), below - 1); id > last && sentences.length === 0; id--) {
      if (left-- === 0) return null
      if (!ahead.has(id)) ahead = await index.blocks(idsFrom(id, last, skimmedAtOnce))
      const block = ahead.get(id)
      if (block !== undefined) sentences = sentencesIn(query, block, name)
    }
    if (sentences.length > 0 || matchesName(query, name)) files.push({ id: file.id, stamp: file.stamp, sentences })
    if (files.length === limit) return { files, next: lastBlockId(file.no - 1) + 1 }
  }
  return candidates.length < most ? { files, next: null } : null
}

/** Descending ids from one to another, exclusive. */
const idsFrom = (id: number, last: number, most: number) =>
  Array.from({ length: Math.min(most, id - last) }, (_, at) => id - at)

async function search(index: SearchIndex, wanted: Wanted): Promise<Found> {
  const { query, limit } = wanted
  const ids = await findCandidates(index, wanted)
  const infos = await index.filesOf([...new Set(ids.map(fileNumber))])
  const files: FoundFile[] = []
  let blocks = new Map<number, string>()
  let read = 0
  for (let at = 0; at < ids.length; ) {
    const id = ids[at] as number
    const file = infos.get(fileNumber(id))
    if (read === mostBlocks) return { files, next: id + 1 }
    if (file !== undefined && isWithin(query, file)) {
      if (!blocks.has(id)) blocks = await index.blocks(ids.slice(at, at + blocksAtOnce))
      read++
      const name = tokenize(file.name)
      const sentences = sentencesIn(query, blocks.get(id) ?? '[]', name)
      const isLast = at + 1 < ids.length ? fileNumber(ids[at + 1] as number) !== file.no : ids.length < mostCandidates
      if (sentences.length > 0 || (isLast && matchesName(query, name))) {
        files.push({ id: file.id, stamp: file.stamp, sentences })
        if (files.length === limit) return { files, next: lastBlockId(file.no - 1) + 1 }
        while (fileNumber(ids[at + 1] ?? -1) === file.no) at++
      }
    }
    at++
  }
  const lastId = ids.at(-1) ?? 0
  return { files, next: ids.length < mostCandidates ? null : lastId }
}

/** Without spoken words in the query, each file of the period is a candidate. */
async function findCandidates(index: SearchIndex, wanted: Wanted): Promise<number[]> {
  const { accountId, query, below, only } = wanted
  if (query.terms.length + query.speakers.length > 0)
    return await index.candidates(accountId, query, below, only, mostCandidates)
  const files = await index.files(accountId, toFileRange(wanted), mostCandidates)
  return files.map(({ no, blocks }) => lastBlockId(no) - Math.max(0, blocks - 1))
}
