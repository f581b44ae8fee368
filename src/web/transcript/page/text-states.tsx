import { FileQuestion, MicOff } from 'lucide-react'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { EmptyState } from '../../base/ui/empty-state.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { useRetryOnline } from '../../base/ui/use-online.ts'
import type { Desk } from '../desk/desk.ts'
import type { TextState } from '../model/transcript-text.ts'
import { textAxisClass } from './in-progress.tsx'

type Props = { desk: Desk; inProgress: boolean; onAgain: () => void }

/** Shown instead of the text while there is none, or above it if it is incomplete. */
export function TextStates({ desk, inProgress, onAgain }: Props) {
  const state = useSignal(desk.text.state)
  const { table, phase, problem, skipped, damage } = state
  const again = <Button onClick={onAgain}>Try again</Button>
  useRetryOnline(phase === 'failed', onAgain)
  const empty = table.count === 0
  if (inProgress || phase === 'reading') return empty ? <Coming inProgress={inProgress} /> : null
  if (phase === 'failed' && empty) {
    return (
      <EmptyState icon={<FileQuestion aria-hidden />} title="The transcript could not be loaded" actions={again}>
        {problem}
      </EmptyState>
    )
  }
  if (phase === 'not a transcript') {
    return (
      <EmptyState icon={<FileQuestion aria-hidden />} title="This is not a transcript with times" actions={again}>
        The service did not send a list of words. Other formats may still work.
      </EmptyState>
    )
  }
  if (empty && phase === 'whole') {
    return (
      <EmptyState icon={<MicOff aria-hidden />} title="No speech was found in this recording">
        The transcript is ready but has no words. {damage?.slice(1, -1)}
      </EmptyState>
    )
  }
  if (phase === 'whole' && skipped === 0) {
    return damage === null ? null : <WarningAbove>{damage.slice(1, -1)}</WarningAbove>
  }
  return <WarningAbove action={again}>{incompleteText(state)}</WarningAbove>
}

/** A warning above the text. */
export function WarningAbove({ action, children }: { action?: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className="px-7 pt-3 phone:px-4">
      <Notice tone="warn" action={action}>
        {children}
      </Notice>
    </div>
  )
}

function incompleteText({ table, phase, problem, skipped }: TextState): string {
  if (phase === 'whole') {
    const are = skipped === 1 ? 'is' : 'are'
    return `${formatCount(skipped, 'entry', 'entries')} of this transcript could not be read and ${are} missing.`
  }
  const reason = problem ?? 'the rest is missing.'
  return `Only the first ${formatCount(table.count, 'word')} arrived: ${reason} You can correct it once all of it is here.`
}

const widths = ['w-11/12', 'w-full', 'w-2/3', 'w-full', 'w-10/12', 'w-5/12']

/** Overlays the text's place without taking any space: the reader would move when the text arrives. */
function Coming({ inProgress }: { inProgress: boolean }) {
  return (
    <div role="status" className={`absolute inset-x-0 mt-9 grid gap-3 ${textAxisClass}`}>
      {inProgress ? (
        <p className="text-ink-2">No text yet. The first words will appear here automatically.</p>
      ) : (
        <span className="sr-only">Loading the transcript…</span>
      )}
      {widths.map((width, line) => (
        <Skeleton key={line} className={`h-4 ${width}`} />
      ))}
    </div>
  )
}
