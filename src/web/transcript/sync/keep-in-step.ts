import { keepsCorrections } from '../../api/account.ts'
import type { Session } from '../../api/client.ts'
import { liveOf } from '../../library/live.ts'
import { whenIdle } from '../../state/when-idle.ts'
import type { Corrections } from '../edit/corrections.ts'

/**
 * Keeps corrections in step with the service from when they are shown, where it keeps any; its code is loaded then. Else
 * they stay on this device. Returns a function that ends it.
 */
export function keepInStep(session: Session, corrections: Corrections): () => void {
  const ends: (() => void)[] = []
  let isOver = false
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
  const stopWaiting = corrections.state.subscribe(() => {
    if (corrections.state.get().saved === 'waiting') return
    stopWaiting()
    whenIdle(() => void begin())
  })
  return () => {
    isOver = true
    stopWaiting()
    for (const end of ends) end()
  }
}
