import { account } from '../../base/api/account.ts'
import { accountKey } from '../../base/api/account-key.ts'
import type { Session } from '../../base/api/client.ts'
import { type AccountEvent, AccountEvents } from '../../base/api/events.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { webhooks } from '../../base/api/webhooks.ts'
import { throttled } from '../../base/state/throttled.ts'
import { onSessionChange, sessionOf } from '../session/session.ts'
import { deleteIfAsked } from './delete-when-ready.ts'
import { FileLibrary } from './library.ts'
import { notifyOfEvent, notifyOfReady } from './news.ts'

/** The library and events of the environment on screen, kept up to date. */
export type Live = { session: Session; library: FileLibrary; events: AccountEvents }

export const pollVisibleMs = 15_000
const pollHiddenMs = 60_000
/** Without events, at most this many unfinished files are polled at a time. */
const maxPolled = 60

let current: (Live & { stop: () => void }) | null = null

/** Throttle interval for reading new files while many are ordered. */
const refreshEveryMs = 1_000

/**
 * The library and events of a session: the only place that starts them, on the first call, and ends them, when another
 * session replaces it.
 */
export function liveOf(session: Session): Live {
  if (current?.session === session) return current
  current?.stop()
  current = start(session)
  return current
}

/** The same, if that session is on screen; an upload of the other environment must not end it. */
export function liveIfShown(session: Session): Live | null {
  return current?.session === session ? current : null
}

onSessionChange(() => {
  if (current === null || sessionOf(current.session.environment) === current.session) return
  const ended = current.session
  current.stop()
  current = null
  // Data read with the key is dropped with it.
  queryClient.removeQueries({ queryKey: accountKey(ended) })
})

function start(session: Session): Live & { stop: () => void } {
  const { queryKey } = account.overview(session)
  const library = new FileLibrary(session, {
    offersPages: () => {
      const known = queryClient.getQueryData(queryKey)
      if (known !== undefined) return known?.features.pages ?? false
      return queryClient.query(account.overview(session)).then((overview) => overview?.features.pages ?? false)
    },
    onReady: (record) => {
      notifyOfReady(library, record)
      void deleteIfAsked(session, library, record)
    },
  })
  const events = new AccountEvents(session)
  const onEvent = (kind: AccountEvent['kind']) => (listener: () => void) =>
    events.listen((event) => {
      if (event.kind === kind) listener()
    })
  const stops = [
    // When a whole folder is ordered, one request reads many new files.
    throttled(onEvent('file-created'), refreshEveryMs)(() => library.refresh()),
    onEvent('labels')(() => library.refresh()),
    onEvent('projects')(() => library.refresh()),
    events.listen((event) => {
      // First, as it compares with what is known so far.
      notifyOfEvent(session, event, (id) => library.row(id)?.record ?? undefined)
      applyEvent(session, library, event)
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

function applyEvent(session: Session, library: FileLibrary, event: AccountEvent): void {
  if (event.kind === 'file-deleted') library.remove([event.data.id])
  else if (event.kind === 'file-progress') {
    const { id, ...changed } = event.data
    library.patch(id, changed)
    // The event lacks fields that pages report besides progress (when it became ready).
    if (changed.progress_percent === 100) library.refresh()
  } else if (event.kind === 'webhook' || event.kind === 'delivery') {
    void queryClient.invalidateQueries({ queryKey: webhooks.all(session) })
  } else if (event.kind === 'payment-failed') {
    // A charge reversed by the bank changes the charged amount of its file.
    library.refresh()
    void queryClient.invalidateQueries({ queryKey: account.all(session) })
  } else if (event.kind === 'account' || event.kind === 'projects')
    void queryClient.invalidateQueries({ queryKey: account.all(session) })
  else if (event.kind === 'resync') {
    library.refresh()
    void queryClient.invalidateQueries({ queryKey: accountKey(session) })
  }
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
    if (events.state.get() !== 'live') library.poll(maxPolled)
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
