import type { Captions } from './captions.ts'

/** Goes to the caption that is clicked, and edits the text or time that is double-clicked in its place, as F2 does. */
export const captionClicks = (captions: Captions) => ({
  onClick: (event: React.MouseEvent) => {
    const index = indexAt(event)
    if (index !== null) captions.goTo(index)
  },
  onDoubleClick: (event: React.MouseEvent) => editClicked(captions, event),
})

function editClicked(captions: Captions, event: React.MouseEvent): void {
  const index = indexAt(event) ?? -1
  const cue = captions.state.get().cues[index]
  const column = (event.target as Element).closest<HTMLElement>('[data-column]')
  if (cue === undefined || column === null) return
  const text = cue.lines.join('\n')
  if (column.dataset.column === 'times') captions.edit(index, isFirstLine(event, column) ? 'start' : 'end')
  else captions.edit(index, 'text', column.dataset.column === 'text' ? caretAt(event, text, cue.mark) : text.length)
}

function indexAt({ target }: React.MouseEvent): number | null {
  const row = (target as Element).closest('[aria-posinset]')
  return row && Number(row.ariaPosInSet) - 1
}

const isFirstLine = ({ clientY }: React.MouseEvent, element: Element) =>
  clientY < element.getBoundingClientRect().top + Number.parseFloat(getComputedStyle(element).lineHeight)

/** The offset in a caption's text that was clicked, in UTF-16 units. */
function caretAt({ clientX, clientY }: React.MouseEvent, text: string, mark: string): number {
  const shown = document.caretPositionFromPoint?.(clientX, clientY)?.offset ?? Number.POSITIVE_INFINITY
  return Math.max(0, Math.min(shown - mark.length, text.length))
}
