/** What words can be marked as; each is painted by `::highlight(name)`. Later ones paint over earlier ones. */
const markNames = ['new', 'doubt', 'find', 'loop', 'find-current', 'spoken'] as const
export type MarkName = (typeof markNames)[number]

/** Paints stretches of text without touching the page's elements. */
export interface Marks {
  /** The one stretch marked so, or none. */
  set(name: MarkName, range: Range | null): void
  /** Marks stretches of one block beside those of others. */
  add(name: MarkName, ranges: readonly Range[]): void
  remove(name: MarkName, ranges: readonly Range[]): void
  /** Told when the page was laid out anew; only the fallback has something to do then. */
  relayout(): void
  close(): void
}

/** Marks painted by the browser's CSS Custom Highlight API, else by boxes laid under the text. */
export function createMarks(sheet: HTMLElement): Marks {
  return 'highlights' in CSS && typeof Highlight === 'function' ? new HighlightMarks() : new BoxMarks(sheet)
}

class HighlightMarks implements Marks {
  readonly #highlights = new Map<MarkName, Highlight>()

  constructor() {
    markNames.forEach((name, priority) => {
      const highlight = new Highlight()
      highlight.priority = priority
      this.#highlights.set(name, highlight)
      CSS.highlights.set(name, highlight)
    })
  }

  set(name: MarkName, range: Range | null): void {
    const highlight = this.#highlights.get(name)
    highlight?.clear()
    if (range !== null) highlight?.add(range)
  }

  add(name: MarkName, ranges: readonly Range[]): void {
    const highlight = this.#highlights.get(name)
    for (const range of ranges) highlight?.add(range)
  }

  remove(name: MarkName, ranges: readonly Range[]): void {
    const highlight = this.#highlights.get(name)
    for (const range of ranges) highlight?.delete(range)
  }

  relayout(): void {}

  close(): void {
    for (const [name, highlight] of this.#highlights) {
      if (CSS.highlights.get(name) === highlight) CSS.highlights.delete(name)
    }
  }
}

/** For browsers without the API: one box a line, `.mark-box`, below the text. */
class BoxMarks implements Marks {
  readonly #sheet: HTMLElement
  readonly #ranges = new Map<MarkName, Set<Range>>(markNames.map((name) => [name, new Set()]))
  readonly #layer = document.createElement('div')

  constructor(sheet: HTMLElement) {
    this.#sheet = sheet
    this.#layer.className = 'mark-layer'
    this.#layer.ariaHidden = 'true'
    sheet.parentElement?.append(this.#layer)
  }

  set(name: MarkName, range: Range | null): void {
    const ranges = this.#ranges.get(name)
    ranges?.clear()
    if (range !== null) ranges?.add(range)
    this.relayout()
  }

  add(name: MarkName, ranges: readonly Range[]): void {
    for (const range of ranges) this.#ranges.get(name)?.add(range)
  }

  remove(name: MarkName, ranges: readonly Range[]): void {
    for (const range of ranges) this.#ranges.get(name)?.delete(range)
  }

  relayout(): void {
    const origin = this.#sheet.getBoundingClientRect()
    const boxes: HTMLElement[] = []
    for (const [name, ranges] of this.#ranges) {
      for (const range of ranges) {
        for (const rect of range.getClientRects()) boxes.push(boxOf(name, rect, origin))
      }
    }
    this.#layer.style.top = `${this.#sheet.offsetTop}px`
    this.#layer.style.left = `${this.#sheet.offsetLeft}px`
    this.#layer.replaceChildren(...boxes)
  }

  close(): void {
    this.#layer.remove()
  }
}

function boxOf(name: MarkName, rect: DOMRect, origin: DOMRect): HTMLElement {
  const box = document.createElement('div')
  box.className = `mark-box mark-${name}`
  box.style.left = `${rect.left - origin.left}px`
  box.style.top = `${rect.top - origin.top}px`
  box.style.width = `${rect.width}px`
  box.style.height = `${rect.height}px`
  return box
}
