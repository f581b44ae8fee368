import { tryButton } from './try-it.ts'

const languageKey = 'parley.docs-language'

function button(words: string, press: (button: HTMLButtonElement) => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = words
  made.addEventListener('click', () => press(made))
  return made
}

const radios = () => [...document.querySelectorAll<HTMLInputElement>('input[name="lang"]')]

/** Marks the buttons of the language that is shown. */
function markLanguage(): void {
  const chosen = radios().find(({ checked }) => checked)?.value
  for (const one of document.querySelectorAll<HTMLElement>('.tools [data-to]')) {
    one.setAttribute('aria-pressed', String(one.dataset.to === chosen))
  }
}

function choose(lang: string): void {
  const radio = radios().find(({ value }) => value === lang)
  if (radio === undefined) return
  radio.checked = true
  localStorage.setItem(languageKey, lang)
  markLanguage()
}

function copyButton(code: HTMLElement): HTMLButtonElement {
  const copy = button('Copy', async (pressed) => {
    await navigator.clipboard.writeText(code.textContent ?? '')
    pressed.textContent = 'Copied'
    setTimeout(() => {
      pressed.textContent = 'Copy'
    }, 1_500)
  })
  copy.className = 'copy'
  return copy
}

/** The head of one block: languages to change to, Copy, and Try it where the request can be tried. */
function addTools(block: HTMLElement, languages: readonly HTMLElement[], example: HTMLElement): void {
  const code = block.querySelector<HTMLElement>('code')
  const head = block.querySelector('.lang')
  if (code === null || head === null) return
  const tools = document.createElement('div')
  tools.className = 'tools'
  const names = languages.map((other) => {
    const to = other.dataset.lang ?? ''
    const name = button(other.querySelector('.lang, .tools')?.getAttribute('data-name') ?? to, () => choose(to))
    name.dataset.to = to
    return name
  })
  if (names.length === 0) tools.append(Object.assign(document.createElement('span'), { textContent: head.textContent }))
  tools.append(...names, copyButton(code))
  const isFirst = block === example.querySelector('.block')
  if (example.dataset.try !== undefined && isFirst) tools.append(tryButton(example))
  tools.dataset.name = head.textContent ?? ''
  head.replaceWith(tools)
}

/** Gives examples their buttons, and shows the language that was chosen before. */
export function startExamples(): void {
  for (const head of document.querySelectorAll<HTMLElement>('.example .lang'))
    head.dataset.name = head.textContent ?? ''
  for (const example of document.querySelectorAll<HTMLElement>('.example')) {
    const languages = [...example.querySelectorAll<HTMLElement>('[data-lang]')]
    for (const block of example.querySelectorAll<HTMLElement>('.block')) addTools(block, languages, example)
  }
  for (const radio of radios()) radio.addEventListener('change', () => choose(radio.value))
  const chosen = localStorage.getItem(languageKey)
  if (chosen !== null) choose(chosen)
  markLanguage()
}
