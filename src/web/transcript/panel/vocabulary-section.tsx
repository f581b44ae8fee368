import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Link } from 'react-router'
import type { FileVocabulary } from '../../../contract/account/vocabulary.ts'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { addWords, dismissProposal, vocabularyQueries } from '../../base/api/vocabulary.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Proposal } from '../../base/ui/proposal.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { OpenDesk } from '../desk/open-desk.ts'
import { type UnchangedPlace, unchangedPlaces, undoPlaces } from '../edit/vocabulary-places.ts'
import { markWords } from '../view/vocabulary-marks.ts'
import { PanelSection } from './panel-section.tsx'
import { useSyncs } from './use-syncs.ts'

type Props = Pick<OpenDesk, 'desk' | 'corrections' | 'correcting'> & {
  session: Session
  id: string
  /** false while the transcript is in progress: then only typists need the words */
  ready: boolean
}

const none: FileVocabulary['places'] = []

/** What the vocabulary has to say about the transcript; undefined until it is known, or if there is none. */
function useFileVocabulary({ session, id, ready, corrections }: Props): FileVocabulary | undefined {
  const syncs = useSyncs(corrections)
  const isOffered = useQuery(account.overview(session)).data?.features.vocabulary === true
  const enabled = isOffered && (syncs > 0 || !ready)
  return useQuery({ ...vocabularyQueries.ofFile(session, id, syncs), enabled }).data
}

function usePlaces({ desk }: Props, data: FileVocabulary | undefined): UnchangedPlace[] {
  const { table } = useSignal(desk.text.state)
  return useMemo(() => unchangedPlaces(table, data?.places ?? none), [table, data])
}

/** Renders nothing: marks the vocabulary's corrections in the text. */
export function VocabularyMarks(props: Props) {
  const { desk } = props
  const places = usePlaces(props, useFileVocabulary(props))
  // The marks belong to the page, outside React.
  useEffect(() => {
    const spans = places.map(({ first, end }) => ({ from: first, to: end }))
    return desk.view === null || spans.length === 0 ? undefined : markWords(desk.view, spans)
  }, [desk, places])
  return null
}

/** Suggestions from the corrections made here. */
export function ProposalsSection(props: Props) {
  const proposals = useFileVocabulary(props)?.proposals ?? []
  if (proposals.length === 0) return null
  return (
    <PanelSection title="Vocabulary">
      <Proposals session={props.session} proposals={proposals} />
    </PanelSection>
  )
}

/**
 * The vocabulary's corrections in the transcript, which can be undone, and suggestions from the corrections made here.
 */
export function VocabularySection(props: Props) {
  const { session, desk, corrections, correcting } = props
  const data = useFileVocabulary(props)
  const places = usePlaces(props, data)
  if (data === undefined || (data.words.length === 0 && places.length === 0 && data.proposals.length === 0)) return null
  const undo = (some: readonly UnchangedPlace[]) => {
    correcting.finish()
    const base = corrections.base?.table
    if (base !== undefined) void corrections.commit(undoPlaces(base, desk.text.state.get().table, some))
  }
  const show = ({ first, end }: UnchangedPlace) => {
    desk.view?.scrollToWord(first)
    desk.view?.highlightSpan({ from: first, to: end })
  }
  return (
    <PanelSection title="Vocabulary">
      {places.length > 0 && <Places places={places} onShow={show} onUndo={undo} />}
      <Proposals session={session} proposals={data.proposals} />
      <p className="text-sm text-ink-3">
        {wordsText(data)}{' '}
        <Link to={`/${session.environment}/settings/vocabulary`} className="underline">
          Vocabulary
        </Link>
      </p>
    </PanelSection>
  )
}

function wordsText({ words, preset }: FileVocabulary): string {
  const isFor = preset === null ? '' : ` with the preset ${preset}`
  return `${formatCount(words.length, 'word')} for this order${isFor}.`
}

type PlacesProps = {
  places: readonly UnchangedPlace[]
  onShow: (place: UnchangedPlace) => void
  onUndo: (places: readonly UnchangedPlace[]) => void
}

function Places({ places, onShow, onUndo }: PlacesProps) {
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <p className="text-sm text-ink-2">{formatCount(places.length, 'correction')} by the vocabulary</p>
        {places.length > 1 && (
          <Button size="sm" onClick={() => onUndo(places)}>
            Undo all
          </Button>
        )}
      </div>
      <ul className="grid max-h-48 overflow-y-auto">
        {places.map((place) => (
          <li key={place.from} className="flex items-center justify-between gap-2">
            <button
              type="button"
              onClick={() => onShow(place)}
              className="min-w-0 truncate text-left underline underline-offset-2"
            >
              {place.text}
            </button>
            <IconButton label={`Undo ${place.text}`} onClick={() => onUndo([place])}>
              <Undo2 aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </>
  )
}

function Proposals({ session, proposals }: { session: Session } & Pick<FileVocabulary, 'proposals'>) {
  const answer = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      showToast({ tone: 'bad', title: 'The vocabulary was not changed', detail: (error as Error).message })
    }
  }
  return proposals.map(({ heard, written, places }) => (
    <div key={`${heard} ${written}`} role="status" className="grid gap-2 rounded-md bg-accent-soft p-2.5 text-sm">
      <Proposal
        {...{ heard, written, places }}
        onAlways={() => void answer(() => addWords(session, [{ written, heard: [heard], preset: null }]))}
        onNo={() => void answer(() => dismissProposal(session, { heard, written }))}
      />
    </div>
  ))
}
