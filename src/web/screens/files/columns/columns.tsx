import type { ReactNode } from 'react'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { sizeText } from '../../../base/ui/sizes.ts'
import { orderText } from '../../../signed-in/options/order-text.ts'
import type { CellProps } from './cell-props.ts'
import { OrderWords } from './order-words.tsx'
import { ProgressCell } from './progress-cell.tsx'
import { TotalCell } from './total-cell.tsx'

export type Direction = 'asc' | 'desc'

export type Column = {
  label: string
  /** default width in pixels */
  width: number
  /** right-aligned; all others give way to the name in narrow windows */
  numeric: boolean
  initiallyVisible: boolean
  /** a number (NaN if unknown) or a text of the record */
  sortBy: { number: (record: FileRecord) => number } | { text: (record: FileRecord) => string }
  /** sort direction of the first press on the heading */
  firstDirection: Direction
  /** the content for a file */
  Cell: (props: CellProps) => ReactNode
  /** layout of the cell, unless it is one line of text */
  cellClass?: string
  /** width of the skeleton shown until the file is read */
  skeletonClass?: string
  /** shown if the file cannot be read */
  unknownText?: string
}

const fileBytes = ({ metadata }: FileRecord): number => Number(metadata.bytes || Number.NaN)

/**
 * The columns between the name and the download button, in order. To add one, add an object here, with its cell in a
 * file of its own if it exceeds a line; its id also names it in the URL when the list is sorted by it. Everything else
 * (heading, menu, width, sorting, URL) derives from this table.
 */
const table = {
  seconds: {
    label: 'Length',
    width: 86,
    numeric: true,
    initiallyVisible: true,
    sortBy: { number: (record) => record.seconds },
    firstDirection: 'desc',
    Cell: ({ record }) => clockText(record.seconds),
  },
  bytes: {
    label: 'Size',
    width: 90,
    numeric: true,
    initiallyVisible: false,
    sortBy: { number: fileBytes },
    firstDirection: 'desc',
    Cell: ({ record }) => sizeText(fileBytes(record)),
  },
  order: {
    label: 'Order',
    width: 168,
    numeric: false,
    initiallyVisible: true,
    sortBy: { text: ({ metadata }) => orderText(metadata.options) },
    firstDirection: 'asc',
    Cell: OrderWords,
  },
  progress: {
    label: 'Progress',
    width: 184,
    numeric: false,
    initiallyVisible: true,
    sortBy: { number: (record) => record.percent },
    firstDirection: 'desc',
    Cell: ProgressCell,
    cellClass: 'grid min-w-0 content-center px-3',
    skeletonClass: 'w-24',
    unknownText: 'Unknown',
  },
  due: {
    label: 'Due',
    width: 132,
    numeric: false,
    initiallyVisible: false,
    sortBy: { number: (record) => record.dueAt },
    firstDirection: 'asc',
    Cell: ({ record, now, dates }) => dates.moment(record.dueAt, now),
  },
  total: {
    label: 'Total',
    width: 92,
    numeric: true,
    initiallyVisible: true,
    sortBy: { number: (record) => record.totalCents },
    firstDirection: 'desc',
    Cell: TotalCell,
  },
} satisfies Record<string, Column>

export type ColumnId = keyof typeof table

export const columns: Readonly<Record<ColumnId, Column>> = table
export const columnIds = Object.keys(table) as readonly ColumnId[]
