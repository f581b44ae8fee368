import './text-marks.css'
import type { Desk } from '../../transcript/desk/desk.ts'
import type { WordSpan } from '../../transcript/model/word.ts'

/** Highlights words of an open text wherever their blocks are rendered. The styles name it `::highlight(name)`. */
export class WordHighlight {
  readonly #name: string
  readonly #desk: Desk
  readonly #highlight = typeof Highlight === 'function' ? new Highlight() : null
  #spans: readonly WordSpan[] = []

  constructor(name: string, desk: Desk) {
    this.#name = name
    this.#desk = desk
  }

  /** Returns a function that removes it. */
  start(): () => void {
    if (this.#highlight !== null) CSS.highlights.set(this.#name, this.#highlight)
    const observer = new MutationObserver(() => this.#paint())
    const sheet = document.querySelector('.sheet')
    if (sheet !== null) observer.observe(sheet, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      CSS.highlights?.delete(this.#name)
    }
  }

  show(spans: readonly WordSpan[]): void {
    this.#spans = spans
    this.#paint()
  }

  #paint(): void {
    const { view, text } = this.#desk
    if (this.#highlight === null || view === null) return
    const { table, blocks } = text.state.get()
    this.#highlight.clear()
    for (const { from, to } of this.#spans) {
      for (let word = from; word < Math.min(to, table.count); ) {
        const end = Math.min(to, blocks.end(blocks.blockOf(word)))
        const range = view.shown.table === table ? view.rangeOf({ from: word, to: end }) : null
        if (range !== null) this.#highlight.add(range)
        word = end
      }
    }
  }
}
