import './text-marks.css'
import type { DeskPart } from '../../../contract/work/parts.ts'
import type { SpellingStyle } from '../../../text/spelling.ts'
import { Signal } from '../../base/state/signal.ts'
import type { OpenDesk } from '../../transcript/desk/open-desk.ts'
import { detectLanguage } from '../../transcript/edit/fillers.ts'
import { changesWithout } from '../../transcript/edit/without-words.ts'
import type { TextState } from '../../transcript/model/transcript-text.ts'
import { findTextNode } from '../../transcript/view/block-element.ts'
import { type CheckedText, checkText, type Finding, readTextRules, recheckText, type TextRules } from './check-text.ts'
import { KeptInTab } from './kept-in-tab.ts'
import type { PartDesk } from './part-desk.ts'

/** Name of the highlight in the styles. */
const highlightName = 'to-look-at'
/** A long text is checked in time slices, so that keystrokes are not delayed. Milliseconds. */
const sliceMs = 4
/** Context on each side that identifies an ignored place after a reload. UTF-16 units. */
const contextUnits = 24

/** Identifies a place by a string that survives a reload. */
function describeFinding({ why, from, to }: Finding, text: string): string {
  return `${why}: ${text.slice(Math.max(0, from - contextUnits), to + contextUnits)}`.replaceAll(/\s+/g, ' ').trim()
}

/**
 * The places in an open text that violate the order's options: found during typing, highlighted in the text, and
 * listed. Keystrokes never wait for it: a turn being edited is checked after its frame is painted, and only its changed
 * words.
 */
export class TextMarks {
  /** places that are not ignored, in text order; the same array until a place changes */
  readonly list = new Signal<readonly Finding[]>([])
  readonly #open: OpenDesk
  readonly #rules: TextRules
  /** results by block; null: not checked yet */
  #checked: (CheckedText | null)[] = []
  readonly #ignored = new Set<number>()
  /** keys of ignored places */
  readonly #kept: KeptInTab
  readonly #highlight = typeof Highlight === 'function' ? new Highlight() : null
  #shown: TextState['table'] | null = null
  #timer = 0

  constructor(open: OpenDesk, rules: TextRules, kept: KeptInTab) {
    this.#open = open
    this.#rules = rules
    this.#kept = kept
  }

  /** Follows the text. Returns a function that stops and removes the highlights. */
  start(): () => void {
    const { desk, correcting } = this.#open
    if (this.#highlight !== null) CSS.highlights.set(highlightName, this.#highlight)
    const onInput = () => correcting.editing.get() !== null && this.#later()
    const observer = new MutationObserver(() => this.#paint())
    const sheet = desk.view?.elementOf(0)?.parentElement ?? document.querySelector('[role="feed"]')
    if (sheet) observer.observe(sheet, { childList: true, subtree: true })
    window.addEventListener('input', onInput)
    const stop = desk.text.state.subscribe(() => this.#onText())
    this.#onText()
    return () => {
      stop()
      window.clearTimeout(this.#timer)
      window.removeEventListener('input', onInput)
      observer.disconnect()
      if (this.#highlight && CSS.highlights.get(highlightName) === this.#highlight) CSS.highlights.delete(highlightName)
    }
  }

  /** Removes a place from the list; it stays removed after a reload. */
  ignore(id: number): void {
    this.#ignored.add(id)
    const within = this.#checked.find((one) => one?.found.some((place) => place.id === id))
    const place = within?.found.find((one) => one.id === id)
    if (within && place) this.#kept.set([...this.#kept.lines, describeFinding(place, within.text)])
    this.#publish()
  }

  /** Ends editing and returns the current word index of a place; null if it is gone. */
  wordOf(id: number): number | null {
    this.#open.correcting.finish()
    const { table, blocks } = this.#open.desk.text.state.get()
    for (const [block, checked] of this.#checked.entries()) {
      const place = checked?.found.find((one) => one.id === id)
      if (place) return table.wordAtOffset(table.offsetOf(blocks.first(block)) + place.from)
    }
    return null
  }

  /** Goes to a place; starts editing with its word selected if allowed. */
  goTo(id: number, types: boolean): void {
    const word = this.wordOf(id)
    const { view, text } = this.#open.desk
    if (word === null || view === null) return
    view.scrollToWord(word)
    if (types) this.#open.correcting.begin(text.state.get().blocks.blockOf(word), word)
    else view.highlightSpan({ from: word, to: word + 1 })
  }

  /** Applies a place's suggestion. */
  accept({ id, word, offer }: Finding): void {
    const at = this.wordOf(id)
    if (at === null || offer === null) return
    const { table } = this.#open.desk.text.state.get()
    const inWord = table.wordText(at).indexOf(word)
    if (inWord === -1) return
    this.#open.correcting.replace(Uint32Array.of(table.offsetOf(at) + inWord), word.length, offer)
  }

  /** Removes a place's word; a sentence stays well-formed around it. */
  takeOut(id: number): void {
    const word = this.wordOf(id)
    if (word === null) return
    const { table } = this.#open.desk.text.state.get()
    this.#open.correcting.change('Delete word', changesWithout(table, [word]))
  }

  #onText(): void {
    const { table, blocks, sameHead, sameTail } = this.#open.desk.text.state.get()
    if (table === this.#shown) return
    this.#shown = table
    const old = this.#checked
    const changed = blocks.count - sameHead - sameTail
    const before = old.slice(sameHead, old.length - sameTail)
    const middle = Array.from({ length: changed }, (_, index) => {
      const was = before.length === changed ? before[index] : null
      const text = this.#textOf(sameHead + index)
      return was ? this.#check(was, text) : null
    })
    this.#checked = [...old.slice(0, sameHead), ...middle, ...old.slice(old.length - sameTail)]
    this.#later()
    this.#publish()
  }

  #textOf(block: number): string {
    const { table, blocks } = this.#open.desk.text.state.get()
    return table.slice(blocks.first(block), blocks.end(block))
  }

  /** Schedules checks of the turn being edited and of unchecked blocks after the current frame is painted. */
  #later(): void {
    if (this.#timer !== 0) return
    this.#timer = window.setTimeout(() => {
      this.#timer = 0
      this.#look()
    }, 30)
  }

  #look(): void {
    const end = performance.now() + sliceMs
    const { editing } = this.#open.correcting
    const block = editing.get()?.block
    if (block !== undefined) {
      const element = this.#open.desk.view?.elementOf(block)
      const text = element?.querySelector('.block-text')?.textContent ?? this.#textOf(block)
      const was = this.#checked[block]
      this.#checked[block] = this.#check(was ?? null, text)
    }
    let next = this.#checked.indexOf(null)
    while (next !== -1 && performance.now() < end) {
      this.#checked[next] = this.#check(null, this.#textOf(next))
      next = this.#checked.indexOf(null, next)
    }
    if (next !== -1) this.#later()
    this.#publish()
  }

  /**
   * Leaves out places that were ignored before a reload. Not only in the first check of a turn: the saved text may
   * replace the recognized one after that.
   * @param before the turn's last check; null if there was none
   */
  #check(before: CheckedText | null, text: string): CheckedText {
    const checked = before === null ? checkText(text, this.#rules) : recheckText(before, text, this.#rules)
    if (checked === before || this.#kept.lines.length === 0) return checked
    for (const place of checked.found)
      if (this.#kept.lines.includes(describeFinding(place, text))) this.#ignored.add(place.id)
    return checked
  }

  #publish(): void {
    const list = this.#checked.flatMap((one) => one?.found ?? []).filter(({ id }) => !this.#ignored.has(id))
    const before = this.list.get()
    const isSame = list.length === before.length && list.every(({ id }, index) => id === before[index]?.id)
    if (!isSame) this.list.set(list)
    this.#paint()
  }

  /** Highlights the places in the rendered blocks. */
  #paint(): void {
    const { view } = this.#open.desk
    if (this.#highlight === null || view === null) return
    this.#highlight.clear()
    for (const [block, checked] of this.#checked.entries()) {
      const places = checked?.found.filter(({ id }) => !this.#ignored.has(id)) ?? []
      const element = places.length === 0 ? null : view.elementOf(block)
      const node = element === null ? null : findTextNode(element)
      if (node === null) continue
      for (const { from, to } of places) {
        if (to > node.length) continue
        // A live range moves with text typed before it, until the turn is rechecked.
        const range = document.createRange()
        range.setStart(node, from)
        range.setEnd(node, to)
        this.#highlight.add(range)
      }
    }
  }
}

/** Creates the marks for a part's text from its order's options. */
export function findMarks(open: PartDesk, { strict_verbatim, spelling }: DeskPart): TextMarks {
  const { table } = open.desk.text.state.get()
  const rules = readTextRules(strict_verbatim, spelling as SpellingStyle, detectLanguage(table))
  return new TextMarks(open, rules, new KeptInTab('ignored', open.held))
}
