import './vocabulary-marks.css'
import type { WordSpan } from '../model/word.ts'
import type { ReaderView } from './reader-view.ts'

/**
 * Highlights words in the rendered text, including blocks rendered later; browsers without highlights show none.
 * Separate from the view's own highlights, as it is loaded lazily with the vocabulary's corrections or places for
 * re-review.
 * @param name of the highlight in the styles
 * @returns a function that removes the highlights
 */
export function markWords(view: ReaderView, spans: readonly WordSpan[], name = 'vocabulary'): () => void {
  const sheet = view.elementOf(view.shown.blocks.blockOf(view.topWord()))?.parentElement
  if (!sheet || !('highlights' in CSS) || typeof Highlight !== 'function') return () => undefined
  const highlight = new Highlight()
  CSS.highlights.set(name, highlight)
  const paint = () => {
    highlight.clear()
    for (const span of spans) {
      const range = view.rangeOf(span)
      if (range !== null) highlight.add(range)
    }
  }
  const observer = new MutationObserver(paint)
  observer.observe(sheet, { childList: true, subtree: true })
  paint()
  return () => {
    observer.disconnect()
    if (CSS.highlights.get(name) === highlight) CSS.highlights.delete(name)
  }
}
