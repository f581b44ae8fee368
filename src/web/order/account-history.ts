import { useMemo } from 'react'
import type { FileRecord } from '../api/metadata-reader.ts'
import type { FileRow } from '../library/library-rows.ts'
import { useLibrary } from '../library/use-live.ts'
import { useDates } from '../preferences/preferred-dates.ts'
import type { Dates } from '../ui/dates.ts'
import { nameWithoutExtension } from '../uploads/queue/existing-file.ts'
import type { KnownFile } from './verdict.ts'

export type AccountHistory = {
  records: () => readonly FileRecord[]
  /** the account's file of this name and size, if one is known */
  find: (fileName: string, bytes: number) => KnownFile | null
  /** speakers named in earlier orders, the latest first */
  speakerNames: () => readonly string[]
}

const maxNames = 200
const fileKey = (name: string, bytes: number): string => `${bytes}:${name}`

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * What is known from earlier orders: files that may be the same, speakers, the price of a minute. Each is computed lazily
 * and once: an account may have ten thousand files, and an empty tray needs nothing of them.
 */
function historyOf(rows: readonly FileRow[], dates: Dates): AccountHistory {
  const records = once(() => rows.flatMap(({ record }) => (record === null ? [] : [record])))
  const byKey = once(
    () => new Map(records().map((record) => [fileKey(record.metadata.name, Number(record.metadata.bytes)), record])),
  )
  return {
    records,
    find: (fileName, bytes) => {
      const record = byKey().get(fileKey(nameWithoutExtension(fileName), bytes))
      return record === undefined ? null : { id: record.id, ordered: dates.day(record.createdAt) }
    },
    speakerNames: once(() => {
      const latestFirst = records().toSorted((a, b) => b.createdAt - a.createdAt)
      return [...new Set(latestFirst.flatMap(({ metadata }) => metadata.options.speaker_names))].slice(0, maxNames)
    }),
  }
}

/** The account's history as far as it has been read. */
export function useHistory(): AccountHistory {
  const { rows } = useLibrary().snapshot
  const dates = useDates()
  return useMemo(() => historyOf(rows, dates), [rows, dates])
}
