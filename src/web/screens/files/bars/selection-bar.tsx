import { Ellipsis, X } from 'lucide-react'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { Button } from '../../../base/ui/button.tsx'
import { clockText } from '../../../base/ui/duration.ts'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { Menu, MenuItem } from '../../../base/ui/menu.tsx'
import { countText } from '../../../base/ui/sizes.ts'
import type { FileAction, Offers } from '../../../signed-in/file-actions/file-action.ts'
import { totalsText } from '../../../signed-in/file-actions/totals.ts'
import { type ListActionName, listActions } from '../actions.tsx'
import type { Act } from '../list-feature.ts'

type Props = {
  count: number
  records: readonly FileRecord[]
  offers: Offers
  onAct: Act
  onClear: () => void
}

/** The actions with a button of their own; the others are in a menu. */
const first: readonly string[] = ['download', 'label', 'move'] satisfies ListActionName[]

/** Actions on the selected files, at the bottom of the window. */
export function SelectionBar({ count, records, offers, onAct, onClear }: Props) {
  const seconds = records.reduce((sum, record) => sum + (Number.isFinite(record.seconds) ? record.seconds : 0), 0)
  const offered = (Object.entries(listActions) as [ListActionName, FileAction][]).filter(
    ([, { isOffered }]) => isOffered?.(offers) !== false,
  )
  return (
    <section
      aria-label="Selected files"
      data-selection-bar
      className="fixed bottom-7 left-[calc(50%+7rem)] z-20 flex max-w-[calc(100vw-15.5rem)] -translate-x-1/2 max-[72rem]:left-1/2 max-[72rem]:max-w-[calc(100vw-1.5rem)] animate-rise items-center gap-2 phone:gap-1 rounded-lg border border-line bg-surface px-4 py-2 shadow-high phone:bottom-[4.5rem] phone:px-2"
    >
      <p className="mr-4 whitespace-nowrap phone:mr-1 phone:text-sm">
        <strong className="font-semibold">
          {countText(count)} <span className="phone:sr-only">selected</span>
        </strong>{' '}
        <span className="text-ink-2 tabular-nums max-[72rem]:hidden">
          {clockText(seconds)} · {totalsText(records)}
        </span>
      </p>
      {offered
        .filter(([name]) => first.includes(name))
        .map(([name, { Icon, label }]) => (
          <Button key={name} size="sm" onClick={() => onAct(name, records)}>
            <Icon aria-hidden /> <span className="phone:sr-only">{label(records)}</span>
          </Button>
        ))}
      <Menu
        trigger={
          <Button size="sm">
            <Ellipsis aria-hidden /> <span className="phone:sr-only">More</span>
          </Button>
        }
      >
        {offered
          .filter(([name]) => !first.includes(name))
          .map(([name, { Icon, label, isDanger = false }]) => (
            <MenuItem key={name} danger={isDanger} onSelect={() => onAct(name, records)}>
              <Icon aria-hidden /> {label(records)}
            </MenuItem>
          ))}
      </Menu>
      <IconButton label="Clear selection" onClick={onClear}>
        <X aria-hidden />
      </IconButton>
    </section>
  )
}
