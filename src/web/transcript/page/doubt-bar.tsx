import { Check, ChevronDown, ChevronUp, Pencil, Play, X } from 'lucide-react'
import { placeOfDoubt } from '../../../text/doubtful-words.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { countText } from '../../base/ui/sizes.ts'
import type { Doubts } from '../desk/doubts.ts'
import type { OpenDesk } from '../desk/open-desk.ts'
import type { WordSpan } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'

/** Steps through doubtful words: play, confirm, or correct each. */
export function DoubtBar({ desk, doubts, correcting }: OpenDesk) {
  const span = useSignal(doubts.current)
  const { table } = useSignal(desk.text.state)
  const editing = useSignal(correcting.editing)
  if (span === null || editing !== null || span.to > table.count) return null
  const { place, count } = placeOfDoubt(table, span.from, desk.doubtBelow)
  return (
    <div
      role="toolbar"
      aria-label="Doubtful places"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-surface px-5 py-2 phone:gap-x-1 phone:px-3"
    >
      <p className="mr-auto min-w-0 truncate phone:basis-full">
        <bdi className="font-serif text-md">“{table.slice(span.from, span.to)}”</bdi>{' '}
        <span className="text-sm whitespace-nowrap text-ink-3 tabular-nums">
          {Math.round(lowestConf(table, span) * 100)}% sure · {countText(place)} of {countText(count)}
        </span>
      </p>
      <IconButton label="Play again" onClick={() => doubts.play()}>
        <Play aria-hidden />
      </IconButton>
      <Button size="sm" onClick={() => doubts.confirm()}>
        <Check aria-hidden /> Looks right <KeyHint>Y</KeyHint>
      </Button>
      <Button size="sm" onClick={() => doubts.correct()}>
        <Pencil aria-hidden /> Correct <KeyHint>Enter</KeyHint>
      </Button>
      <Steps doubts={doubts} />
    </div>
  )
}

function Steps({ doubts }: { doubts: Doubts }) {
  return (
    <>
      <IconButton label="Previous doubtful place" onClick={() => doubts.step(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next doubtful place" onClick={() => doubts.step(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
      <KeyHint>N</KeyHint>
      <IconButton label="Close doubtful places" tooltip={false} onClick={() => doubts.leave()}>
        <X aria-hidden />
      </IconButton>
    </>
  )
}

function KeyHint({ children }: { children: string }) {
  return (
    <span aria-hidden className="phone:hidden">
      <Kbd>{children}</Kbd>
    </span>
  )
}

function lowestConf(table: WordTable, { from, to }: WordSpan): number {
  return Math.min(...Array.from({ length: to - from }, (_, index) => table.confOf(from + index)))
}
