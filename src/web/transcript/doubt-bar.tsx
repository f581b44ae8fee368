import { Check, ChevronDown, ChevronUp, PencilLine, Play, X } from 'lucide-react'
import { useSignal } from '../state/signal.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import type { Correcting } from './desk/correcting.ts'
import type { Desk } from './desk/desk.ts'
import type { Doubts } from './desk/doubts.ts'

type Props = { desk: Desk; doubts: Doubts; correcting: Correcting }

/** One doubtful word at a time: hear it, say it is right, or correct it. */
export function DoubtBar({ desk, doubts, correcting }: Props) {
  const span = useSignal(doubts.current)
  const { table, blocks } = useSignal(desk.text.state)
  const editing = useSignal(correcting.editing)
  if (span === null || editing !== null || span.to > table.count) return null
  const surest = Math.min(...Array.from({ length: span.to - span.from }, (_, index) => table.confOf(span.from + index)))
  const approve = () => {
    correcting.confirmWords(span.from, span.to)
    doubts.step(1)
  }
  return (
    <div
      role="toolbar"
      aria-label="Doubtful words"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-surface px-5 py-2 phone:px-3"
    >
      <p className="mr-auto min-w-0 truncate">
        <bdi className="font-serif text-md">“{table.slice(span.from, span.to)}”</bdi>{' '}
        <span className="text-sm text-ink-3">{Math.round(surest * 100)} % sure</span>
      </p>
      <IconButton label="Hear it again" onClick={() => doubts.play()}>
        <Play aria-hidden />
      </IconButton>
      <Button size="sm" onClick={approve}>
        <Check aria-hidden /> Looks right
      </Button>
      <Button size="sm" onClick={() => correcting.begin(blocks.blockOf(span.from), span.from)}>
        <PencilLine aria-hidden /> Correct
      </Button>
      <IconButton label="Previous doubtful word" onClick={() => doubts.step(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next doubtful word" onClick={() => doubts.step(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
      <span className="phone:hidden">
        <Kbd>N</Kbd>
      </span>
      <IconButton label="Leave the doubtful words" tooltip={false} onClick={() => doubts.leave()}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
