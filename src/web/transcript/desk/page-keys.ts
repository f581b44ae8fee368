import { useEffect, useEffectEvent } from 'react'
import { readChord } from '../../base/ui/shortcut-key.ts'
import { skipSeconds } from '../player/media-session.ts'
import { type Playback, rates } from '../player/playback.ts'
import { blockOfNode } from '../view/selection.ts'
import type { Correcting } from './correcting.ts'
import type { Desk } from './desk.ts'
import type { Doubts } from './doubts.ts'
import { type Task, tasks } from './reading-settings.ts'

/** A keyboard shortcut of an open transcript: what a page listens to is also what it lists. */
export type Shortcut = {
  /** identifies it among the shortcuts of a page */
  name: string
  /** chords as of `readChord`; a printable key alone never acts while the focused element uses it */
  keys: readonly string[]
  /** in a list of them; '' if it does nothing now */
  does: string
  /**
   * `reading`: unless the focused element uses the key; `typing`: only in the text of a turn; `text`: in both;
   * `anywhere`: in fields and dialogs, too
   */
  when: 'reading' | 'typing' | 'text' | 'anywhere'
  /** not repeated while the key is held down */
  once?: true
  /** false: the key is left to others */
  isOn?: () => boolean
  run: (event: KeyboardEvent) => void
}

/**
 * True if the focused element uses the key itself: fields, menus, dialogs; for Space and Enter, also buttons; tick boxes
 * only use Space.
 */
export function isUsedByFocus(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  const fields = 'input:not([type="checkbox"]), textarea, select, [role="menu"], [role="dialog"]'
  if (target.isContentEditable || target.closest(fields)) return true
  if (event.key === ' ' && target.matches('input')) return true
  return (
    (event.key === ' ' || event.key === 'Enter') &&
    target.closest('button, a, [role="button"], [role="switch"]') !== null
  )
}

function applies({ when, isOn }: Shortcut, chord: string, event: KeyboardEvent): boolean {
  const isTyping = event.target instanceof HTMLElement && event.target.isContentEditable
  const isUsed = isUsedByFocus(event)
  if (isUsed && ([...chord].length === 1 || chord === 'Space')) return false
  const fits = { reading: !isUsed, typing: isTyping, text: isTyping || !isUsed, anywhere: true }
  return fits[when] && isOn?.() !== false
}

/** Listens for the page's keyboard shortcuts while it is open. Keys used by an input method (IME) are ignored. */
export function usePageKeys(shortcuts: readonly Shortcut[]): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const chord = readChord(event)
    const shortcut = shortcuts.find((one) => one.keys.includes(chord) && applies(one, chord, event))
    if (shortcut === undefined) return
    event.preventDefault()
    if (!event.repeat || shortcut.once === undefined) shortcut.run(event)
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

export function findKeys(run: () => void): Shortcut[] {
  return [{ name: 'find', keys: ['/', 'Ctrl+f'], does: 'Find and replace', when: 'anywhere', run }]
}

export function undoKeys(onUndo: () => void, onRedo: () => void): Shortcut[] {
  return [
    { name: 'undo', keys: ['Ctrl+z'], does: 'Undo', when: 'reading', run: onUndo },
    { name: 'redo', keys: ['Ctrl+Shift+z', 'Ctrl+y'], does: 'Redo', when: 'reading', run: onRedo },
  ]
}

/** 1 to 4: the tasks of the panel beside the text. @param isOn false: the panel is not on the page */
export function taskKeys(onTask: (task: Task) => void, isOn: () => boolean): Shortcut[] {
  return tasks.map((task, index) => ({
    name: `task-${task}`,
    keys: [String(index + 1)],
    does: `Panel: ${task}`,
    when: 'reading',
    isOn,
    run: () => onTask(task),
  }))
}

/** The loop of correcting by keys alone: next doubt, Enter, the right words, Enter. */
export function doubtKeys(doubts: Doubts): Shortcut[] {
  const isOn = () => doubts.current.get() !== null
  const isShown = { when: 'reading', once: true, isOn } as const
  return [
    { name: 'doubt', keys: ['n'], does: 'Next doubt', when: 'reading', run: () => doubts.step(1) },
    { name: 'doubt-back', keys: ['Shift+n'], does: 'Previous doubt', when: 'reading', run: () => doubts.step(-1) },
    { name: 'right', keys: ['y'], does: 'Doubt: looks right, next', ...isShown, run: () => doubts.confirm() },
    {
      name: 'correct',
      keys: ['Enter'],
      does: 'Doubt: correct it, Enter: next',
      ...isShown,
      run: () => doubts.correct(),
    },
    { name: 'doubt-close', keys: ['Escape'], does: 'Close doubts', ...isShown, run: () => doubts.leave() },
    { name: 'type', keys: ['Alt+n'], does: 'Type at next doubt', when: 'text', run: () => doubts.typeAtNext(1) },
    {
      name: 'type-back',
      keys: ['Alt+Shift+n'],
      does: 'Type at previous doubt',
      when: 'text',
      run: () => doubts.typeAtNext(-1),
    },
  ]
}

/** Alt and a number set the speaker of the turn at hand. @param offered names in addition to those of the text */
export function speakerKeys({ text }: Desk, correcting: Correcting, offered: readonly string[] = []): Shortcut[] {
  const nameAt = (index: number) => [...new Set([...text.state.get().names, ...offered])][index - 1]
  const wordAtHand = () => {
    const block = blockOfNode(document.activeElement)?.block
    return correcting.editing.get()?.from ?? (block === undefined ? null : text.state.get().blocks.first(block))
  }
  return Array.from({ length: 10 }, (_, index) => {
    const name = nameAt(index)
    const set = (word: number) => {
      const now = nameAt(index)
      if (index === 0) correcting.nameSpeaker(word)
      else if (now !== undefined) correcting.setSpeaker(word, now)
    }
    return {
      name: `speaker-${index}`,
      keys: [`Alt+${index}`],
      does: index === 0 ? 'New speaker' : name === undefined ? '' : `Speaker: ${name}`,
      when: 'text',
      once: true,
      isOn: () => wordAtHand() !== null,
      run: () => set(wordAtHand() ?? 0),
    }
  })
}

export function deletionKeys(run: () => void): Shortcut[] {
  return [{ name: 'delete', keys: ['Delete', 'Backspace'], does: 'Delete words', when: 'reading', once: true, run }]
}

/**
 * The function keys match the usual pedal settings of transcription software, so they also work while typing; holding a
 * pedal down winds. Decision 90.
 */
export function playerKeys(playback: Playback, onLoop: () => void): Shortcut[] {
  const wind = (by: 1 | -1) => (event: KeyboardEvent) => playback.skip(event.repeat ? by : by * skipSeconds)
  const toggle = { keys: ['F4', 'F9', 'Space', 'k'], once: true, run: () => playback.toggle() } as const
  const always = { when: 'anywhere' } as const
  return [
    { name: 'play', does: 'Play or pause', ...toggle, ...always },
    { name: 'back', keys: ['F7', 'j'], does: 'Back; held down: wind', ...always, run: wind(-1) },
    { name: 'forward', keys: ['F8', 'l'], does: 'Forward; held down: wind', ...always, run: wind(1) },
    { name: 'slower', keys: ['F2', '['], does: 'Slower', ...always, run: () => changeRate(playback, -1) },
    { name: 'faster', keys: ['F3', ']'], does: 'Faster', ...always, run: () => changeRate(playback, 1) },
    { name: 'loop', keys: ['F10'], does: 'Loop the turn', ...always, once: true, run: onLoop },
  ]
}

function changeRate(playback: Playback, by: 1 | -1): void {
  const { rate } = playback.state.get()
  const index = rates.findIndex((one) => one >= rate)
  playback.setRate(rates[Math.max(0, Math.min(rates.length - 1, (index === -1 ? rates.length - 1 : index) + by))] ?? 1)
}
