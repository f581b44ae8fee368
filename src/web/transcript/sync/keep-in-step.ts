import { keepsCorrections } from '../../api/account.ts'
import { ApiError, type Session } from '../../api/client.ts'
import { liveOf } from '../../library/live.ts'
import { whenIdle } from '../../state/when-idle.ts'
import type { Corrections } from '../edit/corrections.ts'

const retryMs = 10_000

/**
 * Keeps corrections in step with the service from when they are shown, where it keeps any; its code is loaded then. Else
 * they stay on this device. Where neither can be found out it is tried again. Returns a function that ends it.
 */
export function keepInStep(session: Session, corrections: Corrections): () => void {
  const ends: (() => void)[] = []
  let isOver = false
  let retry: number | undefined
  const begin = async () => {
    if (!(await keepsCorrections(session))) return corrections.where.set({ kind: 'device' })
    const { CorrectionSync } = await import('./correction-sync.ts')
    if (isOver) return
    const sync = new CorrectionSync(session, corrections)
    const { events } = liveOf(session)
    ends.push(
      sync.open(),
      events.listen((event) => {
        if (event.kind === 'resync') sync.hear(null)
        else if (event.kind === 'corrections' && event.data.id === corrections.key[2]) sync.hear(event.data.revision)
      }),
      // What happened while no events arrived is in none of them.
      events.state.subscribe(() => {
        if (events.state.get() === 'live') sync.hear(null)
      }),
    )
  }
  const tryToBegin = () => {
    window.clearTimeout(retry)
    begin().catch((error: unknown) => {
      if (isOver) return
      // What is no answer is code that could not be loaded.
      const problem = error instanceof ApiError ? error.message : 'The service cannot be reached.'
      corrections.where.set({ kind: 'waiting', problem })
      retry = window.setTimeout(tryToBegin, retryMs)
    })
  }
  const stopWaiting = corrections.state.subscribe(() => {
    if (corrections.state.get().saved === 'waiting') return
    stopWaiting()
    whenIdle(tryToBegin)
  })
  return () => {
    isOver = true
    window.clearTimeout(retry)
    stopWaiting()
    for (const end of ends) end()
  }
}
