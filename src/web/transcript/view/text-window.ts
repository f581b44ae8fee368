import { Heights } from '../model/heights.ts'

/** The content of a virtualized list: blocks of different heights, unknown until measured. */
export type WindowContent = {
  count: number
  /** estimated height of a block in pixels, before its first layout; 0: it is not shown, and gets no element */
  estimate: (block: number) => number
  /** creates the block's element; the window positions and removes it */
  create: (block: number) => HTMLElement
  /** called just before a block's element is removed from the DOM */
  removed: (block: number, element: HTMLElement) => void
}

const overscanPixels = 600
/** Measuring can bring further blocks into view, which are then measured, too: maximum passes per frame. */
const maxPasses = 4

/**
 * A virtualized list: only the blocks in view (and pinned ones) have elements, positioned within a tall sheet. The
 * visible text never moves when heights above change: the block at the top edge is the scroll anchor.
 */
export class TextWindow {
  readonly #scroller: HTMLElement
  readonly #sheet: HTMLElement
  readonly #elements = new Map<number, HTMLElement>()
  readonly #resize: ResizeObserver
  readonly #onRender: () => void
  #content: WindowContent
  #heights = new Heights(new Float64Array(0))
  #measured = new Uint8Array(0)
  #pinned: readonly number[] = []
  #frame = 0
  #width = 0

  /**
   * @param scroller the scrolling element
   * @param sheet the tall element within it that holds the blocks
   * @param onRender called after each rendering
   */
  constructor(scroller: HTMLElement, sheet: HTMLElement, content: WindowContent, onRender: () => void) {
    this.#scroller = scroller
    this.#sheet = sheet
    this.#content = content
    this.#onRender = onRender
    scroller.addEventListener('scroll', this.#scheduleRender, { passive: true })
    this.#resize = new ResizeObserver(() => this.#onResize())
    this.#resize.observe(scroller)
    document.fonts.addEventListener('loadingdone', this.#remeasureAll)
    this.#width = sheet.clientWidth
    this.setContent(content, 0, 0)
  }

  close(): void {
    cancelAnimationFrame(this.#frame)
    this.#resize.disconnect()
    document.fonts.removeEventListener('loadingdone', this.#remeasureAll)
    this.#scroller.removeEventListener('scroll', this.#scheduleRender)
    this.#clear()
  }

  get elements(): ReadonlyMap<number, HTMLElement> {
    return this.#elements
  }

  /** Pixels between the scroller's top edge and the sheet's, before any scrolling. */
  get #sheetTop(): number {
    return this.#sheet.offsetTop
  }

  /** The block at the top edge, and how many pixels of it are above the edge. */
  anchor(): { block: number; above: number } {
    const top = this.#scroller.scrollTop - this.#sheetTop
    const block = this.#heights.blockAt(Math.max(0, top))
    return { block, above: top - this.#heights.topOf(block) }
  }

  /**
   * Replaces the list. The first `sameHead` and the last `sameTail` blocks are unchanged: their measured heights stay
   * valid, and the scroll position is kept if the anchor is one of them.
   */
  setContent(content: WindowContent, sameHead: number, sameTail: number): void {
    const before = this.#heights
    const wasMeasured = this.#measured
    const anchor = this.anchor()
    const heights = new Float64Array(content.count)
    const measured = new Uint8Array(content.count)
    const shift = before.count - content.count
    for (let block = 0; block < content.count; block++) {
      const old = block < sameHead ? block : block >= content.count - sameTail ? block + shift : -1
      const known = old >= 0 && wasMeasured[old] === 1
      heights[block] = known ? before.heightOf(old) : content.estimate(block)
      measured[block] = known ? 1 : 0
    }
    this.#keep(sameHead, before.count - sameTail, shift)
    this.#content = content
    this.#heights = new Heights(heights)
    this.#measured = measured
    this.#pinned = []
    const inTail = sameTail > 0 && anchor.block >= Math.max(sameHead, before.count - sameTail)
    this.render({ block: Math.max(0, inTail ? anchor.block - shift : anchor.block), above: anchor.above })
  }

  /** Recreates and remeasures all elements after a change of how blocks look: a longer name may take more lines. */
  refresh(): void {
    const anchor = this.anchor()
    this.#measured.fill(0)
    this.#clear()
    this.render(anchor)
  }

  /** Sets the blocks whose elements stay in the DOM even out of view, such as the ends of a selection. */
  pin(blocks: readonly number[]): void {
    this.#pinned = blocks
  }

  /** Scrolls a block to `below` pixels below the top edge. */
  scrollToBlock(block: number, below: number): void {
    this.render({ block, above: -below })
  }

  readonly #scheduleRender = () => {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.render()
    })
  }

  #onResize(): void {
    if (this.#sheet.clientWidth === this.#width) {
      this.#scheduleRender()
      return
    }
    this.#width = this.#sheet.clientWidth
    this.#remeasureAll()
  }

  /** Invalidates all heights after a change of width or font; keeps the scroll anchor. */
  readonly #remeasureAll = () => {
    const anchor = this.anchor()
    const heights = Float64Array.from({ length: this.#content.count }, (_, block) => this.#content.estimate(block))
    this.#heights = new Heights(heights)
    this.#measured.fill(0)
    this.render(anchor)
  }

  #clear(): void {
    for (const [block, element] of this.#elements) this.#remove(block, element)
  }

  /**
   * Keeps the elements of the first blocks and of those from `tail` on, renumbering the latter: a press that ends
   * editing in one block must still become a click in another.
   */
  #keep(head: number, tail: number, shift: number): void {
    const kept: [number, HTMLElement][] = []
    for (const [block, element] of this.#elements) {
      if (block < head) kept.push([block, element])
      else if (block >= tail) kept.push([block - shift, element])
      else this.#remove(block, element)
    }
    this.#elements.clear()
    for (const [block, element] of kept) this.#elements.set(block, element)
  }

  #remove(block: number, element: HTMLElement): void {
    this.#content.removed(block, element)
    element.remove()
    this.#elements.delete(block)
  }

  /** Renders the blocks in view at the current scroll position, or scrolls to a wanted one. */
  render(wanted?: { block: number; above: number }): void {
    const anchor = wanted ?? this.anchor()
    if (this.#content.count === 0) {
      this.#sheet.style.height = ''
      this.#onRender()
      return
    }
    for (let pass = 0; pass < maxPasses; pass++) {
      const height = this.#scroller.clientHeight
      const top = Math.min(this.#heights.topOf(anchor.block) + anchor.above, this.#heights.total - height)
      if (!this.#fill(top, top + height)) break
    }
    this.#sheet.style.height = `${this.#heights.total}px`
    this.#position()
    const scrollTop = this.#heights.topOf(anchor.block) + anchor.above + this.#sheetTop
    if (Math.abs(scrollTop - this.#scroller.scrollTop) > 0.5) this.#scroller.scrollTop = scrollTop
    this.#onRender()
  }

  /** Creates and measures the blocks between two heights. @returns true if a height differed from its estimate */
  #fill(top: number, bottom: number): boolean {
    const first = this.#heights.blockAt(Math.max(0, top - overscanPixels))
    const last = this.#heights.blockAt(Math.max(0, bottom + overscanPixels))
    const pinned = this.#pinned.filter((block) => block < this.#content.count)
    for (const [block, element] of this.#elements) {
      if ((block < first || block > last) && !pinned.includes(block)) this.#remove(block, element)
    }
    for (let block = first; block <= last; block++) this.#create(block)
    for (const block of pinned) this.#create(block)
    let changed = false
    for (const [block, element] of this.#elements) {
      if (this.#measured[block] === 1) continue
      const height = element.getBoundingClientRect().height
      this.#measured[block] = 1
      if (height === this.#heights.heightOf(block)) continue
      this.#heights.set(block, height)
      changed = true
    }
    return changed
  }

  /** Inserts elements in the order of the text, for selection, tabbing and screen readers. */
  #create(block: number): void {
    if (this.#elements.has(block) || this.#heights.heightOf(block) === 0) return
    const element = this.#content.create(block)
    let next: HTMLElement | null = null
    let nextBlock = Number.POSITIVE_INFINITY
    for (const [other, otherElement] of this.#elements) {
      if (other > block && other < nextBlock) {
        nextBlock = other
        next = otherElement
      }
    }
    this.#sheet.insertBefore(element, next)
    this.#elements.set(block, element)
  }

  #position(): void {
    for (const [block, element] of this.#elements) {
      const top = `${this.#heights.topOf(block)}px`
      if (element.style.top !== top) element.style.top = top
    }
  }

  /** Measures a block again, e.g. while it is edited, and moves those below. */
  remeasure(block: number): void {
    this.#measured[block] = 0
    this.render()
  }
}
