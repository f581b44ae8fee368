import { useMemo } from 'react'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import type { Dates } from '../../base/ui/dates.ts'
import type { FileRow } from '../../signed-in/library/library-rows.ts'
import { useLibrary } from '../../signed-in/library/use-live.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { nameWithoutExtension } from '../../signed-in/uploads/queue/existing-file.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'
import type { KnownFile } from './verdict.ts'

export type AccountHistory = {
  records: () => readonly FileRecord[]
  /** whether any of its files has this size */
  hasSize: (bytes: number) => boolean
  /** the same recording, by file id; null: not read yet */
  same: (id: string) => KnownFile | null
  /** a file with the same name, size and, as far as known, length */
  alike: (upload: Upload) => KnownFile | null
  /** speakers named in earlier orders, latest first */
  speakerNames: () => readonly string[]
}

const maxNames = 200
/** The service and the browser may round lengths differently. */
const lengthToleranceSeconds = 1.5

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function knownFile(record: FileRecord | undefined, isSame: boolean, dates: Dates): KnownFile | null {
  return record === undefined ? null : { name: record.metadata.name, ordered: dates.day(record.createdAt), isSame }
}

/**
 * Knowledge from earlier orders: possible duplicates, speakers, the price per minute. Each is computed lazily and once:
 * an account may have ten thousand files, and an empty tray needs none of it.
 */
function summarizeHistory(rows: readonly FileRow[], dates: Dates): AccountHistory {
  const records = once(() => rows.flatMap(({ record }) => (record === null ? [] : [record])))
  const ofSize = once(() => Map.groupBy(records(), ({ metadata }) => Number(metadata.bytes)))
  return {
    records,
    hasSize: (bytes) => ofSize().has(bytes),
    same: (id) =>
      knownFile(
        records().find((record) => record.id === id),
        true,
        dates,
      ),
    alike: ({ name, bytes, inspection }) => {
      const isAlike = ({ metadata, seconds }: FileRecord) =>
        metadata.name === nameWithoutExtension(name) &&
        !(Math.abs((inspection?.durationMs ?? Number.NaN) / 1_000 - seconds) > lengthToleranceSeconds)
      return knownFile(ofSize().get(bytes)?.find(isAlike), false, dates)
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
  return useMemo(() => summarizeHistory(rows, dates), [rows, dates])
}
