import { readStored, store } from './stored.ts'

/** Abbreviations and their expansions, in which `{time}` and `{speaker}` are filled in. */
export type Abbreviations = Readonly<Record<string, string>>

const storageKey = (staff: string) => `parley.work.short.${staff}`

/** A staff member's abbreviations, stored on this device. */
export function readAbbreviations(staff: string): Abbreviations {
  return readStored(storageKey(staff))
}

export function storeAbbreviations(staff: string, list: Abbreviations): void {
  store(storageKey(staff), list)
}

/** Abbreviations of a file: on each line one, a tab, and its text. @returns also how many lines hold none */
export function abbreviationsOf(text: string): { read: Abbreviations; odd: number } {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const found = lines.flatMap((line) => {
    const [, short, long] = /^\s*(\S+)\t(.*\S)/.exec(line) ?? []
    return short === undefined || long === undefined ? [] : [[short, long.trim()] as const]
  })
  return { read: Object.fromEntries(found), odd: lines.length - found.length }
}

/** The abbreviation that ends at the caret, and its expansion; null if there is none. `Nw` expands like `nw`. */
export function expansionAt(before: string, list: Abbreviations): { short: string; long: string } | null {
  const short = /[\p{L}\p{N}.'’/&-]+$/u.exec(before)?.[0]
  if (short === undefined) return null
  if (Object.hasOwn(list, short)) return { short, long: list[short] ?? '' }
  const small = short.charAt(0).toLowerCase() + short.slice(1)
  const long = Object.hasOwn(list, small) ? list[small] : undefined
  return long === undefined ? null : { short, long: long.charAt(0).toUpperCase() + long.slice(1) }
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

/** Types `[inaudible]` or the like at the caret, with spaces around it. */
export function typeMark(mark: string): void {
  const before = caret()?.before ?? ''
  typeText(`${before === '' || /\s$/.test(before) ? '' : ' '}${mark} `)
}

type Fields = { time: string; speaker: string }
type Typing = { list: () => Abbreviations /** at the caret */; fields: () => Fields }

function expand({ list, fields }: Typing): void {
  const at = caret()
  const found = at && expansionAt(at.before, list())
  if (at === null || found === null) return
  const end = at.before.length
  document.getSelection()?.setBaseAndExtent(at.node, end - found.short.length, at.node, end)
  typeText(found.long.replaceAll(/\{(time|speaker)\}/g, (_, name: keyof Fields) => fields()[name]))
}

/** Expands abbreviations at a space, punctuation, Enter or Tab. Returns a function that stops. */
export function expandWhileTyping(typing: Typing): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.isContentEditable && !event.isComposing
    if (!isTyping || event.altKey || event.ctrlKey || event.metaKey) return
    if (/^([\s,.;:!?]|Enter|Tab)$/.test(event.key)) expand(typing)
  }
  // Before the editor's own shortcuts: Enter ends editing.
  window.addEventListener('keydown', onKey, true)
  return () => window.removeEventListener('keydown', onKey, true)
}
