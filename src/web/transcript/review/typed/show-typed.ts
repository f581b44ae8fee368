import './typed.css'
import type { Desk } from '../../desk/desk.ts'
import { typedDesks } from '../../desk/show-so-far.ts'
import { markWords } from '../../view/vocabulary-marks.ts'
import { blanksIn, findSection, type TypedText } from './typed-text.ts'

/**
 * Shows the text of an order being typed by people, with missing and new parts marked, in place of its lines: its words
 * have times, so that they are highlighted during playback. Returns a function that removes the marks.
 */
export function showTyped(desk: Desk, typed: TypedText): () => void {
  typedDesks.add(desk)
  const { text } = desk
  text.replace(typed.table, typed.names, true)
  // Incomplete: features for a complete text wait.
  text.state.set({ ...text.state.get(), estimated: false, phase: 'reading' })
  const { view } = desk
  if (view === null) return () => undefined
  const marks = [markWords(view, blanksIn(typed), 'blanks'), markSections(desk, typed)]
  return () => {
    for (const unmark of marks) unmark()
  }
}

/** Marks the paragraphs of sections that are missing, or new since the last look. Returns a function that stops. */
function markSections(desk: Desk, typed: TypedText): () => void {
  const sheet = desk.view?.elementOf(0)?.parentElement ?? document.querySelector('[data-block]')?.parentElement
  if (!sheet) return () => undefined
  const mark = () => {
    const { table, blocks } = desk.text.state.get()
    // Another text is shown by now, e.g. the complete one.
    if (table !== typed.table) return
    for (const element of sheet.querySelectorAll<HTMLElement>('[data-block]')) {
      const section = findSection(typed, blocks.first(Number(element.dataset.block)))
      element.classList.toggle('block-missing', section?.isMissing === true)
      element.classList.toggle('block-new', section?.isNew === true)
      const label = element.querySelector('.block-news')
      if (section?.isNew !== true) label?.remove()
      else if (label === null) element.querySelector('.block-head time')?.before(newsElement())
    }
  }
  const observer = new MutationObserver(mark)
  observer.observe(sheet, { childList: true })
  mark()
  return () => observer.disconnect()
}

function newsElement(): HTMLElement {
  const news = document.createElement('span')
  news.className = 'block-news'
  news.textContent = 'New'
  news.title = 'New since you looked last'
  return news
}
