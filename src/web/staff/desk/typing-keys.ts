import { turnTime } from '../../transcript/view/block-element.ts'

/** Abbreviations and their expansions. */
export type Abbreviations = Readonly<Record<string, string>>

const storageKey = (staff: string) => `parley.work.short.${staff}`

/** A staff member's abbreviations, stored on this device. */
export function readAbbreviations(staff: string): Abbreviations {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(staff)) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, long]) => typeof long === 'string'))
  } catch {
    return {}
  }
}

export function storeAbbreviations(staff: string, list: Abbreviations): void {
  try {
    localStorage.setItem(storageKey(staff), JSON.stringify(list))
  } catch {
    // Storage is full or blocked: they last until the page is closed.
  }
}

/** The abbreviation that ends at the caret, and its expansion; null if there is none. */
export function expansionAt(before: string, list: Abbreviations): { short: string; long: string } | null {
  const short = /[\p{L}\p{N}.'’/&-]+$/u.exec(before)?.[0]
  const long = short === undefined || !Object.hasOwn(list, short) ? undefined : list[short]
  return short === undefined || long === undefined ? null : { short, long }
}

/** The text node being edited, with the text before the caret. */
function caret(): { node: Text; before: string } | null {
  const field = document.activeElement
  const selection = document.getSelection()
  if (!(field instanceof HTMLElement) || !field.isContentEditable || !selection?.isCollapsed) return null
  const { anchorNode, anchorOffset } = selection
  return anchorNode instanceof Text ? { node: anchorNode, before: anchorNode.data.slice(0, anchorOffset) } : null
}

/** Inserts text so that the browser's own undo can remove it. */
function typeText(text: string): void {
  document.execCommand('insertText', false, text)
}

function expand(list: Abbreviations): void {
  const at = caret()
  const found = at && expansionAt(at.before, list)
  if (at === null || found === null) return
  const end = at.before.length
  document.getSelection()?.setBaseAndExtent(at.node, end - found.short.length, at.node, end)
  typeText(found.long)
}

function typeMark(mark: string): void {
  const before = caret()?.before ?? ''
  typeText(`${before === '' || /\s$/.test(before) ? '' : ' '}${mark} `)
}

type Typing = { list: () => Abbreviations /** position in the recording */; seconds: () => number }

/**
 * Shortcuts while typing a turn: Ctrl-B marks an inaudible passage, `[blank 12:31]`, Ctrl-I `[inaudible]`; a space or
 * punctuation expands an abbreviation. Returns a function that stops.
 */
export function listenToTyping({ list, seconds }: Typing): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.isContentEditable && !event.isComposing
    if (!isTyping || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      const mark = { b: `[blank ${turnTime(seconds())}]`, i: '[inaudible]' }[event.key.toLowerCase()]
      if (mark === undefined || event.shiftKey) return
      event.preventDefault()
      typeMark(mark)
    } else if (/^[\s,.;:!?]$/.test(event.key) || event.key === 'Enter' || event.key === 'Tab') expand(list())
  }
  // Before the editor's own shortcuts: Enter ends editing.
  window.addEventListener('keydown', onKey, true)
  return () => window.removeEventListener('keydown', onKey, true)
}
