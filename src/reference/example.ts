import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import { exampleOrigin } from '../service/api/openapi/reference-routes.ts'
import { parseCurl } from './parse-curl.ts'

hljs.registerLanguage('sh', bash)
hljs.registerLanguage('json', json)
hljs.registerLanguage('python', python)
hljs.registerLanguage('ts', typescript)

/** What stands in examples for the reader's own; the page's script replaces it, and so do tests. */
export const placeholders = {
  origin: exampleOrigin,
  key: 'parley_test_YOUR_KEY',
  file: 'f_YOUR_FILE',
} as const

/** Languages of examples that are alternatives of each other. */
export const languages = { sh: 'curl', ts: 'TypeScript', python: 'Python' } as const
export type Language = keyof typeof languages

/** One fenced block: its language, the words after it, and its text. */
export type Fence = { lang: string; flags: readonly string[]; text: string }

/** Splits the information after a fence: `sh try file=ready`. */
export function readFence(info: string, text: string): Fence {
  const [lang = '', ...flags] = info.split(' ')
  return { lang, flags, text }
}

export function isExample({ lang }: Fence): boolean {
  return lang in languages
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
}

/** Colors a text by its language, and marks what the reader replaces. */
function colored({ lang, text }: Fence): string {
  const html = hljs.getLanguage(lang) === undefined ? escapeHtml(text) : hljs.highlight(text, { language: lang }).value
  return Object.entries(placeholders).reduce(
    (now, [kind, placeholder]) => now.replaceAll(placeholder, `<span data-fill="${kind}">${placeholder}</span>`),
    html,
  )
}

/** A block that is no example: an answer, a shape. */
export function blockHtml(fence: Fence): string {
  return `<div class="block"><pre tabindex="0"><code>${colored(fence)}</code></pre></div>`
}

/** Examples of the same request in several languages, of which the page shows one. */
export function exampleHtml(fences: readonly Fence[]): string {
  const isSingle = fences.length === 1
  // The first stands for the languages in which there is none.
  const absent = Object.keys(languages).filter((lang) => fences.every((fence) => fence.lang !== lang))
  const blocks = fences.map((fence, index) => {
    const name = languages[fence.lang as Language]
    const shown = index === 0 ? [fence.lang, ...absent] : [fence.lang]
    const lang = isSingle ? '' : ` data-lang="${fence.lang}" data-shown="${shown.join(' ')}"`
    return `<div class="block"${lang}><p class="lang">${name}</p><pre tabindex="0"><code>${colored(fence)}</code></pre></div>`
  })
  const tried = fences.find(({ flags }) => flags.includes('try'))
  const sent =
    tried === undefined ? '' : ` data-try="${escapeHtml(JSON.stringify(parseCurl(tried.text, placeholders.origin)))}"`
  return `<div class="example"${sent}>${blocks.join('')}</div>`
}
