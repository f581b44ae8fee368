import type { ReactNode } from 'react'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { moneyText } from '../../../base/ui/money.ts'
import { sizeText } from '../../../base/ui/sizes.ts'
import { orderText } from '../../../signed-in/options/order-text.ts'
import type { CellProps } from './cell-props.ts'
import { OrderWords } from './order-words.tsx'
import { ProgressCell } from './progress-cell.tsx'

export type Direction = 'asc' | 'desc'

export type Column = {
  label: string
  /** usual width in pixels */
  width: number
  /** right-aligned; all others leave room to the name in narrow windows */
  numeric: boolean
  initiallyVisible: boolean
  /** a number (NaN where it is unknown) or a text of the record */
  sortBy: { number: (record: FileRecord) => number } | { text: (record: FileRecord) => string }
  /** what the first press on the heading sorts by */
  firstDirection: Direction
  /** what is shown of a file */
  Cell: (props: CellProps) => ReactNode
  /** layout of the cell, if it is not one line of text */
  cellClass?: string
  /** width of what is shown until the file is read */
  skeletonClass?: string
  /** shown where the file cannot be read */
  unknownText?: string
}

const fileBytes = ({ metadata }: FileRecord): number => Number(metadata.bytes || Number.NaN)

/**
 * The columns between the name and the download button, in their order. A new one is an object here, with its cell beside
 * it in a file of its own if it is more than a line; its id is also what the address calls it when the list is sorted by
 * it. Everything else (heading, menu, width, sorting, address) follows from this table.
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
    Cell: ({ record }) => moneyText(record.totalCents, record.metadata.currency),
  },
} satisfies Record<string, Column>

export type ColumnId = keyof typeof table

export const columns: Readonly<Record<ColumnId, Column>> = table
export const columnIds = Object.keys(table) as readonly ColumnId[]
