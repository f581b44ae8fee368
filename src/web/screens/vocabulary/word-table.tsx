import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { VocabularyEntry } from '../../../contract/account/vocabulary.ts'
import { cardClass } from '../../base/ui/card.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { countText } from '../../base/ui/sizes.ts'
import { MoreRows, numberCellClass, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'

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
export function WordTable({ entries, onEdit, onRemove }: Props) {
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
                <IconButton label={`Edit ${entry.written}`} onClick={() => onEdit(entry)}>
                  <Pencil aria-hidden />
                </IconButton>
                <IconButton label={`Remove ${entry.written}`} onClick={() => onRemove(entry)}>
                  <Trash2 aria-hidden />
                </IconButton>
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
