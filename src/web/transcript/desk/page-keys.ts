import { useEffect, useEffectEvent } from 'react'
import { skipSeconds } from '../player/media-session.ts'
import { rates } from '../player/playback.ts'
import type { Desk } from './desk.ts'

type Actions = { desk: Desk; onFind: () => void; onDoubt: (by: 1 | -1) => void; onUndo: () => void; onRedo: () => void }

/** True where the focused element uses the key itself: fields, menus, dialogs, and buttons the space bar. */
function isUsedByFocus(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('input, textarea, select, [role="menu"], [role="dialog"]')) return true
  return event.key === ' ' && target.closest('button, a, [role="switch"]') !== null
}

/**
 * The page's keys: `/` and Ctrl-F find, Space and K play, J and L skip, `[` and `]` change the speed, N and Shift-N step
 * through doubtful words, Ctrl-Z undoes.
 */
export function usePageKeys({ desk, onFind, onDoubt, onUndo, onRedo }: Actions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isFind = event.key === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (isFind || (event.key === '/' && !isUsedByFocus(event))) {
      event.preventDefault()
      return onFind()
    }
    if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !isUsedByFocus(event)) {
      event.preventDefault()
      return event.shiftKey ? onRedo() : onUndo()
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isUsedByFocus(event)) return
    const action = actionOf(event.key, desk, onDoubt)
    if (action === undefined) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

function actionOf(key: string, { playback }: Desk, onDoubt: (by: 1 | -1) => void): (() => void) | undefined {
  const actions: Record<string, () => void> = {
    ' ': () => playback.toggle(),
    k: () => playback.toggle(),
    j: () => playback.skip(-skipSeconds),
    l: () => playback.skip(skipSeconds),
    '[': () => playback.setRate(nextRate(playback.state.get().rate, -1)),
    ']': () => playback.setRate(nextRate(playback.state.get().rate, 1)),
    n: () => onDoubt(1),
    N: () => onDoubt(-1),
  }
  return actions[key]
}

function nextRate(rate: number, by: 1 | -1): number {
  const index = rates.findIndex((one) => one >= rate)
  return rates[Math.max(0, Math.min(rates.length - 1, (index === -1 ? rates.length - 1 : index) + by))] ?? 1
}
