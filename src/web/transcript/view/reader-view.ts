import { lowerBound } from '../../word-search/finder.ts'
import { blockElement, textNodeOf } from './block-element.ts'
import { blockHeight } from './block-height.ts'
import { createMarks, type MarkName, type Marks } from './marks.ts'
import { blockOfNode, selectionEnds } from './selection.ts'
import type { ShownText, WordSpan } from './shown-text.ts'
import { TextWindow } from './text-window.ts'
import { doubtfulRuns, offsetRange, wordRange } from './word-ranges.ts'

/** Places in the text where the searched words stand, each `length` UTF-16 units long. */
export type Hits = { places: Uint32Array; length: number; current: number }

const noHits: Hits = { places: new Uint32Array(0), length: 0, current: -1 }

/** Followed words are kept between these shares of the window's height. */
const followZone = { from: 0.12, to: 0.68, at: 0.36 }

/**
 * The reading column outside of React: a window over the blocks, and what is marked in it. All of it works on what is
 * in sight only, whatever the length of the text.
 */
export class ReaderView {
  readonly #scroller: HTMLElement
  readonly #window: TextWindow
  readonly #marks: Marks
  readonly #blockMarks = new Map<number, { name: MarkName; ranges: Range[] }[]>()
  #shown: ShownText
  #hits = noHits
  #spoken = -1
  #loop: WordSpan | null = null

  constructor(scroller: HTMLElement, sheet: HTMLElement, shown: ShownText) {
    this.#scroller = scroller
    this.#shown = shown
    this.#marks = createMarks(sheet)
    this.#window = new TextWindow(scroller, sheet, this.#content(), () => this.#marks.relayout())
    document.addEventListener('selectionchange', this.#pinEnds)
    scroller.addEventListener('focusin', this.#pinEnds)
  }

  close(): void {
    document.removeEventListener('selectionchange', this.#pinEnds)
    this.#scroller.removeEventListener('focusin', this.#pinEnds)
    this.#window.close()
    this.#marks.close()
  }

  get shown(): ShownText {
    return this.#shown
  }

  /** Shows another state of the text; see TextWindow.setContent for the two counts. */
  show(shown: ShownText, sameHead = 0, sameTail = 0): void {
    const focused = blockOfNode(document.activeElement)
    this.#shown = shown
    this.#hits = noHits
    this.#window.setContent(this.#content(), sameHead, sameTail)
    this.#refocus(focused)
    const blocks = String(shown.blocks.count)
    for (const element of this.#window.elements.values()) element.ariaSetSize = blocks
    this.setSpoken(this.#spoken, false)
  }

  /** Shows the same text with other settings (doubt, names, new words). */
  restyle(shown: ShownText): void {
    const focused = blockOfNode(document.activeElement)
    this.#shown = shown
    this.#window.refresh()
    this.#refocus(focused)
    this.setSpoken(this.#spoken, false)
  }

  /** Elements made anew take the focus of those they stand for: the keyboard does not lose its place. */
  #refocus(focused: { block: number; element: HTMLElement } | null): void {
    if (focused === null || focused.element.isConnected || !this.#scroller.isConnected) return
    this.elementOf(Math.min(focused.block, this.#shown.blocks.count - 1))?.focus({ preventScroll: true })
  }

  elementOf(block: number): HTMLElement | null {
    return this.#window.elements.get(block) ?? null
  }

  remeasure(block: number): void {
    this.#window.remeasure(block)
  }

  /** Makes a block's element anew, as after typing that changed nothing but blanks. */
  restore(block: number): void {
    const element = this.elementOf(block)
    const text = textNodeOf(element ?? document.body)
    const { table, blocks } = this.#shown
    const wanted = table.slice(blocks.first(block), blocks.end(block))
    if (element !== null && text?.data !== wanted) this.#window.refresh()
  }

  #content() {
    return {
      count: this.#shown.blocks.count,
      estimate: (block: number) => blockHeight(this.#shown, block, this.#scroller.clientWidth),
      create: (block: number) => this.#create(block),
      removed: (block: number) => this.#unmark(block),
    }
  }

  #create(block: number): HTMLElement {
    const element = blockElement(this.#shown, block)
    const node = textNodeOf(element)
    if (node !== null) this.#mark(block, node)
    return element
  }

  #mark(block: number, node: Text): void {
    const { table, blocks, doubtBelow } = this.#shown
    const first = blocks.first(block)
    const end = blocks.end(block)
    const added: { name: MarkName; ranges: Range[] }[] = []
    if (doubtBelow !== null) {
      const runs = doubtfulRuns(table, first, end, doubtBelow)
      added.push({ name: 'doubt', ranges: runs.map(([from, to]) => wordRange(table, node, first, from, to)) })
    }
    added.push({ name: 'find', ranges: this.#hitRanges(node, first, end) })
    const loop = this.#loop
    if (loop !== null && loop.from < end && loop.to > first) {
      const range = wordRange(table, node, first, Math.max(first, loop.from), Math.min(end, loop.to))
      added.push({ name: 'loop', ranges: [range] })
    }
    for (const { name, ranges } of added) this.#marks.add(name, ranges)
    this.#blockMarks.set(block, added)
    if (this.#spoken >= first && this.#spoken < end) {
      this.#marks.set('spoken', wordRange(table, node, first, this.#spoken, this.#spoken + 1))
    }
  }

  #hitRanges(node: Text, first: number, end: number): Range[] {
    const { table } = this.#shown
    const begin = table.offsetOf(first)
    const { places, length, current } = this.#hits
    const ranges: Range[] = []
    const stop = lowerBound(places, table.offsetOf(end))
    for (let hit = lowerBound(places, begin); hit < stop; hit++) {
      const range = offsetRange(node, (places[hit] ?? 0) - begin, (places[hit] ?? 0) - begin + length)
      ranges.push(range)
      if (hit === current) this.#marks.set('find-current', range)
    }
    return ranges
  }

  #unmark(block: number): void {
    for (const { name, ranges } of this.#blockMarks.get(block) ?? []) this.#marks.remove(name, ranges)
    this.#blockMarks.delete(block)
  }

  #remarkAll(): void {
    for (const [block, element] of this.#window.elements) {
      this.#unmark(block)
      const node = textNodeOf(element)
      if (node !== null) this.#mark(block, node)
    }
    this.#marks.relayout()
  }

  setHits(hits: Hits | null): void {
    this.#hits = hits ?? noHits
    this.#marks.set('find-current', null)
    this.#remarkAll()
  }

  setLoop(span: WordSpan | null): void {
    this.#loop = span
    this.#remarkAll()
  }

  /** Marks the spoken word, -1 for none; `follow` keeps it in sight. */
  setSpoken(word: number, follow: boolean): void {
    this.#spoken = word
    const { table, blocks } = this.#shown
    if (word < 0 || word >= table.count) {
      this.#marks.set('spoken', null)
      return
    }
    const block = blocks.blockOf(word)
    const node = this.#nodeOf(block)
    if (node === null) this.#marks.set('spoken', null)
    else {
      const range = wordRange(table, node, blocks.first(block), word, word + 1)
      // Looked at before the mark moves: afterwards it would cost a second reckoning of styles.
      const stays = follow && this.#comfortable(range)
      this.#marks.set('spoken', range)
      if (stays) return
    }
    if (follow) this.scrollToWord(word, followZone.at)
  }

  #nodeOf(block: number): Text | null {
    const element = this.#window.elements.get(block)
    return element === undefined ? null : textNodeOf(element)
  }

  #comfortable(range: Range): boolean {
    const { top, height } = this.#scroller.getBoundingClientRect()
    const at = (range.getBoundingClientRect().top - top) / height
    return at >= followZone.from && at <= followZone.to
  }

  /** Scrolls so that a word's line stands at this share of the window's height. */
  scrollToWord(word: number, share = followZone.at): void {
    const { table, blocks } = this.#shown
    if (table.count === 0) return
    const block = blocks.blockOf(Math.max(0, Math.min(word, table.count - 1)))
    const below = this.#scroller.clientHeight * share
    this.#window.scrollToBlock(block, below)
    const node = this.#nodeOf(block)
    if (node === null) return
    const rect = wordRange(table, node, blocks.first(block), word, word + 1).getBoundingClientRect()
    const off = rect.top - this.#scroller.getBoundingClientRect().top - below
    // Within a tall block the word itself is what has to stand there.
    if (off > 1) this.#window.scrollToBlock(block, below - off)
  }

  /** The first word of the block at the top edge: the place to come back to. */
  topWord(): number {
    return this.#shown.blocks.first(this.#window.anchor().block)
  }

  /** Moves the focus to a block and brings it into sight; null for the first that is wholly in sight. */
  focusBlock(block: number | null): void {
    const { block: top, above } = this.#window.anchor()
    const wanted = block ?? Math.min(top + (above > 4 ? 1 : 0), this.#shown.blocks.count - 1)
    let element = this.elementOf(wanted)
    if (element === null) {
      this.#window.scrollToBlock(wanted, this.#scroller.clientHeight / 3)
      element = this.elementOf(wanted)
    }
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  }

  /** The ends of a selection and the focused block stay in the page, however far the reader scrolls. */
  readonly #pinEnds = () => {
    const focused = blockOfNode(document.activeElement)
    this.#window.pin(focused === null ? selectionEnds() : [...selectionEnds(), focused.block])
  }
}
