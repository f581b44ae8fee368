import { useEffect, useEffectEvent } from 'react'
import { shortcutKey } from '../../base/ui/shortcut-key.ts'
import { skipSeconds } from '../player/media-session.ts'
import { type Playback, rates } from '../player/playback.ts'
import type { Doubts } from './doubts.ts'

type Keys = Record<string, (event: KeyboardEvent) => void>

/** Keyboard shortcuts of one part of the page. */
export type PageKeys = {
  /** shortcuts checked before all others, e.g. with Ctrl; null: not handled by this part */
  command?: (event: KeyboardEvent) => (() => void) | null
  /** active unless the focused element uses the key itself */
  reading?: Keys
  /** active while typing, too */
  always?: Keys
}

/** True if the focused element uses the key itself: fields, menus, dialogs; for the space bar, also buttons. */
export function isUsedByFocus(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('input, textarea, select, [role="menu"], [role="dialog"]')) return true
  return event.key === ' ' && target.closest('button, a, [role="switch"]') !== null
}

/** Listens for the page's keyboard shortcuts while it is open. Keys used by an input method (IME) are ignored. */
export function usePageKeys(parts: readonly PageKeys[]): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    for (const { command } of parts) {
      const action = command?.(event)
      if (!action) continue
      event.preventDefault()
      return action()
    }
    // AltGr, which types [ and ] on some keyboards, counts as Ctrl and Alt.
    const isCommand = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph')
    if (event.defaultPrevented || event.isComposing || isCommand || event.metaKey) return
    const key = shortcutKey(event)
    const tables = parts.map(({ always, reading }) => (isUsedByFocus(event) ? always : { ...always, ...reading }))
    const action = tables.find((keys) => keys?.[key])?.[key]
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

/** Ctrl-F and `/`. */
export function findKeys(onFind: () => void): PageKeys {
  return {
    command: (event) => {
      const isFind = shortcutKey(event) === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      return isFind || (event.key === '/' && !isUsedByFocus(event)) ? onFind : null
    },
  }
}

/** Ctrl-Z and Ctrl-Shift-Z. */
export function undoKeys(onUndo: () => void, onRedo: () => void): PageKeys {
  return {
    command: (event) => {
      if (shortcutKey(event).toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || isUsedByFocus(event))
        return null
      return event.shiftKey ? onRedo : onUndo
    },
  }
}

/** N and Shift-N. */
export function doubtKeys(doubts: Doubts): PageKeys {
  return { reading: { n: () => doubts.step(1), N: () => doubts.step(-1) } }
}

export function deletionKeys(onDelete: () => void): PageKeys {
  return { reading: { Delete: once(onDelete), Backspace: once(onDelete) } }
}

/**
 * The function keys match the usual pedal settings of transcription software, so they also work while typing; holding a
 * pedal down winds. Decision 90.
 */
export function playerKeys(playback: Playback, onLoop: () => void): PageKeys {
  const wind = (by: 1 | -1) => (event: KeyboardEvent) => playback.skip(event.repeat ? by : by * skipSeconds)
  return {
    always: {
      F2: () => changeRate(playback, -1),
      F3: () => changeRate(playback, 1),
      F4: once(() => playback.toggle()),
      F7: wind(-1),
      F8: wind(1),
      F9: once(() => playback.toggle()),
      F10: once(onLoop),
    },
    reading: {
      ' ': () => playback.toggle(),
      k: () => playback.toggle(),
      j: () => playback.skip(-skipSeconds),
      l: () => playback.skip(skipSeconds),
      '[': () => changeRate(playback, -1),
      ']': () => changeRate(playback, 1),
    },
  }
}

function changeRate(playback: Playback, by: 1 | -1): void {
  const { rate } = playback.state.get()
  const index = rates.findIndex((one) => one >= rate)
  playback.setRate(rates[Math.max(0, Math.min(rates.length - 1, (index === -1 ? rates.length - 1 : index) + by))] ?? 1)
}
