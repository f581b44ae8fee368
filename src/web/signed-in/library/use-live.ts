import { useMemo, useSyncExternalStore } from 'react'
import type { EventsState } from '../../base/api/events.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useSignal } from '../../base/state/signal.ts'
import { throttled } from '../../base/state/throttled.ts'
import { useSession } from '../session/session.ts'
import type { FileLibrary } from './library.ts'
import type { LibrarySnapshot } from './library-snapshot.ts'
import { getLive } from './live.ts'

/** Throttle interval of the count beside the list, which would look wrong if it lagged … */
const countedEveryMs = 200
/** … and of the tab's title, which is expensive for the browser. */
const titledEveryMs = 1_000

/** All files of the signed-in account; re-renders on changes. */
export function useLibrary(): { library: FileLibrary; snapshot: LibrarySnapshot } {
  const { library } = getLive(useSession())
  return { library, snapshot: useSignal(library.snapshot) }
}

/** Whether live events arrive. */
export function useEventsState(): EventsState {
  const { events } = getLive(useSession())
  return useSignal(events.state)
}

/** The number of files without archived ones, as listed, or null until known. Re-renders only when that number changes. */
export function useFileCount(): number | null {
  const { library } = getLive(useSession())
  const subscribe = useMemo(() => throttled(library.snapshot.subscribe, countedEveryMs), [library])
  return useSyncExternalStore(subscribe, () => {
    const { total, archived } = library.snapshot.get()
    return total === null ? null : total - archived
  })
}

export type BatchFiles = { records: readonly FileRecord[]; deleted: ReadonlySet<string> }

/** The read files of a batch, and ids that are deleted. Re-renders only when a file joins or leaves the batch. */
export function useBatchFiles(batch: string): BatchFiles {
  const { library } = getLive(useSession())
  const [subscribe, select] = useMemo(() => {
    let last: BatchFiles = { records: [], deleted: new Set() }
    const read = () => {
      const { rows, deleted } = library.snapshot.get()
      const records = rows.flatMap(({ record }) => (record?.batch === batch ? [record] : []))
      if (records.length !== last.records.length) last = { records, deleted }
      return last
    }
    return [throttled(library.snapshot.subscribe, countedEveryMs), read] as const
  }, [library, batch])
  return useSyncExternalStore(subscribe, select)
}

/** The number of read files that are neither ready nor archived. Re-renders only when that number changes. */
export function useInProgress(): number {
  const { library } = getLive(useSession())
  const subscribe = useMemo(() => throttled(library.snapshot.subscribe, titledEveryMs), [library])
  return useSyncExternalStore(subscribe, () => library.snapshot.get().inProgress)
}
