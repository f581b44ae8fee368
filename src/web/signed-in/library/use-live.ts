import { useMemo, useSyncExternalStore } from 'react'
import type { EventsState } from '../../base/api/events.ts'
import { useSignal } from '../../base/state/signal.ts'
import { throttled } from '../../base/state/throttled.ts'
import { useSession } from '../session/session.ts'
import type { FileLibrary } from './library.ts'
import type { LibrarySnapshot } from './library-snapshot.ts'
import { liveOf } from './live.ts'

/** Quick changes are followed at most this often: by the number beside the list, which would look wrong if it lagged … */
const countedEveryMs = 200
/** … and by the tab's title, which costs the browser itself. */
const titledEveryMs = 1_000

/** All files of the signed-in account, as they are now. */
export function useLibrary(): { library: FileLibrary; snapshot: LibrarySnapshot } {
  const { library } = liveOf(useSession())
  return { library, snapshot: useSignal(library.snapshot) }
}

/** Whether live events arrive. */
export function useEventsState(): EventsState {
  const { events } = liveOf(useSession())
  return useSignal(events.state)
}

/** How many files there are, or null until that is known. Renders only when that number changes. */
export function useFileCount(): number | null {
  const { library } = liveOf(useSession())
  const subscribe = useMemo(() => throttled(library.snapshot.subscribe, countedEveryMs), [library])
  return useSyncExternalStore(subscribe, () => library.snapshot.get().total)
}

/** How many of the files that are read are not ready. Renders only when that number changes. */
export function useInProgress(): number {
  const { library } = liveOf(useSession())
  const subscribe = useMemo(() => throttled(library.snapshot.subscribe, titledEveryMs), [library])
  return useSyncExternalStore(subscribe, () => library.snapshot.get().inProgress)
}
