import { turnTime } from './block-element.ts'
import type { ShownText } from './shown-text.ts'

/**
 * Makes the browser print the whole transcript, not just the rendered blocks: adds a plain page of all turns when
 * printing begins and removes it when it ends. Returns a function that disables this.
 */
export function printWhole(shown: () => ShownText | null, heading: () => { title: string; facts: string }): () => void {
  let sheet: HTMLElement | null = null
  const before = () => {
    const text = shown()
    if (text === null || sheet !== null) return
    sheet = printSheet(text, heading())
    document.body.append(sheet)
  }
  const after = () => {
    sheet?.remove()
    sheet = null
  }
  window.addEventListener('beforeprint', before)
  window.addEventListener('afterprint', after)
  return () => {
    after()
    window.removeEventListener('beforeprint', before)
    window.removeEventListener('afterprint', after)
  }
}

function printSheet(
  { table, blocks, names, beginsAtSeconds }: ShownText,
  { title, facts }: { title: string; facts: string },
): HTMLElement {
  const sheet = document.createElement('div')
  sheet.className = 'print-sheet'
  const add = (tag: 'h1' | 'h2' | 'p', text: string, className = '') => {
    const element = document.createElement(tag)
    element.textContent = text
    element.className = className
    element.dir = 'auto'
    sheet.append(element)
  }
  add('h1', title)
  add('p', facts, 'print-facts')
  for (let block = 0; block < blocks.count; block++) {
    const first = blocks.first(block)
    if (blocks.startsTurn(block)) {
      const name = names[table.speakerOf(first)]
      const time = turnTime(table.startOf(first), beginsAtSeconds)
      add('h2', name === undefined ? time : `${name} · ${time}`)
    }
    add('p', table.slice(first, blocks.end(block)))
  }
  return sheet
}
