import { timeOfDay } from '../../../text/clock-time.ts'
import type { ShownText } from './shown-text.ts'

/**
 * `75.4` becomes `01:15`, `3675` becomes `1:01:15`: the time next to a turn. Of a recording that began at a time of
 * day, the clock's.
 */
export function turnTime(seconds: number, beginsAtSeconds?: number): string {
  if (beginsAtSeconds !== undefined) return timeOfDay(beginsAtSeconds + seconds)
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = two(Math.floor(whole / 60) % 60)
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${minutes}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** Number of speaker colors, reused cyclically; the styles name them `data-voice` 0 to 7. */
export const voices = 8

/**
 * Creates the element of one block: a turn's heading (speaker and time) and its text as one text node, so that
 * highlights, clicks and selections are plain offsets. Text is never parsed as markup.
 */
export function blockElement(shown: ShownText, block: number): HTMLElement {
  const { table, blocks, fresh, doubtBelow } = shown
  const first = blocks.first(block)
  const end = blocks.end(block)
  const article = document.createElement('article')
  article.className = blocks.startsTurn(block) ? 'reader-block' : 'reader-block block-more'
  article.tabIndex = -1
  numberBlock(article, block, blocks.count)
  if (fresh !== null && first >= fresh.from && first < fresh.to) article.classList.add('block-new')
  const isTurnInDoubt = doubtBelow !== null && table.turnConfOf(end - 1) < doubtBelow
  if (blocks.startsTurn(block) && isTurnInDoubt) article.classList.add('block-doubt')

  const head = document.createElement('div')
  head.className = 'block-head'
  const [heading, time] = [headingElement(shown, block), timeElement(table.startOf(first), shown.beginsAtSeconds)]
  head.append(heading, time)
  const text = document.createElement('p')
  text.className = 'block-text'
  text.dir = 'auto'
  text.textContent = table.slice(first, end)
  article.append(head, text)
  // A screen reader says who, when and what as the focus comes to it; otherwise only that it is an article.
  article.ariaLabelledByElements = [heading, time, text]
  return article
}

/** Sets an element's position in the feed and the number of blocks. */
export function numberBlock(element: HTMLElement, block: number, count: number): void {
  element.dataset.block = String(block)
  element.ariaPosInSet = String(block + 1)
  element.ariaSetSize = String(count)
}

/** The speaker's name; if none is shown, a heading for screen readers only. */
function headingElement(
  { table, blocks, names, beginsAtSeconds, hasSpeakerMenu }: ShownText,
  block: number,
): HTMLElement {
  const first = blocks.first(block)
  const speaker = table.speakerOf(first)
  const name = names[speaker]
  const heading = document.createElement('h2')
  if (blocks.startsTurn(block) && name !== undefined) {
    heading.className = 'block-speaker'
    heading.dataset.voice = String(speaker % voices)
    heading.append(hasSpeakerMenu ? nameButton(name) : name)
    heading.title = name
    heading.dir = 'auto'
  } else {
    const isTurn = blocks.startsTurn(block)
    heading.className = 'sr-only'
    heading.textContent = isTurn
      ? `Turn at ${turnTime(table.startOf(first), beginsAtSeconds)}`
      : `${name ?? 'Turn'} continues`
  }
  return heading
}

/** Not a button element, whose text cannot be cut to two lines. In the tab order only while its turn has the focus. */
function nameButton(name: string): HTMLElement {
  const button = document.createElement('span')
  button.className = 'block-name'
  button.role = 'button'
  button.ariaHasPopup = 'menu'
  button.tabIndex = -1
  button.textContent = name
  return button
}

function timeElement(seconds: number, beginsAtSeconds?: number): HTMLElement {
  const time = document.createElement('time')
  time.dateTime = `PT${Math.floor(seconds)}S`
  time.textContent = turnTime(seconds, beginsAtSeconds)
  return time
}

/** The text node of a block's element. */
export function findTextNode(element: HTMLElement): Text | null {
  const node = element.querySelector('.block-text')?.firstChild
  return node instanceof Text ? node : null
}
