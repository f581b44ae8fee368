/** Kinds of highlights; each is painted by `::highlight(name)`, later ones over earlier ones. */
const highlightNames = ['doubt', 'find', 'span', 'find-current', 'spoken'] as const
export type HighlightName = (typeof highlightNames)[number]

/** Highlights ranges of text without changing the DOM. */
export interface Highlights {
  /** Highlights only this range, or none. */
  set(name: HighlightName, range: Range | null): void
  add(name: HighlightName, ranges: readonly Range[]): void
  remove(name: HighlightName, ranges: readonly Range[]): void
  /** Call after each layout change. */
  relayout(): void
  close(): void
}

/** Uses the CSS Custom Highlight API, else boxes behind the text. */
export function createHighlights(sheet: HTMLElement): Highlights {
  const boxes = new BoxHighlights(sheet)
  return 'highlights' in CSS && typeof Highlight === 'function' ? new CssHighlights(boxes) : boxes
}

/** The spoken word also has a box, as only boxes can have padding and round corners. */
class CssHighlights implements Highlights {
  readonly #highlights = new Map<HighlightName, Highlight>()
  readonly #boxes: BoxHighlights

  constructor(boxes: BoxHighlights) {
    this.#boxes = boxes
    highlightNames.forEach((name, priority) => {
      const highlight = new Highlight()
      highlight.priority = priority
      this.#highlights.set(name, highlight)
      CSS.highlights.set(name, highlight)
    })
  }

  set(name: HighlightName, range: Range | null): void {
    const highlight = this.#highlights.get(name)
    highlight?.clear()
    if (range !== null) highlight?.add(range)
    if (name === 'spoken') this.#boxes.set(name, range)
  }

  add(name: HighlightName, ranges: readonly Range[]): void {
    const highlight = this.#highlights.get(name)
    for (const range of ranges) highlight?.add(range)
  }

  remove(name: HighlightName, ranges: readonly Range[]): void {
    const highlight = this.#highlights.get(name)
    for (const range of ranges) highlight?.delete(range)
  }

  relayout(): void {
    this.#boxes.relayout()
  }

  close(): void {
    this.#boxes.close()
    for (const [name, highlight] of this.#highlights) {
      if (CSS.highlights.get(name) === highlight) CSS.highlights.delete(name)
    }
  }
}

/** One `.highlight-box` per line of a range, behind the text. */
class BoxHighlights implements Highlights {
  readonly #sheet: HTMLElement
  readonly #ranges = new Map<HighlightName, Set<Range>>(highlightNames.map((name) => [name, new Set()]))
  readonly #layer = document.createElement('div')

  constructor(sheet: HTMLElement) {
    this.#sheet = sheet
    this.#layer.className = 'highlight-layer'
    this.#layer.ariaHidden = 'true'
    sheet.parentElement?.append(this.#layer)
  }

  set(name: HighlightName, range: Range | null): void {
    const ranges = this.#ranges.get(name)
    ranges?.clear()
    if (range !== null) ranges?.add(range)
    this.relayout()
  }

  add(name: HighlightName, ranges: readonly Range[]): void {
    for (const range of ranges) this.#ranges.get(name)?.add(range)
  }

  remove(name: HighlightName, ranges: readonly Range[]): void {
    for (const range of ranges) this.#ranges.get(name)?.delete(range)
  }

  relayout(): void {
    const origin = this.#sheet.getBoundingClientRect()
    const boxes: HTMLElement[] = []
    for (const [name, ranges] of this.#ranges) {
      for (const range of ranges) {
        for (const rect of range.getClientRects()) boxes.push(makeBox(name, rect, origin))
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

function makeBox(name: HighlightName, rect: DOMRect, origin: DOMRect): HTMLElement {
  const box = document.createElement('div')
  box.className = `highlight-box highlight-${name}`
  box.style.left = `${rect.left - origin.left}px`
  box.style.top = `${rect.top - origin.top}px`
  box.style.width = `${rect.width}px`
  box.style.height = `${rect.height}px`
  return box
}
