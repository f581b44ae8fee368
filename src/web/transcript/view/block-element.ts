import type { ShownText } from './shown-text.ts'

/** `75.4` gives `01:15`, `3675` gives `1:01:15`: the time beside a turn. */
export function turnTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = two(Math.floor(whole / 60) % 60)
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${minutes}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** `PT75S`: the form `<time datetime>` wants. */
const machineTime = (seconds: number) => `PT${Math.floor(seconds)}S`

/** How many colours speakers share; the styles name them `data-voice` 0 to 7. */
export const voices = 8

/**
 * The element of one block: a turn's heading (speaker and time) and its text as one text node, so that marks, clicks and
 * selections are plain offsets. Text is never read as markup.
 */
export function blockElement(shown: ShownText, block: number): HTMLElement {
  const { table, blocks, names } = shown
  const first = blocks.first(block)
  const speaker = table.speakerOf(first)
  const start = table.startOf(first)
  const startsTurn = blocks.startsTurn(block)

  const article = document.createElement('article')
  article.className = startsTurn ? 'reader-block' : 'reader-block block-more'
  article.dataset.block = String(block)
  article.tabIndex = -1
  article.ariaPosInSet = String(block + 1)
  article.ariaSetSize = String(blocks.count)
  if (shown.fresh !== null && first >= shown.fresh.from && first < shown.fresh.to) article.classList.add('block-new')
  const turnConf = table.turnConfOf(blocks.end(block) - 1)
  if (startsTurn && shown.doubtBelow !== null && turnConf < shown.doubtBelow) article.classList.add('block-doubt')

  const head = document.createElement('div')
  head.className = 'block-head'
  const name = names[speaker]
  const heading = document.createElement('h2')
  if (startsTurn && name !== undefined) {
    heading.className = 'block-speaker'
    heading.dataset.voice = String(speaker % voices)
    heading.textContent = name
    heading.dir = 'auto'
  } else {
    heading.className = 'sr-only'
    heading.textContent = startsTurn ? `Turn at ${turnTime(start)}` : `${name ?? 'The turn'} goes on`
  }
  const time = document.createElement('time')
  time.dateTime = machineTime(start)
  time.textContent = turnTime(start)
  head.append(heading, time)

  const text = document.createElement('p')
  text.className = 'block-text'
  text.dir = 'auto'
  text.textContent = table.slice(first, blocks.end(block))
  article.append(head, text)
  return article
}

/** The text node of a block's element. */
export function textNodeOf(element: HTMLElement): Text | null {
  const node = element.querySelector('.block-text')?.firstChild
  return node instanceof Text ? node : null
}
