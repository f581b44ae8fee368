import './text-marks.css'
import type { DeskPart } from '../../../contract/work/parts.ts'
import type { SpellingStyle } from '../../../text/spelling.ts'
import { Signal } from '../../base/state/signal.ts'
import type { OpenDesk } from '../../transcript/desk/open-desk.ts'
import { languageOf } from '../../transcript/edit/fillers.ts'
import type { TextState } from '../../transcript/model/transcript-text.ts'
import { textNodeOf } from '../../transcript/view/block-element.ts'
import { type CheckedText, checkText, type Finding, recheckText, rulesOf, type TextRules } from './check-text.ts'
import { KeptInTab } from './kept-in-tab.ts'
import type { PartDesk } from './part-desk.ts'

/** Of the highlight in the styles. */
const highlightName = 'to-look-at'
/** A long text is checked in slices, so that no key waits for longer. Milliseconds. */
const sliceMs = 4
/** So much of the text on both sides tells one ignored place from others of its kind after a reload. UTF-16 units. */
const contextUnits = 24

/** One line for a place, the same after a reload. */
function describeFinding({ why, from, to }: Finding, text: string): string {
  return `${why}: ${text.slice(Math.max(0, from - contextUnits), to + contextUnits)}`.replaceAll(/\s+/g, ' ').trim()
}

/**
 * The places of an open text that break the order's options: found while one types, marked in the text, and listed. A key
 * waits for nothing of this: a turn being typed in is looked at after its frame is painted, and there only changed words.
 */
export class TextMarks {
  /** those that are not ignored, in the order of the text; the same array until another place is there */
  readonly list = new Signal<readonly Finding[]>([])
  readonly #open: OpenDesk
  readonly #rules: TextRules
  /** by block; null: not looked at yet */
  #checked: (CheckedText | null)[] = []
  readonly #ignored = new Set<number>()
  /** lines of ignored places */
  readonly #kept: KeptInTab
  readonly #highlight = typeof Highlight === 'function' ? new Highlight() : null
  #shown: TextState['table'] | null = null
  #timer = 0

  constructor(open: OpenDesk, rules: TextRules, kept: KeptInTab) {
    this.#open = open
    this.#rules = rules
    this.#kept = kept
  }

  /** Follows the text. Returns a function that stops, and takes the marks away. */
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

  /** Takes a place off the list, also after a reload. */
  ignore(id: number): void {
    this.#ignored.add(id)
    const within = this.#checked.find((one) => one?.found.some((place) => place.id === id))
    const place = within?.found.find((one) => one.id === id)
    if (within && place) this.#kept.set([...this.#kept.lines, describeFinding(place, within.text)])
    this.#publish()
  }

  /** Ends the typing, and says which word of the text a place is now; null if it is gone. */
  wordOf(id: number): number | null {
    this.#open.correcting.finish()
    const { table, blocks } = this.#open.desk.text.state.get()
    for (const [block, checked] of this.#checked.entries()) {
      const place = checked?.found.find((one) => one.id === id)
      if (place) return table.wordAtOffset(table.offsetOf(blocks.first(block)) + place.from)
    }
    return null
  }

  /** Goes to a place; where it may be typed, with its word selected. */
  goTo(id: number, types: boolean): void {
    const word = this.wordOf(id)
    const { view, text } = this.#open.desk
    if (word === null || view === null) return
    view.scrollToWord(word)
    if (types) this.#open.correcting.begin(text.state.get().blocks.blockOf(word), word)
    else view.highlightSpan({ from: word, to: word + 1 })
  }

  /** Writes a place as it is right. */
  accept({ id, word, offer }: Finding): void {
    const at = this.wordOf(id)
    if (at === null || offer === null) return
    const { table } = this.#open.desk.text.state.get()
    const inWord = table.wordText(at).indexOf(word)
    if (inWord === -1) return
    this.#open.correcting.replace(Uint32Array.of(table.offsetOf(at) + inWord), word.length, offer)
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

  /** Looks at what is typed, and at what was not looked at yet, once the frame at hand is painted. */
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
   * Leaves out what was ignored before the page was loaded again. Not in the first check of a turn alone: the saved text may
   * be laid over the recognized one after that.
   * @param before the turn as it was checked last; null if it was not
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

  /** Marks what is in the page. */
  #paint(): void {
    const { view } = this.#open.desk
    if (this.#highlight === null || view === null) return
    this.#highlight.clear()
    for (const [block, checked] of this.#checked.entries()) {
      const places = checked?.found.filter(({ id }) => !this.#ignored.has(id)) ?? []
      const element = places.length === 0 ? null : view.elementOf(block)
      const node = element === null ? null : textNodeOf(element)
      if (node === null) continue
      for (const { from, to } of places) {
        if (to > node.length) continue
        // A live range moves along with what is typed before it, until the turn is looked at.
        const range = document.createRange()
        range.setStart(node, from)
        range.setEnd(node, to)
        this.#highlight.add(range)
      }
    }
  }
}

/** What marks the text of a part by its order's options. */
export function marksOf(open: PartDesk, { strict_verbatim, spelling }: DeskPart): TextMarks {
  const { table } = open.desk.text.state.get()
  const rules = rulesOf(strict_verbatim, spelling as SpellingStyle, languageOf(table))
  return new TextMarks(open, rules, new KeptInTab('ignored', open.held))
}
