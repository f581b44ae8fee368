import { Lexer, Marked, type Token, type Tokens } from 'marked'
import { blockHtml, exampleHtml, isExample, readFence } from './example.ts'
import { withFacts } from './facts.ts'

type Heading = { level: number; text: string; id: string }
export type Page = {
  slug: string
  title: string
  /** its first paragraph, as plain text */
  summary: string
  headings: readonly Heading[]
  html: string
  markdown: string
}

/** Separates the id from a heading: `Send a form {#form}`. */
function splitHeading(heading: string): { text: string; id: string } {
  const [, text, id] = /^(.*?)\s*\{#([\w-]+)\}$/.exec(heading) ?? []
  if (text === undefined || id === undefined) throw new Error(`The heading "${heading}" has no id.`)
  return { text, id }
}

const marked = new Marked({
  renderer: {
    heading({ depth, text }) {
      if (depth === 1) return `<h1>${this.parser.parseInline(Lexer.lexInline(text))}</h1>\n`
      const { text: words, id } = splitHeading(text)
      const inner = this.parser.parseInline(Lexer.lexInline(words))
      return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
    },
    code({ text, lang }) {
      const fence = readFence(lang ?? '', text)
      return isExample(fence) ? exampleHtml([fence]) : blockHtml(fence)
    },
  },
})

/** Joins fenced examples that follow each other into one block of HTML. */
function joinExamples(tokens: Token[]): Token[] {
  const joined: Token[] = []
  let open: Tokens.Code[] = []
  const close = () => {
    const html = exampleHtml(open.map(({ lang, text }) => readFence(lang ?? '', text)))
    if (open.length > 0) joined.push({ type: 'html', raw: '', pre: false, block: true, text: html })
    open = []
  }
  for (const token of tokens) {
    const isOne = token.type === 'code' && isExample(readFence(token.lang ?? '', token.text))
    const fence = token as Tokens.Code
    if (isOne && open.every(({ lang }) => lang?.split(' ')[0] !== fence.lang?.split(' ')[0])) open.push(fence)
    else if (isOne) {
      close()
      open.push(fence)
    } else if (token.type !== 'space' || open.length === 0) {
      close()
      joined.push(token)
    }
  }
  close()
  return joined
}

/** Markup to plain text, for search and summaries. */
export function plainText(html: string): string {
  const text = html.replaceAll(/<(?:summary|td|th|p|li)[^>]*>/g, ' ').replaceAll(/<[^>]+>/g, '')
  const decoded = text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
  return decoded.replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim()
}

/** Markdown as other programs read it: without ids of headings and marks of fences. */
function forReaders(markdown: string): string {
  return markdown.replaceAll(/^(#+ .*?)\s*\{#[\w-]+\}$/gm, '$1').replaceAll(/^```(\w+) .*$/gm, '```$1')
}

/** Makes a page of its source. @throws Error if a heading has no id, or a fact is not known */
export function renderPage(slug: string, source: string): Page {
  const markdown = withFacts(source)
  const tokens = marked.lexer(markdown)
  const html = marked
    .parser(joinExamples(tokens))
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .filter(({ depth }) => depth > 1)
    .map(({ depth, text }) => ({ level: depth, ...splitHeading(text) }))
  const paragraph = /<p>(.*?)<\/p>/s.exec(html)?.[1] ?? ''
  const title = plainText(/<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? '')
  return { slug, title, summary: plainText(paragraph), headings, html, markdown: forReaders(markdown) }
}
