import { useQuery } from '@tanstack/react-query'
import { BookA, ClipboardPaste, Pencil, Plus, Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Vocabulary, VocabularyEntry, VocabularyProposal } from '../../../contract/account/vocabulary.ts'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { addWords, dismissProposal, removeWord, vocabularyQueries } from '../../base/api/vocabulary.ts'
import { Button } from '../../base/ui/button.tsx'
import { Card, cardClass } from '../../base/ui/card.tsx'
import { EmptyState } from '../../base/ui/empty-state.tsx'
import { inputClass } from '../../base/ui/field.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { NotOffered } from '../../base/ui/not-offered.tsx'
import { UnreadNotice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { Proposal } from '../../base/ui/proposal.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { MoreRows, numberCellClass, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { Changes } from '../../signed-in/session/changes.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { PasteDialog, WordDialog } from './word-dialogs.tsx'

/** Vocabulary (`/:environment/settings/vocabulary`): words and names used to correct automated transcripts. */
export function Component() {
  const { data: overview } = useQuery(account.overview(useSession()))
  const isOffered = overview === undefined || overview?.features.vocabulary
  return isOffered ? <VocabularyPage /> : <NotOffered title="Vocabulary" />
}

/** The open dialog: paste many words, add one (null), or change one. */
type Asking = 'paste' | { entry: VocabularyEntry | null } | null

function VocabularyPage() {
  const session = useSession()
  const { data, error, refetch } = useQuery(vocabularyQueries.list(session))
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => setAsking(null)
  const isEmpty = data?.entries.length === 0
  const actions = (
    <Changes>
      <Button onClick={() => setAsking('paste')}>
        <ClipboardPaste aria-hidden /> Paste a list…
      </Button>
      <Button variant="primary" onClick={() => setAsking({ entry: null })}>
        <Plus aria-hidden /> Add word…
      </Button>
    </Changes>
  )
  return (
    <div className={`${pageClass} max-w-5xl`}>
      <PageHeader title="Vocabulary" subtitle={savedText(data)} actions={isEmpty ? null : actions} />
      {error && <UnreadNotice what="The vocabulary" error={error} onAgain={() => void refetch()} />}
      {data && data.proposals.length > 0 && (
        <Changes>
          <Proposals session={session} proposals={data.proposals} />
        </Changes>
      )}
      {isEmpty && (
        <Card>
          <EmptyState icon={<BookA />} title="No words yet" actions={actions}>
            Add names and terms of your recordings, with what automated transcripts have instead. New transcripts are
            corrected by them, marked, and every correction can be undone. What you correct three times is proposed
            here.
          </EmptyState>
        </Card>
      )}
      {data && !isEmpty && <Words session={session} entries={data.entries} onEdit={(entry) => setAsking({ entry })} />}
      {!data && !error && <Skeleton className="h-40 rounded-lg" />}
      {asking === 'paste' && <PasteDialog session={session} onClose={close} />}
      {asking !== null && asking !== 'paste' && <WordDialog session={session} entry={asking.entry} onClose={close} />}
    </div>
  )
}

/** `Saved 41 corrections in 12 transcripts` */
function savedText(data: Vocabulary | undefined): string {
  if (data === undefined || data.saved.places === 0)
    return 'Words and names, as new automated transcripts should have them'
  return `Saved ${formatCount(data.saved.places, 'correction')} in ${formatCount(data.saved.transcripts, 'transcript')}`
}

type WordsProps = {
  session: Session
  entries: readonly VocabularyEntry[]
  onEdit: (entry: VocabularyEntry) => void
}

/** The words that match the filter, which is in the URL. */
function Words({ session, entries, onEdit }: WordsProps) {
  const [search, setSearch] = useSearchParams()
  const filter = search.get('q') ?? ''
  const wanted = filter.toLowerCase().trim()
  const found = entries.filter(({ written, heard, preset }) =>
    [written, ...heard, preset ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  )
  return (
    <>
      <label className="relative w-72 phone:w-full">
        <span className="sr-only">Filter words</span>
        <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-ink-3" />
        <input
          type="search"
          placeholder={`Filter ${formatCount(entries.length, 'word')}`}
          defaultValue={filter}
          onChange={({ target: { value } }) => setSearch(value === '' ? {} : { q: value }, { replace: true })}
          className={`${inputClass} pl-8.5`}
        />
      </label>
      <WordTable entries={found} onEdit={onEdit} onRemove={(entry) => void remove(session, entry)} />
    </>
  )
}

async function remove(session: Session, { id, written, heard, preset }: VocabularyEntry): Promise<void> {
  const undo = () => void tell('not added again', () => addWords(session, [{ written, heard, preset }]))
  await tell('not removed', async () => {
    await removeWord(session, id)
    const closeToast = showToast({
      title: `${written} removed`,
      action: {
        label: 'Undo',
        onPress: () => {
          closeToast()
          undo()
        },
      },
    })
  })
}

async function tell(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    showToast({ tone: 'bad', title: `The word was ${failure}`, detail: (error as Error).message })
  }
}

function Proposals({ session, proposals }: { session: Session; proposals: readonly VocabularyProposal[] }) {
  return (
    <Card className="grid gap-3 px-5 py-4">
      <h2 className="text-md font-semibold">Corrected again and again</h2>
      <ul className="grid gap-2">
        {proposals.map(({ heard, written, places }) => (
          <li key={`${heard} ${written}`} className="flex flex-wrap items-center justify-between gap-2">
            <Proposal
              {...{ heard, written, places }}
              onAlways={() =>
                void tell('not added', () => addWords(session, [{ written, heard: [heard], preset: null }]))
              }
              onNo={() => void tell('not dismissed', () => dismissProposal(session, { heard, written }))}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Rows rendered at first; more on request. */
const rowsAtOnce = 200

/** On phones the use of a word is shown below it. */
const columns = [
  { name: 'Word' },
  { name: 'Heard as' },
  { name: 'Used for', look: 'phone:hidden' },
  { name: 'Corrected', look: 'text-right' },
  { name: 'Actions', look: 'text-right' },
]

type Props = {
  entries: readonly VocabularyEntry[]
  onEdit: (entry: VocabularyEntry) => void
  onRemove: (entry: VocabularyEntry) => void
}

/** The words, with the number of corrections by each. */
function WordTable({ entries, onEdit, onRemove }: Props) {
  const [shown, setShown] = useState(rowsAtOnce)
  return (
    <section aria-label="Words" className={`${cardClass} overflow-x-auto`}>
      <table className={tableClass}>
        <TableHeadings columns={columns} />
        <tbody>
          {entries.slice(0, shown).map((entry) => (
            <tr key={entry.id}>
              <td className={`${tableCellClass} font-medium wrap-anywhere`}>
                <bdi>{entry.written}</bdi>
                {entry.preset !== null && (
                  <span className="hidden text-xs font-normal text-ink-3 phone:block">{entry.preset}</span>
                )}
              </td>
              <td className={`${tableCellClass} wrap-anywhere text-ink-2`}>
                {entry.heard.length === 0 ? <span className="text-ink-3">hint only</span> : entry.heard.join(', ')}
              </td>
              <td className={`${tableCellClass} text-ink-2 phone:hidden`}>{entry.preset ?? 'All orders'}</td>
              <td className={`${tableCellClass} ${numberCellClass}`}>{countText(entry.saved)}</td>
              <td className={`${tableCellClass} py-2 text-right whitespace-nowrap`}>
                <Changes>
                  <IconButton label={`Edit ${entry.written}`} onClick={() => onEdit(entry)}>
                    <Pencil aria-hidden />
                  </IconButton>
                  <IconButton label={`Remove ${entry.written}`} onClick={() => onRemove(entry)}>
                    <Trash2 aria-hidden />
                  </IconButton>
                </Changes>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length === 0 && <p className="border-t border-line px-3 py-8 text-center text-ink-2">No match.</p>}
      {entries.length > shown && <MoreRows isReading={false} onMore={() => setShown(shown + rowsAtOnce)} />}
    </section>
  )
}
