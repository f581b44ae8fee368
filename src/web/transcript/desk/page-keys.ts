import { useEffect, useEffectEvent } from 'react'
import { skipSeconds } from '../player/media-session.ts'
import { type Playback, rates } from '../player/playback.ts'
import type { Desk } from './desk.ts'

type Actions = {
  desk: Desk
  onFind: () => void
  onDoubt: (by: 1 | -1) => void
  onUndo: () => void
  onRedo: () => void
  onLoop: () => void
  onDelete: () => void
}
type Keys = Record<string, (event: KeyboardEvent) => void>

/** True if the focused element uses the key itself: fields, menus, dialogs, and buttons the space bar. */
export function isUsedByFocus(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('input, textarea, select, [role="menu"], [role="dialog"]')) return true
  return event.key === ' ' && target.closest('button, a, [role="switch"]') !== null
}

/**
 * The page's keys: `/` and Ctrl-F find, Ctrl-Z undoes, and those of `playerKeys` and `readingKeys`. Function keys also work
 * while one types: pedals send them. No input method gets less for it, as it has its keys first.
 */
export function usePageKeys(actions: Actions): void {
  const { onFind, onUndo, onRedo } = actions
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey
    const isFind = event.key === 'f' && command && !event.shiftKey && !event.altKey
    if (isFind || (event.key === '/' && !isUsedByFocus(event))) {
      event.preventDefault()
      return onFind()
    }
    if (event.key.toLowerCase() === 'z' && command && !isUsedByFocus(event)) {
      event.preventDefault()
      return event.shiftKey ? onRedo() : onUndo()
    }
    if (event.defaultPrevented || event.isComposing || command || event.altKey) return
    const keys = isUsedByFocus(event) ? playerKeys(actions) : { ...playerKeys(actions), ...readingKeys(actions) }
    const action = keys[event.key]
    if (action === undefined || (event.shiftKey && /^F\d/.test(event.key))) return
    event.preventDefault()
    action(event)
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

const once = (action: () => void) => (event: KeyboardEvent) => event.repeat || action()

/** As pedals are set up for the usual programs of typists; a pedal that is held down winds. Decision 90. */
function playerKeys({ desk: { playback }, onLoop }: Actions): Keys {
  const wind = (by: 1 | -1) => (event: KeyboardEvent) => playback.skip(event.repeat ? by : by * skipSeconds)
  return {
    F2: () => changeRate(playback, -1),
    F3: () => changeRate(playback, 1),
    F4: once(() => playback.toggle()),
    F7: wind(-1),
    F8: wind(1),
    F9: once(() => playback.toggle()),
    F10: once(onLoop),
  }
}

function readingKeys({ desk: { playback }, onDoubt, onDelete }: Actions): Keys {
  return {
    ' ': () => playback.toggle(),
    k: () => playback.toggle(),
    j: () => playback.skip(-skipSeconds),
    l: () => playback.skip(skipSeconds),
    '[': () => changeRate(playback, -1),
    ']': () => changeRate(playback, 1),
    n: () => onDoubt(1),
    N: () => onDoubt(-1),
    Delete: once(onDelete),
    Backspace: once(onDelete),
  }
}

function changeRate(playback: Playback, by: 1 | -1): void {
  const { rate } = playback.state.get()
  const index = rates.findIndex((one) => one >= rate)
  playback.setRate(rates[Math.max(0, Math.min(rates.length - 1, (index === -1 ? rates.length - 1 : index) + by))] ?? 1)
}
