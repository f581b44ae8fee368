import { transcriptFormats, unfinishedFormat } from '../../../contract/interface/transcript-formats.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Later, laterPart } from '../../base/ui/later.tsx'
import type { OpenDesk } from '../desk/open-desk.ts'
import type { Downloads } from '../downloads/download-menu.tsx'
import { CorrectingTools } from '../panel/correcting-tools.tsx'
import { CorrectionsSection } from '../panel/corrections-section.tsx'
import { OrderFacts } from '../panel/order-facts.tsx'
import { PanelSection } from '../panel/panel-section.tsx'
import { ReadingControls } from '../panel/reading-controls.tsx'
import { SpeakerShares } from '../panel/speaker-shares.tsx'
import type { ReviewOffer } from '../sync/begin-sync.ts'

const VocabularySection = laterPart(async () => (await import('../panel/vocabulary-section.tsx')).VocabularySection)
const CaptionReportSection = laterPart(async () => (await import('../panel/caption-report.tsx')).CaptionReportSection)
const ReReviewSection = laterPart(async () => (await import('../review/re-review/re-review-parts.tsx')).ReReviewSection)
const ReviewSection = laterPart(async () => (await import('../review/review-parts.tsx')).ReviewSection)

type Props = OpenDesk & {
  session: Session
  onConflicts: () => void
  record: FileRecord
  downloads: Downloads
  review: ReviewOffer | null
  /** people have typed it: they may review places of it once more */
  isTyped: boolean
  /** the text is to be seen */
  onText: () => void
  onCaptions: () => void
}

/** Beside the text: who speaks, how it is shown, the formats, corrections, its review, and the order. */
export function SidePanel(props: Props) {
  const {
    desk,
    corrections,
    correcting,
    doubts,
    session,
    onConflicts,
    record,
    downloads,
    review,
    isTyped,
    onText,
    onCaptions,
  } = props
  const ready = record.percent === 100
  const { count } = useSignal(corrections.state)
  return (
    <>
      <SpeakerShares desk={desk} correcting={ready ? correcting : null} />
      <ReadingControls desk={desk} doubts={doubts} ready={ready} />
      <PanelSection title="Download">
        <ul className="flex flex-wrap gap-1.5">
          {transcriptFormats.map((format) => (
            <li key={format}>
              <button
                type="button"
                disabled={!ready && format !== unfinishedFormat}
                onClick={() => downloads.onDownload(format)}
                className="h-7 rounded-md border border-line-strong bg-surface px-2.5 text-xs font-semibold hover:bg-sunken disabled:opacity-50"
              >
                {format.toUpperCase()}
              </button>
            </li>
          ))}
        </ul>
        {!ready && <p className="text-sm text-ink-3">Other formats once the transcript is ready.</p>}
        {downloads.isCorrected && (
          <p className="text-sm text-ink-3">
            With your corrections.{' '}
            <button type="button" className="underline" onClick={() => downloads.onExport('original')}>
              Original…
            </button>
          </p>
        )}
      </PanelSection>
      {ready && (
        <CorrectionsSection
          corrections={corrections}
          name={record.metadata.name}
          session={session}
          onConflicts={onConflicts}
        >
          <CorrectingTools desk={desk} correcting={correcting} />
        </CorrectionsSection>
      )}
      <Later wanted={count > 0 || !ready}>
        <VocabularySection {...{ desk, corrections, correcting, session, ready }} id={record.id} />
      </Later>
      {ready && (
        <PanelSection title="Captions">
          <Button size="sm" className="justify-self-start" onClick={onCaptions}>
            Check and time captions
          </Button>
        </PanelSection>
      )}
      {review?.review === null && (
        <PanelSection title="Review">
          <Button size="sm" className="justify-self-start" onClick={review.open}>
            Check turns and approve
          </Button>
        </PanelSection>
      )}
      <Later wanted={review?.review != null}>
        {review?.review && <ReviewSection desk={desk} review={review.review} onCheck={onText} />}
      </Later>
      <Later wanted={isTyped}>
        <ReReviewSection {...{ desk, corrections, correcting, doubts, session, record }} onMark={onText} />
      </Later>
      <Later wanted={ready && record.metadata.options.subtitle_file === 'on'}>
        <CaptionReportSection {...{ session, record, desk, corrections }} />
      </Later>
      <OrderFacts record={record} />
    </>
  )
}
