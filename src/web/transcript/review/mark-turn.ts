import { isCovered, type WordRange } from '../../../text/word-ranges.ts'
import type { TextState } from '../model/transcript-text.ts'
import { rangeOfTurn } from './turns.ts'

/**
 * Decorates the element of a block: a tick next to the time of a checked turn, a bar beside the turn being checked.
 * @param current the service's number of a word of that turn; null if there is none
 */
export function markTurn(
  { table, blocks }: Pick<TextState, 'table' | 'blocks'>,
  block: number,
  element: HTMLElement,
  checked: readonly WordRange[],
  current: number | null,
): void {
  if (block >= blocks.count) return
  const { from, end } = blocks.turnOf(block)
  const range = rangeOfTurn(table, from, end)
  const isStart = blocks.startsTurn(block)
  element.classList.toggle('block-current', isStart && current !== null && range[0] <= current && current < range[1])
  const tick = element.querySelector('.block-tick')
  const isChecked = isStart && isCovered(checked, range)
  if (!isChecked) tick?.remove()
  // Before the time, so that the time does not move.
  else if (tick === null) element.querySelector('.block-head time')?.before(tickElement())
}

function tickElement(): HTMLElement {
  const tick = document.createElement('span')
  tick.className = 'block-tick'
  tick.role = 'img'
  tick.ariaLabel = 'Checked'
  tick.title = 'Checked'
  return tick
}
