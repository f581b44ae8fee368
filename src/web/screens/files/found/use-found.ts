import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FoundSentence, SearchPage } from '../../../../contract/account/search.ts'
import { searchPages } from '../../../base/api/search.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { serviceWords, withProject } from '../list/search-words.ts'

/** The found sentence that a row shows. */
export type RowSentence = Pick<FoundSentence, 'speaker' | 'start_ms' | 'words' | 'text' | 'marks'>

/** Files with matches, each with its first matching sentence; null if only its name matches. */
export type FoundFiles = ReadonlyMap<string, RowSentence | null>

export type Found = {
  files: FoundFiles
  /** how much of the account's transcripts was searched, in percent; null: the service has no search */
  percent: number | null
  /** nothing is known yet of the words */
  isSearching: boolean
  /** true: the search failed */
  isFailed: boolean
  /** continues or retries the search; null if there is no more */
  more: (() => void) | null
}

/** Files per request. */
const atOnce = 50

/**
 * Full-text matches that the service finds in transcripts.
 * @param isService the service can search; undefined: not yet known
 * @param project the name of the project whose files the page shows; null: it shows all
 */
export function useFound(search: string, isService: boolean | undefined, project: string | null = null): Found {
  const session = useSession()
  const isAsked = isService === true && search !== ''
  const { data, isPending, isFetching, isError, hasNextPage, fetchNextPage } = useInfiniteQuery(
    searchPages(session, serviceWords(project === null ? search : withProject(search, project)), isAsked, atOnce),
  )
  const pages = isAsked ? data?.pages : undefined
  const files = useMemo(() => filesOfPages(pages), [pages])
  return {
    files,
    percent: isService === false ? null : (pages?.at(-1)?.read_percent ?? 100),
    isSearching: isAsked && isPending && isFetching,
    isFailed: isAsked && isError,
    more: isAsked && (hasNextPage || isError) ? () => void fetchNextPage() : null,
  }
}

function filesOfPages(pages: readonly SearchPage[] = []): FoundFiles {
  return new Map(pages.flatMap(({ files }) => files.map(({ id, sentences: [first = null] }) => [id, first] as const)))
}
