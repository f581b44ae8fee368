import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { TranscriptFormat } from '../../../contract/interface/transcript-formats.ts'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Dialog } from '../../base/ui/dialog.tsx'
import { Later, laterPart } from '../../base/ui/later.tsx'
import { useIsPhone, useMedia } from '../../base/ui/use-media.ts'
import { changePreferences } from '../../signed-in/preferences/change-preferences.ts'
import { preferences } from '../../signed-in/preferences/preferences.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { loopWhatIsTyped, openDesk, openedFile } from '../desk/open-desk.ts'
import { usePageKeys } from '../desk/page-keys.ts'
import { replaceFound } from '../desk/replace-found.ts'
import { copyText } from '../downloads/copy-text.ts'
import { downloadTranscript } from '../downloads/download-transcript.ts'
import type { ExportedText } from '../downloads/export-dialog.tsx'
import { saveText } from '../downloads/save-text.ts'
import { WordsLoad } from '../model/words-load.ts'
import { statusText } from '../panel/corrections-section.tsx'
import { useSound } from '../player/use-sound.ts'
import type { CaretPlace } from '../view/selection.ts'
import { EditBar } from './edit-bar.tsx'
import { InProgress } from './in-progress.tsx'
import { PlayerBar } from './player-bar.tsx'
import { Reader } from './reader.tsx'
import { SidePanel } from './side-panel.tsx'
import { TextStates } from './text-states.tsx'
import { TranscriptHeader } from './transcript-header.tsx'
import { useCorrections, useDrafts, usePrint, useText, useTitle } from './use-transcript.ts'

const DoubtBar = laterPart(async () => (await import('./doubt-bar.tsx')).DoubtBar)
const ExportDialog = laterPart(async () => (await import('../downloads/export-dialog.tsx')).ExportDialog)
const loadDeleteWords = async () => (await import('../desk/delete-words.ts')).deleteWords
const CaptionsView = laterPart(async () => (await import('../captions/captions-view.tsx')).CaptionsView)
const ReviewBar = laterPart(async () => (await import('../review/review-parts.tsx')).ReviewBar)
const ReReviewBar = laterPart(async () => (await import('../review/re-review/re-review-parts.tsx')).ReReviewBar)
const ConflictsDialog = laterPart(async () => (await import('../panel/conflicts-dialog.tsx')).ConflictsDialog)

type Props = {
  session: Session
  record: FileRecord
  /** the words that the page's loader has begun to load */
  ahead: WordsLoad | null
}

/** The page to read, listen to, correct and download one transcript. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the one list of the page's parts and their props
export function TranscriptPage({ session, record, ahead }: Props) {
  const editTools = useRef<HTMLDivElement>(null)
  const [open] = useState(() =>
    openDesk(openedFile(session, record), () => editTools.current?.querySelector('button')?.focus()),
  )
  const { desk, corrections, correcting, doubts } = open
  const [captioning, setCaptioning] = useState(false)
  const [deciding, setDeciding] = useState(false)
  // Its fields begin again each time, but it stays while it fades away.
  const [exporting, setExporting] = useState({ first: 'corrected' as ExportedText, open: false, times: 0 })
  const corrected = useSignal(corrections.state)
  const isCorrected = corrected.count > 0 || corrected.saved === 'saving'
  const savedText = statusText(corrected, useDates())
  const doubting = useSignal(doubts.current) !== null
  const findInput = useRef<HTMLInputElement>(null)
  const [info, setInfo] = useState(false)
  const isPhone = useIsPhone()
  const narrow = useMedia('(width < 60rem)')
  const ready = record.percent === 100
  const hasStaff = useQuery(account.overview(session)).data?.features.manual_typing === 'staff'
  const isTyped = hasStaff && ready && record.metadata.options.transcript_type === 'manual'
  const readAgain = () => desk.openFinished(new WordsLoad(session, record.id), record.metadata.options)
  useText(desk, session, record, ahead)
  const review = useCorrections(desk, corrections, session, record)
  useDrafts(open)
  usePrint(desk, record)
  useTitle(session, record)
  useEffect(() => loopWhatIsTyped(open), [open])
  const { peaks, attach } = useSound(desk.playback, session, record)
  usePageKeys({
    desk,
    onFind: () => focusFind(findInput.current),
    onDoubt: (by) => doubts.step(by),
    onUndo: () => void corrections.undo(),
    onRedo: () => void corrections.redo(),
    onLoop: () => {
      if (correcting.editing.get() === null) desk.toggleLoop()
      else void changePreferences(session, { loopTurn: !preferences.get().loopTurn })
    },
    onDelete: () => void loadDeleteWords().then((deleteWords) => deleteWords(open)),
  })

  const onEdit = (block: number, word: number | null) => {
    desk.undoClick()
    correcting.begin(block, word)
  }
  const onClick = ({ block, offset }: CaretPlace, word: number | null) => {
    const plays = preferences.get().click === 'plays'
    if (word !== null) desk[plays ? 'playWord' : 'goToWord'](word)
    if (!plays) correcting.begin(block, null, offset)
  }
  const onDownload = (format: TranscriptFormat) => {
    if (isCorrected) void saveText({ text: desk.text.state.get(), record, format, isCorrected })
    else void downloadTranscript(session, record, format)
  }
  const onExport = (first: ExportedText) => setExporting({ first, open: true, times: exporting.times + 1 })
  const downloads = { inProgress: !ready, isCorrected, onDownload, onExport }
  const panel = (
    <SidePanel
      {...open}
      {...{ session, record, downloads, review, isTyped }}
      onConflicts={() => setDeciding(true)}
      onText={() => setInfo(false)}
      onCaptions={() => {
        setInfo(false)
        correcting.finish()
        setCaptioning(true)
      }}
    />
  )
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto_auto]">
      <TranscriptHeader
        desk={desk}
        record={record}
        backTo={`/${session.environment}/files`}
        isPhone={isPhone}
        narrow={narrow}
        findInput={findInput}
        onCopy={() => void copyText(desk)}
        onReplace={(by, all) => replaceFound(desk, correcting, by, all)}
        saved={isCorrected ? savedText : null}
        downloads={downloads}
        onInfo={() => setInfo(true)}
      />
      <div className="flex min-h-0">
        <div className="@container relative grid min-w-0 flex-1 grid-rows-[auto_minmax(0,1fr)]">
          <div>
            {!ready && <InProgress {...{ desk, session, record }} />}
            <TextStates desk={desk} inProgress={!ready} onAgain={readAgain} />
          </div>
          <div inert={captioning} className="contents">
            <Reader desk={desk} onClick={onClick} onEdit={onEdit} />
          </div>
          {captioning && (
            <Later wanted>
              <CaptionsView {...open} session={session} record={record} onClose={() => setCaptioning(false)} />
            </Later>
          )}
        </div>
        {!narrow && (
          <aside
            aria-label="File details"
            className="grid w-72 shrink-0 grid-cols-[minmax(0,1fr)] content-start gap-7 overflow-y-auto border-l border-line px-5 py-5"
          >
            {panel}
          </aside>
        )}
      </div>
      <div>
        <Later wanted={doubting}>
          <DoubtBar {...open} />
        </Later>
        <Later wanted={review?.review != null}>
          {review?.review && <ReviewBar {...open} review={review.review} />}
        </Later>
        <Later wanted={isTyped}>
          <ReReviewBar {...open} session={session} record={record} />
        </Later>
        <EditBar ref={editTools} desk={desk} correcting={correcting} />
      </div>
      <PlayerBar {...open} peaks={peaks} durationSeconds={record.seconds} isPhone={isPhone} attach={attach} />
      <Later wanted={exporting.open}>
        <ExportDialog
          key={exporting.times}
          {...open}
          {...exporting}
          session={session}
          record={record}
          onClose={() => setExporting({ ...exporting, open: false })}
        />
      </Later>
      <Later wanted={deciding}>
        <ConflictsDialog {...open} open={deciding} onClose={() => setDeciding(false)} />
      </Later>
      <Dialog open={info && narrow} onClose={() => setInfo(false)} title="File details">
        <div className="grid gap-6">{panel}</div>
      </Dialog>
    </div>
  )
}

function focusFind(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}
