import { memo } from 'react'
import { type QueueEntry, reworkReasons } from '../../contract/work/parts.ts'
import { Button } from '../base/ui/button.tsx'
import { clockText } from '../base/ui/duration.ts'
import { Pill } from '../base/ui/pill.tsx'
import { type TableColumn, tableCellClass } from '../base/ui/table.tsx'
import { useDates } from '../signed-in/preferences/preferred-dates.ts'
import { difficultyWords, dueWords, placeWords, stepWords, timeWords } from './part-words.ts'

const notOnPhones = 'phone:hidden'
const wideOnly = 'max-lg:hidden'

export const queueColumns: readonly TableColumn[] = [
  { name: 'Part' },
  { name: 'Due' },
  { name: 'Length', look: `text-right ${notOnPhones}` },
  { name: 'Speakers', look: `text-right ${wideOnly}` },
  { name: 'Sound', look: notOnPhones },
  { name: 'Asked for', look: wideOnly },
  { name: '' },
]

type Props = { part: QueueEntry; isTaking: boolean; onTake: (part: string) => void }

/** A part that can be taken. */
export const QueueRow = memo(function QueueRow({ part, isTaking, onTake }: Props) {
  const dates = useDates()
  const due = Date.parse(part.due)
  const isLate = due < Date.now()
  return (
    <tr>
      <td className={`${tableCellClass} whitespace-nowrap phone:whitespace-normal`}>
        <span className="font-medium">{placeWords(part)}</span>
        <span className="block text-sm text-ink-3 tabular-nums">
          Order {part.order} · {timeWords(part)}
          {part.pay !== null && ` · ${part.pay}`}
        </span>
        <PartPills part={part} />
      </td>
      <td className={`${tableCellClass} whitespace-nowrap`}>
        <span className={isLate ? 'font-medium text-bad' : ''}>{dueWords(part.due, Date.now())}</span>
        <span className="block text-sm text-ink-3 phone:hidden">{dates.moment(due)}</span>
      </td>
      <td className={`${tableCellClass} text-right tabular-nums ${notOnPhones}`}>{clockText(part.end - part.start)}</td>
      <td className={`${tableCellClass} text-right tabular-nums ${wideOnly}`}>{part.speakers ?? '–'}</td>
      <td className={`${tableCellClass} ${notOnPhones}`}>
        {part.difficulty === null ? '–' : difficultyWords[part.difficulty]}
      </td>
      <td className={`${tableCellClass} text-sm text-ink-2 ${wideOnly}`}>
        {[...part.options, ...(part.has_instructions ? ['Instructions'] : [])].join(', ') || 'Nothing special'}
      </td>
      <td className={`${tableCellClass} text-right`}>
        <Button
          size="sm"
          disabled={isTaking}
          aria-label={`${stepWords[part.step]}: ${placeWords(part)}, ${timeWords(part)}`}
          onClick={() => onTake(part.id)}
        >
          {stepWords[part.step]}
        </Button>
      </td>
    </tr>
  )
})

function PartPills({ part: { is_assigned, is_begun, rework } }: { part: QueueEntry }) {
  if (!is_assigned && !is_begun && rework.length === 0) return null
  return (
    <span className="mt-1 flex flex-wrap gap-1.5">
      {is_assigned && <Pill tone="accent">For you</Pill>}
      {rework.length > 0 && (
        <>
          <Pill tone="warn">Once more</Pill>
          <span className="text-sm whitespace-normal">{rework.map((reason) => reworkReasons[reason]).join(', ')}</span>
        </>
      )}
      {is_begun && rework.length === 0 && <Pill>Begun by somebody</Pill>}
    </span>
  )
}
