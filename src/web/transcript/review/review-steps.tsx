import { Check } from 'lucide-react'
import type { ReviewState } from '../../../contract/account/review.ts'
import { countText, formatCount } from '../../base/ui/sizes.ts'

const stateNames: Record<ReviewState, string> = { draft: 'Draft', in_review: 'In review', approved: 'Approved' }

/** Draft → Checked → Approved. The current step is the one being worked on. */
export function Steps({ state, checked, turns }: { state: ReviewState; checked: number; turns: number }) {
  const isApproved = state === 'approved'
  const now = isApproved ? 2 : checked === 0 && state === 'draft' ? 0 : 1
  const names = [state === 'in_review' ? stateNames.in_review : stateNames.draft, 'Checked', stateNames.approved]
  return (
    <>
      <ol aria-label="Steps of the review" className="grid grid-cols-3 text-center text-xs">
        {names.map((name, step) => {
          // A text can be approved with turns that nobody has checked.
          const isDone = (step < now || isApproved) && (step !== 1 || checked >= turns)
          return (
            <li
              key={name}
              aria-current={step === now ? 'step' : undefined}
              className="relative grid justify-items-center gap-1.5 not-first:before:absolute not-first:before:top-[calc(0.5625rem-1px)] not-first:before:right-[calc(50%+0.875rem)] not-first:before:left-[calc(-50%+0.875rem)] not-first:before:h-0.5 not-first:before:bg-line-strong"
            >
              <span
                aria-hidden
                className={`grid size-4.5 place-items-center rounded-full border-2 [&_svg]:size-3 [&_svg]:stroke-3 ${
                  isDone
                    ? 'border-accent bg-accent text-on-accent'
                    : step === now
                      ? 'border-accent'
                      : 'border-line-strong'
                }`}
              >
                {isDone && <Check />}
              </span>
              <span className={step === now ? 'font-semibold text-ink' : 'text-ink-3'}>
                {name}
                {isDone && !isApproved && <span className="sr-only">, done</span>}
              </span>
            </li>
          )
        })}
      </ol>
      <p className="text-center text-sm text-ink-2 tabular-nums">
        {countText(checked)} of {formatCount(turns, 'turn')} checked
      </p>
    </>
  )
}
