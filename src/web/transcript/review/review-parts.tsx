import './review.css'
import { Check, LockKeyhole, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import type { ReviewState, ReviewStep } from '../../../contract/account/review.ts'
import type { Session } from '../../base/api/client.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import type { Dates } from '../../base/ui/dates.ts'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import type { Desk } from '../desk/desk.ts'
import { keepFocus } from '../desk/keep-focus.ts'
import type { OpenDesk } from '../desk/open-desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { Review, type Reviewed } from './review.ts'
import { openReview, type ReviewOffer } from './review-offer.ts'
import { Steps } from './review-steps.tsx'
import { countTurns } from './turns.ts'

/* Everything the page shows of the review: one lazy chunk, loaded when somebody reviews. */

/** @param onUnlocked called when corrections may be sent again */
export function newReview(session: Session, desk: Desk, corrections: Corrections, onUnlocked: () => void): Review {
  return new Review(session, desk, corrections, onUnlocked)
}

const stepNames: Record<ReviewState, string> = {
  draft: 'Made a draft again',
  in_review: 'Sent to review',
  approved: 'Approved',
}

/** `Approved by “Desk”, 22 Nov, 14:02` */
function stepText({ state, key, time }: ReviewStep, dates: Dates): string {
  return `${stepNames[state]} by “${key}”, ${dates.moment(Date.parse(time))}`
}

/** Changes the state of a review; shows a message if that fails. */
async function moveReview(review: Review, state: ReviewState): Promise<void> {
  try {
    await review.move(state)
  } catch (error) {
    showToast({ tone: 'bad', title: 'The review was not changed', detail: (error as Error).message })
  }
}

async function approveOrSay(review: Review): Promise<void> {
  await review
    .approve()
    .catch((error: Error) =>
      showToast({ tone: 'bad', title: 'The transcript was not approved', detail: error.message }),
    )
}

/** `onCheck`: called when the text should be shown */
type SectionProps = { desk: Desk; offer: ReviewOffer; onCheck: () => void }

const unopened = new Signal<Reviewed | null>(null)
const untouched: Reviewed = {
  kept: { revision: 0, state: 'draft', checked: [], steps: [] },
  checked: [],
  problem: null,
}

/**
 * The steps to an approved text, with one button for the next of them; who set the state, and what else is possible.
 * The first press of a button opens the review.
 */
export function ReviewSection({ desk, offer, onCheck }: SectionProps) {
  const opened = useSignal(offer.review?.state ?? unopened)
  const reviewed = opened ?? (offer.isNew ? untouched : null)
  const text = useSignal(desk.text.state)
  const [approving, setApproving] = useState(false)
  const act = (work: (review: Review) => unknown) =>
    void openReview(offer)
      .then(work, () => undefined)
      .then(() => keepFocus(desk))
  const check = () => {
    onCheck()
    act((review) => review.checkAndGoOn())
  }
  if (reviewed === null) return offer.review === null && <Unknown onCheck={check} />
  const { checked, turns } = countTurns(text, reviewed.checked)
  const { state } = reviewed.kept
  const isChecked = turns > 0 && checked === turns
  return (
    <PanelSection title="Review">
      <Steps {...{ state, checked, turns }} />
      {state !== 'approved' && (
        <>
          <Button variant="primary" onClick={isChecked ? () => act(approveOrSay) : check}>
            {isChecked ? 'Approve' : 'Check turns'} {!isChecked && <Kbd>C</Kbd>}
          </Button>
          <div className="flex flex-wrap gap-2">
            {!isChecked && (
              <Button size="sm" variant="quiet" onClick={() => setApproving(true)}>
                Approve
              </Button>
            )}
            <Button
              size="sm"
              variant="quiet"
              onClick={() => act((review) => moveReview(review, state === 'draft' ? 'in_review' : 'draft'))}
            >
              {state === 'draft' ? 'Send to review' : 'Back to draft'}
            </Button>
          </div>
        </>
      )}
      <About reviewed={reviewed} />
      <FormDialog
        open={approving}
        title="Approve this transcript?"
        description={`${formatCount(turns - checked, 'turn')} of ${countText(turns)} ${turns - checked === 1 ? 'is' : 'are'} not checked yet.`}
        submit="Approve"
        onSubmit={async () => await (await openReview(offer)).approve()}
        onClose={() => setApproving(false)}
      />
    </PanelSection>
  )
}

/** The service could not be asked for the review yet. */
function Unknown({ onCheck }: { onCheck: () => void }) {
  return (
    <PanelSection title="Review">
      <Button variant="primary" onClick={onCheck}>
        Check turns <Kbd>C</Kbd>
      </Button>
    </PanelSection>
  )
}

function About({ reviewed: { kept, problem } }: { reviewed: Reviewed }) {
  const dates = useDates()
  const [last, ...earlier] = kept.steps.toReversed()
  return (
    <>
      {problem !== null && <p className="text-sm text-warn">Not sent yet, and safe on this device: {problem}</p>}
      {last !== undefined && <p className="text-sm text-ink-3">{stepText(last, dates)}</p>}
      {last?.is_of_earlier_text && last.state === 'approved' && (
        <p className="text-sm text-warn">
          That was an earlier transcript: the service has delivered another one since.
        </p>
      )}
      {earlier.length > 0 && (
        <details className="text-sm text-ink-3">
          <summary className="cursor-pointer">Earlier steps</summary>
          <ol className="mt-1 grid gap-1">
            {earlier.map((step, index) => (
              <li key={index}>{stepText(step, dates)}</li>
            ))}
          </ol>
        </details>
      )}
    </>
  )
}

type BarProps = OpenDesk & { review: Review }

const barClass = 'flex items-center gap-x-2 gap-y-1 border-t border-line bg-surface px-5 py-2 phone:px-3'

/** Below the text: a notice that it is approved and locked, the turn being checked, or what follows the last one. */
export function ReviewBar({ desk, corrections, correcting, review }: BarProps) {
  const reviewed = useSignal(review.state)
  const current = useSignal(review.current)
  const editing = useSignal(correcting.editing)
  const isUnsent = useSignal(corrections.where).kind === 'waiting'
  if (reviewed?.kept.state === 'approved') return <Approved {...{ desk, review, reviewed, isUnsent }} />
  if (reviewed === null || editing !== null) return null
  if (current === null) return <AllChecked desk={desk} review={review} reviewed={reviewed} />
  return <Checking desk={desk} review={review} reviewed={reviewed} />
}

type ApprovedProps = { desk: Desk; review: Review; reviewed: Reviewed; isUnsent: boolean }

function Approved({ desk, review, reviewed, isUnsent }: ApprovedProps) {
  const dates = useDates()
  const last = reviewed.kept.steps.at(-1)
  return (
    <div role="status" className={barClass}>
      <LockKeyhole aria-hidden className="size-4 shrink-0 text-ok" />
      <p className="min-w-0 flex-1 text-pretty">
        <span className="font-medium">{last && stepText(last, dates)}.</span>{' '}
        <span className="text-ink-2">
          {isUnsent
            ? 'Your corrections after that are not sent, and safe on this device. Reopen it to send them.'
            : 'Locked. Reopen to edit.'}
        </span>
      </p>
      <Button size="sm" onClick={() => void moveReview(review, 'draft').then(() => keepFocus(desk))}>
        Reopen
      </Button>
    </div>
  )
}

/** The next step once all turns are checked. */
function AllChecked({ desk, review, reviewed }: Pick<BarProps, 'desk' | 'review'> & { reviewed: Reviewed }) {
  const text = useSignal(desk.text.state)
  const { checked, turns } = countTurns(text, reviewed.checked)
  if (turns === 0 || checked < turns) return null
  return (
    <div role="toolbar" aria-label="All turns are checked" className={barClass}>
      <p role="status" className="mr-auto text-sm text-ink-2">
        {turns === 1 ? 'The only turn is checked' : `All ${formatCount(turns, 'turn')} checked`}
      </p>
      <Button
        size="sm"
        variant="primary"
        data-approve
        onClick={() => void approveOrSay(review).then(() => keepFocus(desk))}
      >
        <Check aria-hidden /> Approve
      </Button>
      <span className="phone:hidden">
        <Kbd>C</Kbd>
      </span>
    </div>
  )
}

function Checking({ desk, review, reviewed }: Pick<BarProps, 'desk' | 'review'> & { reviewed: Reviewed }) {
  const text = useSignal(desk.text.state)
  const { checked, turns } = countTurns(text, reviewed.checked)
  return (
    <div role="toolbar" aria-label="Checking turns" data-review-tools className={`${barClass} flex-wrap`}>
      <p role="status" className="mr-auto text-sm text-ink-2 tabular-nums">
        {countText(checked)} of {formatCount(turns, 'turn')} checked
        <span className="phone:hidden"> · {Math.floor((100 * checked) / turns)}%</span>
      </p>
      <Button size="sm" onClick={() => review.uncheck()}>
        <Undo2 aria-hidden /> <span className="phone:sr-only">Not checked</span>
      </Button>
      <Button size="sm" variant="primary" onClick={() => review.checkAndGoOn()}>
        <Check aria-hidden /> Checked, next
      </Button>
      <span className="phone:hidden">
        <Kbd>C</Kbd>
      </span>
      <IconButton label="Stop checking" tooltip={false} onClick={() => review.current.set(null)}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
