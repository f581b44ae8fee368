import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMatch, useNavigate } from 'react-router'
import { captionsPath } from '../../contract/common/preloaded-pages.ts'
import type { MenuFormat } from '../../contract/interface/transcript-formats.ts'
import { account } from '../base/api/account.ts'
import type { Session } from '../base/api/client.ts'
import { projects } from '../base/api/projects.ts'
import { searchPages } from '../base/api/search.ts'
import { useSettings } from '../base/api/settings.ts'
import { readViews } from '../base/api/views.ts'
import { offeredSections } from '../screens/settings/sections.ts'
import type { FileRow } from '../signed-in/library/library-rows.ts'
import { useLibrary } from '../signed-in/library/use-live.ts'
import { rememberFormat } from '../signed-in/preferences/last-format.ts'
import { startDownload } from '../transcript/downloads/start-download.ts'
import { type Command, fixedCommands, matchCommands, sentenceCommands } from './commands.ts'
import { useNavItems } from './nav-items.ts'

/** Number of files requested: there is no room for more. */
const filesFound = 10

/** Commands and files that match the query, then matches in transcripts, which arrive later. */
export function useCommands(
  { session, onSignOut, onShowKeys }: { session: Session; onSignOut: () => void; onShowKeys: () => void },
  typed: string,
): { commands: readonly Command[]; findsWords: boolean; reach: string } {
  const navigate = useNavigate()
  const { snapshot } = useLibrary()
  const { environment } = session
  const go = (path: string) => void navigate(path)
  const views = readViews(useSettings(session)).map(({ id, name }) => ({ path: `files?view=${id}`, label: name }))
  const { data: overview } = useQuery(account.overview(session))
  const { data: known = [] } = useQuery({ ...projects.list(session), enabled: overview?.features.projects === true })
  const ofProjects = known.map(({ id, name }) => ({ path: `projects/${encodeURIComponent(id)}`, label: name }))
  const allProjects = known.length > 0 ? [{ path: 'projects', label: 'All projects' }] : []
  // Only once something is typed: the page of settings lists them.
  const ofSettings = typed.trim() === '' ? [] : offeredSections(overview).map(toPage)
  const ofTags = typed.trim() === '' ? [] : tagsOf(snapshot.rows).map(toTagPage)
  const fixed = fixedCommands(
    session,
    [...useNavItems(), ...ofSettings, ...views, ...ofTags, ...allProjects, ...ofProjects],
    {
      navigate: go,
      signOut: onSignOut,
      showKeys: onShowKeys,
      ...useOpenTranscript(session, go),
    },
  )
  const openFile = (id: string, hash = '') => go(`/${environment}/files/${encodeURIComponent(id)}${hash}`)
  const findsWords = overview?.features.search === true
  const { data: pages } = useInfiniteQuery(searchPages(session, typed, findsWords, filesFound))
  const [page] = typed.trim() === '' ? [] : (pages?.pages ?? [])
  // In this order, so that late results do not move the selected row.
  const named = matchCommands(typed, fixed, snapshot.rows, openFile)
  return {
    commands: [...named, ...sentenceCommands(page?.files ?? [], openFile)],
    findsWords,
    reach: findsWords ? readingText(page?.read_percent ?? 100) : 'pages or commands',
  }
}

type Go = (path: string) => void
type TranscriptDoers = { download: ((format: MenuFormat) => void) | null; openCaptions: (() => void) | null }

/** Downloads the open transcript, or opens its captions; null if none is open, or it is not complete. */
function useOpenTranscript(session: Session, go: Go): TranscriptDoers {
  const { library } = useLibrary()
  const id = useMatch('/:environment/files/:id/*')?.params.id
  const record = id === undefined ? null : library.row(id)?.record
  if (!record || record.percent < 100) return { download: null, openCaptions: null }
  return {
    download: (format) => {
      rememberFormat(format)
      startDownload(session, record, format)
    },
    openCaptions: () => go(`/${session.environment}/files/${encodeURIComponent(record.id)}/${captionsPath}`),
  }
}

/** A note on the scope of the search. */
function readingText(percent: number): string {
  return percent === 100
    ? 'pages, commands or transcripts'
    : `pages, commands or in the ${percent}% of transcripts that are read so far`
}

/** All tags, sorted: imported from the list, its code would be a chunk more for each first visit. */
function tagsOf(rows: readonly FileRow[]): string[] {
  const tags = new Set(rows.flatMap(({ record }) => record?.labels?.tags ?? []))
  return [...tags].sort((a, b) => a.localeCompare(b))
}

/** The files with a tag; the word tag alone finds all of them. */
function toTagPage(tag: string) {
  const search = encodeURIComponent(`tag:"${tag.replaceAll('"', ' ')}"`)
  return { path: `files?q=${search}`, label: tag, note: 'Files with this tag', also: 'tag' }
}

function toPage({ page, id, title, also }: ReturnType<typeof offeredSections>[number]) {
  return { path: `settings/${page}${id === undefined ? '' : `#${id}`}`, label: title, note: 'Settings', also }
}
