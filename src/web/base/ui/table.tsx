import { Button } from './button.tsx'

/* Classes of the parts of a table. */
export const tableClass = 'w-full border-collapse text-left'
export const tableHeadCellClass = 'h-9 px-3 text-xs font-medium text-ink-3'
export const tableCellClass = 'border-t border-line px-3 py-3.5 align-middle'
export const numberCellClass = 'text-right tabular-nums'

/** `look`: classes of all cells of a column, such as one that hides it on phones */
export type TableColumn = { name: string; look?: string }

/** The row of headings. */
export function TableHeadings({ columns }: { columns: readonly TableColumn[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ name, look = '' }) => (
          <th key={name} scope="col" className={`${tableHeadCellClass} ${look}`}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type SortProps = {
  name: string
  className: string
  direction: 'ascending' | 'descending' | null
  onSort: () => void
}

/** A heading that sorts by its column; `direction`: null if another column sorts. */
export function SortHeading({ name, className, direction, onSort }: SortProps) {
  const arrow = direction === 'ascending' ? 'icon-up' : 'icon-down'
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={className}>
      <button
        type="button"
        onClick={onSort}
        className={`inline-flex min-h-6 flex-row-reverse items-center gap-1 rounded-sm hover:text-ink ${
          direction === null ? '' : `icon text-ink before:size-3.5 ${arrow}`
        }`}
      >
        {name}
      </button>
    </th>
  )
}

type MoreProps = { isReading: boolean; onMore: () => void; children?: React.ReactNode }

/** Footer of a paginated table, with a button that loads the next page. */
export function MoreRows({ isReading, onMore, children }: MoreProps) {
  return (
    <div className="flex items-center justify-center gap-3 border-t border-line p-3">
      {children}
      <Button size="sm" disabled={isReading} onClick={onMore}>
        {isReading ? 'Loading…' : 'Show more'}
      </Button>
    </div>
  )
}
