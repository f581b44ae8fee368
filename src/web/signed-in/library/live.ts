import { account } from '../../base/api/account.ts'
import { accountKey, type Session } from '../../base/api/client.ts'
import { type AccountEvent, AccountEvents } from '../../base/api/events.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { webhooks } from '../../base/api/webhooks.ts'
import { throttled } from '../../base/state/throttled.ts'
import { getSession, onSessionChange } from '../session/session.ts'
import { deleteIfAsked } from './delete-when-ready.ts'
import { FileLibrary } from './library.ts'
import { notifyOfEvent, notifyOfReady } from './news.ts'

/** The library and events of the environment on screen, kept up to date. */
export type Live = { session: Session; library: FileLibrary; events: AccountEvents }

export const pollVisibleMs = 15_000
const pollHiddenMs = 60_000

let current: (Live & { stop: () => void }) | null = null

/** Throttle interval for reading new files while many are ordered. */
const refreshEveryMs = 1_000

/**
 * The library and events of a session: the only place that starts them, on the first call, and ends them, when another
 * session replaces it.
 */
export function getLive(session: Session): Live {
  if (current?.session === session) return current
  current?.stop()
  current = start(session)
  return current
}

/** The same, if that session is on screen; an upload of the other environment must not end it. */
export function liveIfShown(session: Session): Live | null {
  return current?.session === session ? current : null
}

type StoredListener = (session: Session, records: readonly FileRecord[]) => void
const storedListeners = new Set<StoredListener>()

/** Calls `listener` with files as they are read. */
export function onFilesStored(listener: StoredListener): void {
  storedListeners.add(listener)
}

onSessionChange(() => {
  if (current === null || getSession(current.session.environment) === current.session) return
  const ended = current.session
  current.stop()
  current = null
  // Data read with the key is dropped with it.
  queryClient.removeQueries({ queryKey: accountKey(ended) })
})

function start(session: Session): Live & { stop: () => void } {
  const library = new FileLibrary(session, {
    offersPages: async () => {
      const overview = await queryClient.query({ ...account.overview(session), staleTime: Number.POSITIVE_INFINITY })
      return overview?.features.pages ?? false
    },
    onReady: (record) => {
      notifyOfReady(library, record)
      void deleteIfAsked(session, library, record)
    },
    onStored: (records) => {
      for (const listener of storedListeners) listener(session, records)
    },
  })
  const events = new AccountEvents(session)
  const onCreated = (listener: () => void) => events.listen(({ kind }) => kind === 'file-created' && listener())
  const stops = [
    // When a whole folder is ordered, one request reads many new files.
    throttled(
      onCreated,
      refreshEveryMs,
    )(() => {
      library.refresh()
      // The balance has paid for them.
      void queryClient.invalidateQueries({ queryKey: account.overview(session).queryKey })
    }),
    events.listen((event) => {
      // First, as it compares with what is known so far.
      notifyOfEvent(session, event, (id) => library.row(id)?.record ?? undefined)
      applyEvent({ session, library }, event.kind, event.data)
    }),
    refreshWhenLive(library, events),
    poll(library, events),
  ]
  const stop = () => {
    for (const end of stops) end()
    library.close()
    events.close()
  }
  return { session, library, events, stop }
}

type DataOf<Kind extends AccountEvent['kind']> = Extract<AccountEvent, { kind: Kind }>['data']
type Reactions = { readonly [Kind in AccountEvent['kind']]: (at: Omit<Live, 'events'>, data: DataOf<Kind>) => void }

function reread(queryKey: readonly unknown[], library?: FileLibrary): void {
  library?.refresh()
  void queryClient.invalidateQueries({ queryKey })
}
const readElsewhere = () => undefined

/** What becomes of an event. `readElsewhere`: what shows it listens for it. */
const reactions: Reactions = {
  'file-created': readElsewhere,
  'file-progress': ({ library }, { id, ...changed }) => {
    library.patch(id, changed)
    // The event lacks fields that pages report besides progress (when it became ready).
    if (changed.progress_percent === 100) library.refresh()
  },
  'file-deleted': ({ library }, { id }) => library.remove([id]),
  corrections: readElsewhere,
  review: readElsewhere,
  labels: ({ library }) => library.refresh(),
  projects: ({ session, library }) => reread(account.all(session), library),
  account: ({ session }) => reread(account.all(session)),
  webhook: ({ session }) => reread(webhooks.all(session)),
  delivery: ({ session }) => reread(webhooks.all(session)),
  // A charge reversed by the bank changes the charged amount of its file.
  'card-expires': ({ session, library }) => reread(account.all(session), library),
  'payment-waits': ({ session, library }) => reread(account.all(session), library),
  'payment-failed': ({ session, library }) => reread(account.all(session), library),
  resync: ({ session, library }) => reread(accountKey(session), library),
}

function applyEvent<Kind extends AccountEvent['kind']>(at: Omit<Live, 'events'>, kind: Kind, data: DataOf<Kind>): void {
  reactions[kind](at, data)
}

/** Changes between the last read and the start of the stream are in neither: reads them once events arrive. */
function refreshWhenLive(library: FileLibrary, events: AccountEvents): () => void {
  return events.state.subscribe(() => {
    if (events.state.get() === 'live') library.refresh()
  })
}

/** Polls while no events arrive: every 15 s, every minute in a hidden tab. */
function poll(library: FileLibrary, events: AccountEvents): () => void {
  let timer: ReturnType<typeof setTimeout>
  const pollNow = () => {
    if (events.state.get() !== 'live') library.refresh()
    schedule()
  }
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(pollNow, document.hidden ? pollHiddenMs : pollVisibleMs)
  }
  const onShown = () => {
    if (!document.hidden) pollNow()
  }
  document.addEventListener('visibilitychange', onShown)
  window.addEventListener('online', pollNow)
  schedule()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onShown)
    window.removeEventListener('online', pollNow)
  }
}
