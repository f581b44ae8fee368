import type { DeskPart } from '../../../contract/work/parts.ts'
import { preferences, setPreferences } from '../../signed-in/preferences/preferences.ts'
import {
  doubtKeys,
  findKeys,
  playerKeys,
  type Shortcut,
  speakerKeys,
  undoKeys,
} from '../../transcript/desk/page-keys.ts'
import { turnTime } from '../../transcript/view/block-element.ts'
import type { PartDesk } from './part-desk.ts'
import { readStored, store } from './stored.ts'
import { typeMark } from './typing-keys.ts'

/** Names of shortcuts by chord: keys and pedal switches that a staff member has set. */
export type OwnKeys = Readonly<Record<string, string>>

const storageKey = (staff: string) => `parley.work.keys.${staff}`

/** A staff member's own keys, stored on this device. */
export function readOwnKeys(staff: string): OwnKeys {
  return readStored(storageKey(staff))
}

export function storeOwnKeys(staff: string, own: OwnKeys): void {
  store(storageKey(staff), own)
}

/** Shortcuts with a staff member's own keys, which come first; a key is taken from the shortcut that had it. */
export function withOwnKeys(shortcuts: readonly Shortcut[], own: OwnKeys): Shortcut[] {
  const chords = Object.keys(own)
  return shortcuts.map((one) => ({
    ...one,
    keys: [...chords.filter((chord) => own[chord] === one.name), ...one.keys.filter((key) => own[key] === undefined)],
  }))
}

/** Dialogs and bars that a key opens. */
export type DeskOverlay = 'finish' | 'return' | 'reopen' | 'keys' | 'find'

const reads = { when: 'reading', once: true } as const

function reviewKeys({ changes }: PartDesk): Shortcut[] {
  return [
    { ...reads, name: 'change', keys: ['d'], does: 'Next change of the step before', run: () => changes.step(1) },
    { ...reads, name: 'change-back', keys: ['Shift+d'], does: 'Previous change', run: () => changes.step(-1) },
  ]
}

/** All shortcuts of the desk except the editor's: those that act, and those that `?` lists. */
export function deskKeys(open: PartDesk, part: DeskPart, show: (overlay: DeskOverlay) => void): Shortcut[] {
  const { desk, doubts, corrections, correcting, start } = open
  const mark = (name: string, key: string, text: () => string, does = text()): Shortcut => {
    return { name, keys: [key], does, when: 'typing', run: () => typeMark(text()) }
  }
  const shows = (name: DeskOverlay, keys: string[], does: string): Shortcut => {
    return { name, keys, does, when: 'text', once: true, run: () => show(name) }
  }
  const loop = () => {
    if (correcting.editing.get() === null) return desk.toggleLoop()
    const now = preferences.get()
    setPreferences({ ...now, loopTurn: !now.loopTurn })
  }
  return [
    ...doubtKeys(doubts),
    ...speakerKeys(desk, correcting, part.known_names),
    mark('blank', 'Ctrl+b', () => `[blank ${turnTime(desk.playback.seconds + start)}]`, '[blank 12:31]'),
    mark('inaudible', 'Ctrl+i', () => '[inaudible]'),
    mark('crosstalk', 'Alt+c', () => '[crosstalk]'),
    mark('laughs', 'Alt+l', () => '[laughs]'),
    ...playerKeys(desk.playback, loop),
    ...undoKeys(
      () => void corrections.undo(),
      () => void corrections.redo(),
    ),
    ...findKeys(() => show('find')),
    ...(part.set_before === null ? [] : reviewKeys(open)),
    ...(part.part.step === 'type'
      ? []
      : [{ ...reads, name: 'mark', keys: ['m'], does: 'Mark to send back', run: () => open.places.mark() }]),
    shows('finish', ['Ctrl+Shift+Enter'], 'Finish the part'),
    shows('keys', ['?', 'F1'], 'Keys'),
  ]
}
