import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstPage } from '../service/api/openapi/reference-routes.ts'
import { contents } from './contents.ts'
import { type Assets, frameHtml, pageHtml } from './layout.ts'
import { withOtherLanguages } from './other-languages.ts'
import { type Page, plainText, renderPage } from './render-page.ts'

/** The source of a page, with its examples in all languages. */
export function readSource(slug: string): string {
  return withOtherLanguages(readFileSync(join(import.meta.dirname, 'pages', `${slug}.md`), 'utf8'))
}

/** Every page by its slug, in the order of the sidebar. */
function renderPages(): Map<string, Page> {
  const slugs = contents.flatMap((group) => group.slugs)
  return new Map(slugs.map((slug) => [slug, renderPage(slug, readSource(slug))]))
}

/** An entry of the search's index: address, title of the page, heading, text. */
type SearchEntry = readonly [address: string, page: string, heading: string, text: string]

/** One entry for each section of a page, and for each operation. */
function searchEntries({ slug, title, html }: Page): SearchEntry[] {
  const [before = '', ...parts] = html.split(/(?=<h[23] id=|<details class="operation" id=)/)
  const sections = parts.map((part): SearchEntry => {
    const id = /id="([^"]+)"/.exec(part)?.[1] ?? ''
    const heading = plainText(
      (/<(?:h[23]|summary)[^>]*>(.*?)<\/(?:h[23]|summary)>/s.exec(part)?.[1] ?? '').replace(
        / <a class="anchor".*/s,
        '',
      ),
    )
    return [`/docs/${slug}#${id}`, title, heading, plainText(part.replace(/^.*?<\/(?:h[23]|summary)>/s, ''))]
  })
  return [[`/docs/${slug}`, title, '', plainText(before.replace(/<h1>.*?<\/h1>/s, ''))], ...sections]
}

/** The pages for language models: https://llmstxt.org. */
function llmsText(pages: ReadonlyMap<string, Page>): string {
  const groups = contents.map(({ title, slugs }) => {
    const links = slugs.map((slug) => `- [${pages.get(slug)?.title}](/docs/${slug}.md): ${pages.get(slug)?.summary}`)
    return `## ${title}\n\n${links.join('\n')}`
  })
  const intro = `# Parley API\n\n> Parley transcribes recordings. ${pages.get(firstPage)?.summary} OpenAPI 3.1: /openapi.json`
  return [intro, ...groups, ''].join('\n\n')
}

/**
 * Writes /docs into a folder: each page as HTML and as Markdown, the index of the search, the sample recording of the
 * examples, and `llms.txt`.
 * @param assets addresses of script, styles and font
 */
export function writeReference(folder: string, assets: Assets): void {
  const pages = renderPages()
  rmSync(join(folder, 'pages'), { recursive: true, force: true })
  mkdirSync(join(folder, 'pages'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const page of pages.values()) {
    write(`pages/${page.slug}.html`, pageHtml(page, pages, assets))
    write(`${page.slug}.md`, page.markdown)
  }
  write('search.json', JSON.stringify([...pages.values()].flatMap(searchEntries)))
  write('llms.txt', llmsText(pages))
  write('frame.html', frameHtml(assets))
  const sample = join(import.meta.dirname, '../service/api/sandbox/sample-talk.mp3')
  copyFileSync(sample, join(folder, 'sample.mp3'))
}
