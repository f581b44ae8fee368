import { hasUnsent } from './correction-store.ts'
import type { Corrections } from './corrections.ts'

/**
 * Resolves once the service has what is on screen: for what it makes of the text.
 * @throws Error with a sentence for the user if it cannot be sent now; what the signal was aborted with
 */
export async function untilKept({ key, state, where }: Corrections, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = async () => {
    const { saved } = state.get()
    const at = where.get()
    if (saved === 'failed') reject(new Error('This browser has no storage space left for your last corrections.'))
    else if (at.kind === 'waiting') reject(new Error(`Your last corrections are not sent yet. ${at.problem}`))
    else if (at.kind === 'device') reject(new Error('This service keeps no corrections.'))
    // A sync that was under way does not know of the last step.
    else if (at.kind === 'kept' && saved !== 'saving' && !(await hasUnsent(key))) resolve()
  }
  const onChange = () => void look().catch(reject)
  const stops = [where.subscribe(onChange), state.subscribe(onChange)]
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  onChange()
  await promise.finally(() => {
    for (const stop of stops) stop()
  })
}
