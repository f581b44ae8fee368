import { hitsBefore } from '../../../text/finder.ts'
import { carrySpan } from '../edit/current-range.ts'
import type { WordSpan } from '../model/word.ts'
import { blockElement, findTextNode, numberBlock } from './block-element.ts'
import { createHighlights, type HighlightName, type Highlights } from './highlights.ts'
import { blockOfNode, blocksAtSelectionEnds } from './selection.ts'
import { estimateBlockHeight, isHidden, type ShownText } from './shown-text.ts'
import { TextWindow } from './text-window.ts'
import { doubtfulRuns, offsetRange, wordRange } from './word-ranges.ts'

/** Offsets of the matches in the text, each `length` UTF-16 units long. */
export type Hits = { places: Uint32Array; length: number; current: number }

const noHits: Hits = { places: new Uint32Array(0), length: 0, current: -1 }

/**
 * While following, the spoken word stays between `from` and `to` of the window's height; if outside, it is scrolled to
 * `at`.
 */
const followZone = { from: 0.12, to: 0.68, at: 0.36 }

/**
 * The reading column, outside React: a virtualized list of blocks with highlights. All work is limited to the blocks in
 * view, however long the text is.
 */
export class ReaderView {
  readonly #scroller: HTMLElement
  readonly #window: TextWindow
  readonly #highlights: Highlights
  readonly #blockHighlights = new Map<number, { name: HighlightName; ranges: Range[] }[]>()
  readonly #mark: (block: number, element: HTMLElement) => void
  readonly #showAll: () => void
  #shown: ShownText
  #hits = noHits
  #spoken = -1
  #span: WordSpan | null = null

  /**
   * @param mark decorates the element of a block, when it is created and on `markAll`
   * @param showAll shows every speaker's turns, at once: called to go to one that is not shown
   */
  constructor(
    scroller: HTMLElement,
    sheet: HTMLElement,
    shown: ShownText,
    mark: (block: number, element: HTMLElement) => void,
    showAll: () => void,
  ) {
    this.#scroller = scroller
    this.#mark = mark
    this.#showAll = showAll
    this.#shown = shown
    this.#highlights = createHighlights(sheet)
    this.#window = new TextWindow(scroller, sheet, this.#content(), () => this.#highlights.relayout())
    document.addEventListener('selectionchange', this.#pinSelectionAndFocus)
    scroller.addEventListener('focusin', this.#pinSelectionAndFocus)
  }

  close(): void {
    document.removeEventListener('selectionchange', this.#pinSelectionAndFocus)
    this.#scroller.removeEventListener('focusin', this.#pinSelectionAndFocus)
    this.#window.close()
    this.#highlights.close()
  }

  get shown(): ShownText {
    return this.#shown
  }

  /** Shows another state of the text; see TextWindow.setContent for the two counts. */
  show(shown: ShownText, sameHead = 0, sameTail = 0): void {
    const focused = blockOfNode(document.activeElement)
    // An append-only change keeps highlights; after a correction, block numbers and doubtful words differ.
    const isOther = shown.table !== this.#shown.table
    if (isOther && this.#span !== null) this.#span = carrySpan(this.#shown.table, shown.table, this.#span)
    this.#shown = shown
    this.#hits = noHits
    if (isOther) for (const block of [...this.#blockHighlights.keys()]) this.#clearHighlights(block)
    this.#window.setContent(this.#content(), sameHead, sameTail)
    if (isOther) this.#highlightAll()
    this.#restoreFocus(focused)
    for (const [block, element] of this.#window.elements) numberBlock(element, block, shown.blocks.count)
    this.setSpoken(this.#spoken, false)
  }

  /** Shows the same text with other settings (doubt, names, new words). */
  restyle(shown: ShownText): void {
    const focused = blockOfNode(document.activeElement)
    this.#shown = shown
    this.#window.refresh()
    this.#restoreFocus(focused)
    this.setSpoken(this.#spoken, false)
  }

  /** If the focused element was recreated, moves the focus to the new one, so that the keyboard position is kept. */
  #restoreFocus(focused: { block: number; element: HTMLElement } | null): void {
    if (focused === null || focused.element.isConnected || !this.#scroller.isConnected) return
    this.elementOf(Math.min(focused.block, this.#shown.blocks.count - 1))?.focus({ preventScroll: true })
  }

  elementOf(block: number): HTMLElement | null {
    return this.#window.elements.get(block) ?? null
  }

  remeasure(block: number): void {
    this.#window.remeasure(block)
  }

  /** Shows a block again whose editing has changed nothing: its ranges may have collapsed, its white space differ. */
  restore(block: number): void {
    if (this.elementOf(block) === null) return
    const node = this.#findTextNode(block)
    const { table, blocks } = this.#shown
    if (node?.data !== table.slice(blocks.first(block), blocks.end(block))) {
      this.#window.refresh()
      return
    }
    this.#clearHighlights(block)
    this.#highlightBlock(block, node)
    this.#highlights.relayout()
  }

  #content() {
    return {
      count: this.#shown.blocks.count,
      estimate: (block: number) => estimateBlockHeight(this.#shown, block, this.#scroller.clientWidth),
      create: (block: number) => this.#createBlock(block),
      removed: (block: number) => this.#clearHighlights(block),
    }
  }

  #createBlock(block: number): HTMLElement {
    const element = blockElement(this.#shown, block)
    this.#mark(block, element)
    const node = findTextNode(element)
    if (node !== null) this.#highlightBlock(block, node)
    return element
  }

  #highlightBlock(block: number, node: Text): void {
    const { table, blocks, doubtBelow } = this.#shown
    const first = blocks.first(block)
    const end = blocks.end(block)
    const added: { name: HighlightName; ranges: Range[] }[] = []
    if (doubtBelow !== null) {
      const runs = doubtfulRuns(table, first, end, doubtBelow)
      added.push({ name: 'doubt', ranges: runs.map(([from, to]) => wordRange(table, node, first, from, to)) })
    }
    added.push({ name: 'find', ranges: this.#hitRanges(node, first, end) })
    const span = this.#span
    if (span !== null && span.from < end && span.to > first) {
      const range = wordRange(table, node, first, Math.max(first, span.from), Math.min(end, span.to))
      added.push({ name: 'span', ranges: [range] })
    }
    for (const { name, ranges } of added) this.#highlights.add(name, ranges)
    this.#blockHighlights.set(block, added)
    if (this.#spoken >= first && this.#spoken < end) {
      this.#highlights.set('spoken', wordRange(table, node, first, this.#spoken, this.#spoken + 1))
    }
  }

  #hitRanges(node: Text, first: number, end: number): Range[] {
    const { table } = this.#shown
    const begin = table.offsetOf(first)
    const { places, length, current } = this.#hits
    const firstHit = hitsBefore(places, begin)
    const hits = places.subarray(firstHit, hitsBefore(places, table.offsetOf(end)))
    const ranges = Array.from(hits, (place) => offsetRange(node, place - begin, place - begin + length))
    const currentRange = ranges[current - firstHit]
    if (currentRange !== undefined) this.#highlights.set('find-current', currentRange)
    return ranges
  }

  #clearHighlights(block: number): void {
    for (const { name, ranges } of this.#blockHighlights.get(block) ?? []) this.#highlights.remove(name, ranges)
    this.#blockHighlights.delete(block)
  }

  #highlightAll(): void {
    for (const [block, element] of this.#window.elements) {
      this.#clearHighlights(block)
      const node = findTextNode(element)
      if (node !== null) this.#highlightBlock(block, node)
    }
    this.#highlights.relayout()
  }

  setHits(hits: Hits | null): void {
    this.#hits = hits ?? noHits
    this.#highlights.set('find-current', null)
    this.#highlightAll()
  }

  /** Highlights the words being looped, linked to or reviewed as doubtful; null for none. */
  highlightSpan(span: WordSpan | null): void {
    this.#span = span
    this.#highlightAll()
  }

  /** Highlights the spoken word, -1 for none; `follow` scrolls to keep it in view. */
  setSpoken(word: number, follow: boolean): void {
    this.#spoken = word
    const { table, blocks } = this.#shown
    if (word < 0 || word >= table.count) {
      this.#highlights.set('spoken', null)
      return
    }
    const block = blocks.blockOf(word)
    const node = this.#findTextNode(block)
    if (node === null) this.#highlights.set('spoken', null)
    else {
      const range = wordRange(table, node, blocks.first(block), word, word + 1)
      // Measured before the highlight moves: afterwards it would force a style recalculation.
      const stays = follow && this.#isInFollowZone(range)
      this.#highlights.set('spoken', range)
      if (stays) return
    }
    if (follow && !isHidden(this.#shown, block)) this.scrollToWord(word, followZone.at)
  }

  /** The DOM range of words of one block; null if the block is not in the DOM. */
  rangeOf({ from, to }: WordSpan): Range | null {
    const { table, blocks } = this.#shown
    const block = blocks.blockOf(from)
    const node = this.#findTextNode(block)
    return node && wordRange(table, node, blocks.first(block), from, to)
  }

  #findTextNode(block: number): Text | null {
    const element = this.#window.elements.get(block)
    return element === undefined ? null : findTextNode(element)
  }

  #isInFollowZone(range: Range): boolean {
    const { top, height } = this.#scroller.getBoundingClientRect()
    const at = (range.getBoundingClientRect().top - top) / height
    return at >= followZone.from && at <= followZone.to
  }

  /** Scrolls a word's line to this share of the window's height. */
  scrollToWord(word: number, share = followZone.at): void {
    const { table, blocks } = this.#shown
    if (table.count === 0) return
    const block = blocks.blockOf(Math.max(0, Math.min(word, table.count - 1)))
    if (isHidden(this.#shown, block)) this.#showAll()
    const below = this.#scroller.clientHeight * share
    this.#window.scrollToBlock(block, below)
    const node = this.#findTextNode(block)
    if (node === null) return
    const rect = wordRange(table, node, blocks.first(block), word, word + 1).getBoundingClientRect()
    const off = rect.top - this.#scroller.getBoundingClientRect().top - below
    // In a tall block the word's line may be far below the block's top.
    if (off > 1) this.#window.scrollToBlock(block, below - off)
  }

  markAll(): void {
    for (const [block, element] of this.#window.elements) this.#mark(block, element)
  }

  /** The first word of the block at the top edge: the reading position. */
  topWord(): number {
    return this.#shown.blocks.first(this.#window.anchor().block)
  }

  /** The first word of the focused block if it is in sight, else of the one at the top edge. */
  wordAtHand(): number {
    const focused = blockOfNode(document.activeElement)
    if (focused === null) return this.topWord()
    const [seen, own] = [this.#scroller.getBoundingClientRect(), focused.element.getBoundingClientRect()]
    const isSeen = own.bottom > seen.top && own.top < seen.bottom
    return isSeen ? this.#shown.blocks.first(focused.block) : this.topWord()
  }

  /** Focuses a block and scrolls it into view; null for the first block that is fully in view. */
  focusBlock(block: number | null): void {
    const { block: top, above } = this.#window.anchor()
    const last = this.#shown.blocks.count - 1
    let wanted = block ?? Math.min(top + (above > 4 ? 1 : 0), last)
    while (block === null && wanted < last && isHidden(this.#shown, wanted)) wanted++
    if (isHidden(this.#shown, wanted)) this.#showAll()
    let element = this.elementOf(wanted)
    if (element === null) {
      this.#window.scrollToBlock(wanted, this.#scroller.clientHeight / 3)
      element = this.elementOf(wanted)
    }
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  }

  /** Keeps the ends of the selection and the focused block in the DOM, however far the reader scrolls. */
  readonly #pinSelectionAndFocus = () => {
    const focused = blockOfNode(document.activeElement)
    this.#window.pin(focused === null ? blocksAtSelectionEnds() : [...blocksAtSelectionEnds(), focused.block])
  }
}
