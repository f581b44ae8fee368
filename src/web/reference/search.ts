/** As `src/reference/write-reference.ts` writes it: address, page, heading, text. */
type Entry = readonly [address: string, page: string, heading: string, text: string]

const mostFound = 12
let entries: Promise<readonly Entry[]> | null = null

/** Loads the index when somebody is about to search. */
function load(): Promise<readonly Entry[]> {
  entries ??= fetch('/docs/search.json').then((answer) => answer.json())
  entries.catch(() => {
    entries = null
  })
  return entries
}

/** How well an entry matches all words: 0 not at all; headings count more than text. */
function score([, page, heading, text]: Entry, words: readonly string[]): number {
  const [inPage, inHeading, inText] = [page, heading, text].map((one) => one.toLowerCase())
  let total = 0
  for (const word of words) {
    const points =
      (inHeading?.includes(word) ? 8 : 0) + (inPage?.includes(word) ? 4 : 0) + (inText?.includes(word) ? 1 : 0)
    if (points === 0) return 0
    total += points
  }
  return heading === '' ? total + 1 : total
}

/** The words around the first match. */
function excerpt(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word))
  const from = at < 40 ? 0 : text.indexOf(' ', at - 40) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 110)}`
}

function link([address, page, heading, text]: Entry, word: string): HTMLAnchorElement {
  const made = document.createElement('a')
  made.href = address
  made.textContent = heading === '' ? page : `${page}: ${heading}`
  const small = document.createElement('small')
  small.textContent = excerpt(text, word)
  made.append(small)
  return made
}

async function find(typed: string): Promise<Node[]> {
  // Without its ending, “resume” finds “resumable”, and “prices” the price.
  const words = typed
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./]+/u)
    .filter(Boolean)
    .map((word) => word.replace(/(?<=\w{4})(ing|able|ed|es|s|e)$/, ''))
  const [first] = words
  if (first === undefined) return []
  const scored = (await load()).map((entry) => ({ entry, points: score(entry, words) }))
  const found = scored.filter(({ points }) => points > 0).sort((one, two) => two.points - one.points)
  if (found.length > 0) return found.slice(0, mostFound).map(({ entry }) => link(entry, first))
  return [Object.assign(document.createElement('p'), { textContent: `Nothing is found for “${typed.trim()}”.` })]
}

/** Moves the focus among the field and what it has found. */
function move(event: KeyboardEvent, field: HTMLElement, list: HTMLElement): void {
  const stops = [field, ...list.querySelectorAll<HTMLElement>('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  if (step === undefined || at < 0) return
  event.preventDefault()
  stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus()
}

/** Search over all pages; `/` leads to it. */
export function startSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search-field')
  const list = document.querySelector<HTMLElement>('.found')
  const form = field?.form
  if (field === null || list === null || !form) return
  const close = () => {
    list.hidden = true
  }
  field.addEventListener('focus', () => void load().catch(() => undefined))
  field.addEventListener('input', async () => {
    const typed = field.value
    const found = await find(typed).catch(() => [document.createTextNode('The search cannot be loaded.')])
    if (typed !== field.value) return
    list.replaceChildren(...found)
    list.hidden = found.length === 0
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    else move(event, field, list)
  })
  list.addEventListener('click', close)
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}
