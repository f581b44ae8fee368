import { useQuery } from '@tanstack/react-query'
import { Columns3, ListFilter } from 'lucide-react'
import { useState } from 'react'
import { account } from '../../api/account.ts'
import { notifies, setNotifies } from '../../library/news.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuCheck, MenuGroup, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { pillClass } from '../../ui/pill.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import type { ColumnControls } from '../columns/column-layout.ts'
import { columnIds, columns as columnTable, type Direction } from '../columns/columns.tsx'
import { hasMoreFilters, type ListState, type Show, type SortKey } from '../list/list-state.ts'
import { ShowTabs } from './show-tabs.tsx'

type Props = {
  state: ListState
  /** null: not known yet */
  counts: Record<Show, number> | null
  /** the list is still being read, so that the counts will grow */
  reading: boolean
  columns: ColumnControls
  isPhone: boolean
  onChange: (change: Partial<ListState>) => void
}

const sorts: Record<string, { label: string; sort: SortKey; direction: Direction }> = {
  newest: { label: 'newest', sort: 'created', direction: 'desc' },
  oldest: { label: 'oldest', sort: 'created', direction: 'asc' },
  name: { label: 'name', sort: 'name', direction: 'asc' },
  longest: { label: 'longest', sort: 'seconds', direction: 'desc' },
  progress: { label: 'most progress', sort: 'progress', direction: 'desc' },
  dearest: { label: 'highest total', sort: 'total', direction: 'desc' },
  due: { label: 'due first', sort: 'due', direction: 'asc' },
}

/** The four tabs, the other filters, the sort order and the columns. */
export function Toolbar(props: Props) {
  const { state, counts, reading, onChange, isPhone } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ShowTabs show={state.show} counts={counts} reading={reading} onChange={(show) => onChange({ show })} />
      <Filters state={state} onChange={onChange} />
      <div className="ml-auto flex items-center gap-1">
        <SortSelect state={state} onChange={onChange} />
        {!isPhone && <ColumnsMenu columns={props.columns} />}
      </div>
    </div>
  )
}

function SortSelect({ state, onChange }: Pick<Props, 'state' | 'onChange'>) {
  const known = Object.entries(sorts).find(
    ([, one]) => one.sort === state.sort && one.direction === state.direction,
  )?.[0]
  const options = Object.entries(sorts).map(([value, { label }]) => ({ value, label }))
  return (
    <Select
      label="Sort"
      look="quiet"
      prefix="Sort: "
      value={known ?? 'column'}
      options={known ? options : [...options, { value: 'column', label: 'by column' }]}
      onChange={(value) => {
        const chosen = sorts[value]
        if (chosen) onChange({ sort: chosen.sort, direction: chosen.direction })
      }}
    />
  )
}

const reviewFilters: { value: ListState['review']; label: string }[] = [
  { value: 'any', label: 'any' },
  { value: 'corrected', label: 'Corrected' },
  { value: 'in_review', label: 'In review' },
  { value: 'approved', label: 'Approved' },
]

function Filters({ state, onChange }: Pick<Props, 'state' | 'onChange'>) {
  const { data: overview } = useQuery(account.overview(useSession()))
  const on = hasMoreFilters(state)
  return (
    <Popover
      align="start"
      title="Filter"
      trigger={
        <button type="button" className={`${pillClass(on ? 'accent' : 'plain')} min-h-6 hover:text-ink`}>
          <ListFilter aria-hidden /> {on ? 'Filtered' : 'Filter'}
        </button>
      }
    >
      <Segmented
        label="Type"
        value={state.type}
        options={[
          { value: 'any', label: 'Any' },
          { value: 'manual', label: 'Manual' },
          { value: 'automated', label: 'Automated' },
        ]}
        onChange={(type) => onChange({ type })}
      />
      {overview?.features.corrections && (
        <Select
          label="Review"
          prefix="Review: "
          value={state.review}
          options={reviewFilters}
          onChange={(review) => onChange({ review })}
        />
      )}
      <div className="grid gap-2">
        <Field
          label="Ordered from"
          type="date"
          value={state.from}
          onChange={(event) => onChange({ from: event.target.value })}
        />
        <Field label="to" type="date" value={state.to} onChange={(event) => onChange({ to: event.target.value })} />
      </div>
      <Button disabled={!on} onClick={() => onChange({ type: 'any', review: 'any', from: '', to: '' })}>
        Clear filters
      </Button>
    </Popover>
  )
}

function ColumnsMenu({ columns }: { columns: ColumnControls }) {
  const session = useSession()
  const [isNotifying, setIsNotifying] = useState(() => notifies('ready'))
  return (
    <Menu
      trigger={
        <IconButton label="Columns and notifications" tooltip={false}>
          <Columns3 aria-hidden />
        </IconButton>
      }
    >
      <MenuGroup label="Columns">
        {columnIds.map((id) => (
          <MenuCheck key={id} checked={columns.visible.includes(id)} onChange={(on) => columns.show(id, on)}>
            {columnTable[id].label}
          </MenuCheck>
        ))}
      </MenuGroup>
      <MenuItem onSelect={columns.reset}>Reset columns</MenuItem>
      <MenuSeparator />
      <MenuCheck checked={isNotifying} onChange={(on) => void setNotifies(session, 'ready', on).then(setIsNotifying)}>
        Notify me when a file is ready
      </MenuCheck>
    </Menu>
  )
}
