import { useMemo } from 'react'
import { files } from '../api/files.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import { queryClient } from '../query-client.ts'
import type { Session } from '../session/session.ts'
import { dayText } from '../ui/dates.ts'
import { nameWithoutExtension } from '../uploads/existing-file.ts'
import type { KnownFile } from './verdict.ts'

export type AccountHistory = {
  records: readonly FileRecord[]
  /** the account's file of this name and size, if one is known */
  find: (fileName: string, bytes: number) => KnownFile | null
  /** names of earlier orders, the latest first */
  speakerNames: readonly string[]
}

const fileKey = (name: string, bytes: number): string => `${bytes}:${name}`

/** What earlier orders tell: twins of what is in the tray, speakers, what a minute cost. */
export function historyOf(records: readonly FileRecord[]): AccountHistory {
  const byKey = new Map(records.map((record) => [fileKey(record.metadata.name, Number(record.metadata.bytes)), record]))
  const latestFirst = records.toSorted((a, b) => b.createdAt - a.createdAt)
  return {
    records,
    find: (fileName, bytes) => {
      const record = byKey.get(fileKey(nameWithoutExtension(fileName), bytes))
      if (record === undefined) return null
      return { id: record.id, name: record.metadata.name, bytes, ordered: dayText(record.createdAt) }
    },
    speakerNames: [...new Set(latestFirst.flatMap(({ metadata }) => metadata.options.speaker_names))].slice(0, 200),
  }
}

/** The account's history as far as it has been read. */
export function useHistory(session: Session): AccountHistory {
  return useMemo(() => {
    const cached = queryClient.getQueriesData<FileRecord>({ queryKey: files.all(session) })
    return historyOf(cached.flatMap(([, record]) => (record?.metadata ? [record] : [])))
  }, [session])
}
