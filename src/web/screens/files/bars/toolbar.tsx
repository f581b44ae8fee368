import { Columns3, ListFilter } from 'lucide-react'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { laterPart } from '../../../base/ui/later.tsx'
import { pillClass } from '../../../base/ui/pill.tsx'
import { Popover } from '../../../base/ui/popover.tsx'
import { Select } from '../../../base/ui/select.tsx'
import { countText } from '../../../base/ui/sizes.ts'
import type { ColumnControls } from '../columns/column-layout.ts'
import type { Direction } from '../columns/columns.tsx'
import { hasMoreFilters, type ListState, type Show, type SortKey } from '../list/list-state.ts'
import { readSearch, searchStates, withProject, withState } from '../list/search-words.ts'
import type { ViewsProps } from '../views/use-open-view.ts'
import { ViewsButton } from '../views/views-button.tsx'

const FilterFields = laterPart(async () => (await import('./filter-fields.tsx')).FilterFields)
const ColumnChooser = laterPart(async () => (await import('./column-chooser.tsx')).ColumnChooser)

type Props = {
  state: ListState
  /** null: not yet known */
  counts: Record<Show, number> | null
  /** the list is still loading, so the counts will grow */
  reading: boolean
  columns: ColumnControls
  /** null if the service stores none */
  views: ViewsProps | null
  /** rows are cards, not a table: see `cardsQuery` */
  hasCards: boolean
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

/** The four tabs, the other filters, the sort order, the views and the columns. */
export function Toolbar(props: Props) {
  const { state, counts, reading, onChange, hasCards } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ShowTabs show={state.show} counts={counts} reading={reading} onChange={(show) => onChange({ show })} />
      <Filters state={state} onChange={onChange} />
      <div className="ml-auto flex items-center gap-1">
        <SortSelect state={state} onChange={onChange} />
        {props.views && <ViewsButton {...props.views} />}
        {!hasCards && <ColumnsButton columns={props.columns} />}
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

function Filters({ state, onChange }: Pick<Props, 'state' | 'onChange'>) {
  const words = readSearch(state.search)
  const on = hasMoreFilters(state) || words.project !== null || searchStates.some((is) => words[is])
  function clear() {
    const search = searchStates.reduce((left, is) => withState(left, is, false), withProject(state.search, null))
    onChange({ search, type: 'any', review: 'any', from: '', to: '' })
  }
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
      <FilterFields
        state={state}
        words={words}
        onSearch={(search) => onChange({ search })}
        onClear={on ? clear : null}
        onChange={onChange}
      />
    </Popover>
  )
}

function ColumnsButton({ columns }: { columns: ColumnControls }) {
  return (
    <Popover
      title="Columns"
      trigger={
        <IconButton label="Columns and notifications" tooltip={false}>
          <Columns3 aria-hidden />
        </IconButton>
      }
    >
      <ColumnChooser columns={columns} />
    </Popover>
  )
}

type ShowTabsProps = {
  show: Show
  /** null: not yet known */
  counts: Record<Show, number> | null
  /** the list is still loading, so the counts will grow */
  reading: boolean
  onChange: (show: Show) => void
}

const tabs: { show: Show; label: string }[] = [
  { show: 'all', label: 'All' },
  { show: 'progress', label: 'In progress' },
  { show: 'ready', label: 'Ready' },
  { show: 'delayed', label: 'Delayed' },
]

/** Tabs: all files, or those in a state, with their counts. */
function ShowTabs({ show, counts, reading, onChange }: ShowTabsProps) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Show</legend>
      {tabs.map((tab) => (
        <button
          key={tab.show}
          type="button"
          aria-pressed={tab.show === show}
          onClick={() => onChange(tab.show)}
          className={`${pillClass(tab.show === show ? 'accent' : 'plain')} min-h-6 hover:text-ink forced-colors:border aria-pressed:forced-chosen`}
        >
          {tab.label} {counts && countText(counts[tab.show])}
          {reading && <span className="sr-only"> so far</span>}
        </button>
      ))}
    </fieldset>
  )
}
