/** The looks of table parts, shared by native tables and by the virtualized one. */
export const tableClass = 'w-full border-collapse text-left'
export const tableHeadCellClass = 'h-9 px-3 text-xs font-medium text-ink-3'
export const tableCellClass = 'border-t border-line px-3 py-3.5 align-middle'
export const numberCellClass = 'text-right tabular-nums'
