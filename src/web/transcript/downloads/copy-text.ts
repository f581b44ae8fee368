import { showToast } from '../../base/ui/toast.tsx'
import { hashOfWords } from '../../signed-in/transcript-place.ts'
import type { Desk } from '../desk/desk.ts'
import { originalRange } from '../edit/current-range.ts'
import type { WordSpan } from '../model/word.ts'
import { turnTime } from '../view/block-element.ts'
import { selectedSpan, textOfSpan } from '../view/selection.ts'
import type { ShownText } from '../view/shown-text.ts'

/** `“…” (Ada Obi, 00:31) https://…#w=100-130`: formats a span of words as a quote. */
function formatQuote(shown: ShownText, span: WordSpan, page: URL): string {
  const { table, names, blocks, beginsAtSeconds } = shown
  const last = blocks.turnOf(blocks.blockOf(span.to - 1))
  const oneVoice = last.from <= span.from
  const name = oneVoice ? names[table.speakerOf(span.from)] : undefined
  const time = turnTime(table.startOf(span.from), beginsAtSeconds)
  const source = name === undefined ? time : `${name}, ${time}`
  return `“${textOfSpan(shown, span)}” (${source})\n${linkTo(shown, span, page)}`
}

/** A link to words by the service's numbers: of typed words, of those that they replaced or else of the next one. */
function linkTo({ table }: ShownText, span: WordSpan, page: URL): string {
  const link = new URL(page)
  const { from, to } = originalRange(table, span)
  link.hash = hashOfWords(from, Math.max(from + 1, to))
  return link.href
}

/** Copies the selection as a quote with its speaker, time and link; if nothing is selected, the whole text. */
export async function copyText(desk: Desk): Promise<void> {
  const shown = desk.view?.shown
  if (shown === undefined || shown.table.count === 0) return
  const selected = selectedSpan(shown)
  const text =
    selected === null
      ? textOfSpan(shown, { from: 0, to: shown.table.count })
      : formatQuote(shown, selected, new URL(location.href))
  try {
    await navigator.clipboard.writeText(text)
    showToast({ title: selected === null ? 'Transcript copied' : 'Quote copied, with a link to it' })
  } catch {
    showToast({
      title: 'Could not copy: the browser does not allow it',
      detail: 'Select the text and copy it with the keyboard.',
      tone: 'bad',
    })
  }
}
