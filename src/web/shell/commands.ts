import type { SearchPage } from '../../contract/account/search.ts'
import { type MenuFormat, menuFormats, menuKinds } from '../../contract/interface/transcript-formats.ts'
import type { Session } from '../base/api/client.ts'
import { type FileRecord, isGivenUp } from '../base/api/metadata-reader.ts'
import { clockText } from '../base/ui/duration.ts'
import type { FileRow } from '../signed-in/library/library-rows.ts'
import { changePreferences } from '../signed-in/preferences/change-preferences.ts'
import type { Theme } from '../signed-in/preferences/preferences.ts'
import { environmentName, hasDocs, otherEnvironment } from '../signed-in/session/offers.ts'
import { hashOfWords } from '../signed-in/transcript-place.ts'

/** One command of the palette. */
export type Command = {
  id: string
  group: 'Pages' | 'Files' | 'Actions' | 'In transcripts'
  label: string
  /** the matched part of the label */
  found?: readonly [from: number, to: number]
  note?: string
  /** how else people call it */
  also?: string
  run: () => void
}

type Page = { path: string; label: string; note?: string; also?: string }
type Doers = {
  navigate: (path: string) => void
  signOut: () => void
  showKeys: () => void
  /** null: no complete transcript is open */
  download: ((format: MenuFormat) => void) | null
  /** null: no complete transcript is open */
  openCaptions: (() => void) | null
}

const docsCommand: Command = {
  id: 'docs',
  group: 'Pages',
  label: 'API docs',
  also: 'documentation reference examples curl openapi',
  run: () => window.location.assign('/docs'),
}

/** All commands except files, for a session with its pages, views and projects. */
export function fixedCommands(
  session: Session,
  pages: readonly Page[],
  { navigate, signOut, showKeys, download, openCaptions }: Doers,
): Command[] {
  const { environment } = session
  const setTheme = (theme: Theme) => () => void changePreferences(session, { theme })
  const other = otherEnvironment(environment)
  const switchEnvironment: Command[] =
    other === null
      ? []
      : [
          {
            id: 'environment',
            group: 'Actions',
            label: `Switch to ${environmentName(other)}`,
            run: () => navigate(`/${other}/files`),
          },
        ]
  return [
    ...pages.map(({ path, label, note, also }) => ({
      id: `page ${path}`,
      group: 'Pages' as const,
      label,
      ...(note && { note }),
      ...(also && { also }),
      run: () => navigate(`/${environment}/${path}`),
    })),
    ...(hasDocs() ? [docsCommand] : []),
    ...switchEnvironment,
    { id: 'light', group: 'Actions', label: 'Theme: light', also: 'mode', run: setTheme('light') },
    { id: 'dark', group: 'Actions', label: 'Theme: dark', also: 'mode night', run: setTheme('dark') },
    { id: 'system', group: 'Actions', label: 'Theme: system', run: setTheme('system') },
    ...(openCaptions === null
      ? []
      : [
          {
            id: 'captions',
            group: 'Actions' as const,
            label: 'Captions of this transcript',
            also: 'caption subtitles check time',
            run: openCaptions,
          },
        ]),
    ...(download === null ? [] : menuFormats).map((format) => ({
      id: `download ${format}`,
      group: 'Actions' as const,
      label: `Download this transcript as ${format.toUpperCase()}`,
      ...(menuKinds[format] === 'captions' && { also: 'captions subtitles' }),
      run: () => download?.(format),
    })),
    { id: 'keys', group: 'Actions', label: 'Keyboard shortcuts', note: '?', run: showKeys },
    { id: 'sign-out', group: 'Actions', label: 'Sign out', run: signOut },
  ]
}

const maxFiles = 8

/** How well a label matches all words: 0 not at all; a word's start scores higher than its middle. */
function score(label: string, words: readonly string[]): number {
  const lower = label.toLowerCase()
  let total = 0
  for (const word of words) {
    const at = lower.indexOf(word)
    if (at < 0) return 0
    total += at === 0 ? 3 : /\W/.test(lower.charAt(at - 1)) ? 2 : 1
  }
  return total
}

/** The files that match the query, best first, then the commands; all commands if the query is empty. */
export function matchCommands(
  typed: string,
  fixed: readonly Command[],
  rows: readonly FileRow[],
  openFile: (id: string) => void,
): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...fixed]
  const files = rows.flatMap(({ id, record }) => {
    const points = record ? score(record.metadata.name, words) : 0
    return points > 0 && record ? [{ id, name: record.metadata.name, record, points }] : []
  })
  files.sort((one, two) => two.points - one.points)
  return [
    ...files.slice(0, maxFiles).map(({ id, name, record }) => ({
      id: `file ${id}`,
      group: 'Files' as const,
      label: name,
      note: stateNote(record),
      run: () => openFile(id),
    })),
    ...fixed.filter(({ label, also = '' }) => score(`${label} ${also}`, words) > 0),
  ]
}

function stateNote(record: FileRecord): string {
  if (isGivenUp(record)) return 'Given up'
  return record.percent === 100 ? 'Ready' : `${Math.floor(record.percent)}%`
}

/** Sentences found by the service; choosing one plays it. */
export function sentenceCommands(files: SearchPage['files'], open: (id: string, hash: string) => void): Command[] {
  return files.flatMap(({ id, name, sentences }) =>
    sentences.map(({ speaker, start_ms, words, text, marks: [mark = [0, 0]] }, at) => ({
      id: `sentence ${id} ${at}`,
      group: 'In transcripts' as const,
      label: text,
      found: mark,
      note: [name, ...(speaker === null ? [] : [speaker]), clockText(start_ms / 1_000)].join(' · '),
      run: () => open(id, `${hashOfWords(...words)}&play`),
    })),
  )
}
