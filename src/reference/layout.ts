import { firstPage } from '../service/api/openapi/reference-routes.ts'
import { contents, formerAnchors } from './contents.ts'
import { escapeHtml, languages } from './example.ts'
import type { Page } from './render-page.ts'

/** Addresses of what the pages load. */
export type Assets = { script: string; styles: readonly string[]; font: string | null }

const logo =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M4 14v4M9 11v10M14 5v22M19 9v14M24 6v20M28.5 14v4"/></svg>'

type Pages = ReadonlyMap<string, Page>

function pageLinks(pages: Pages, current: string): string {
  return contents
    .map(({ title, slugs }) => {
      const links = slugs.map((slug) => {
        const here = slug === current ? ' aria-current="page"' : ''
        return `<li><a href="/docs/${slug}"${here}>${escapeHtml(pages.get(slug)?.title ?? slug)}</a></li>`
      })
      return `<p>${escapeHtml(title)}</p><ul>${links.join('')}</ul>`
    })
    .join('')
}

function tableOfContents({ headings }: Page): string {
  const links = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text.replaceAll('`', ''))}</a></li>`)
  if (links.length < 2) return ''
  return `<nav class="toc" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`
}

function languageChoice(): string {
  const radios = Object.entries(languages).map(
    ([lang, name], index) =>
      `<label><input type="radio" name="lang" id="lang-${lang}" value="${lang}"${index === 0 ? ' checked' : ''}>${name}</label>`,
  )
  return `<fieldset class="languages"><legend>Examples in</legend>${radios.join('')}</fieldset>`
}

const keyForm = `<form class="key js-only" id="key-form"><label for="key-field">Sandbox key</label>
<input id="key-field" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="parley_test_…"><button>Use</button><p id="key-state" role="status"></p></form>`

/** Links from anchors of the former single page to where their content is. */
function formerLinks(pages: Pages): string {
  const links = Object.entries(formerAnchors).map(([anchor, to]) => {
    const title = pages.get(to.replace(/#.*/, ''))?.title ?? to
    return `<li id="${anchor}" data-leads="/docs/${to}"><a href="/docs/${to}">${escapeHtml(`${anchor.replace('schema-', '')}: ${title}`)}</a></li>`
  })
  return `<section class="former"><h2 id="index">Index</h2><ul>${links.join('')}</ul></section>`
}

function neighbors(pages: Pages, slug: string): string {
  const slugs = contents.flatMap((group) => group.slugs)
  const at = slugs.indexOf(slug)
  const link = (to: string | undefined, words: string) =>
    to === undefined
      ? '<span></span>'
      : `<a href="/docs/${to}"><small>${words}</small>${escapeHtml(pages.get(to)?.title ?? to)}</a>`
  return `<nav class="neighbors" aria-label="Next pages">${link(slugs[at - 1], 'Before')}${link(slugs[at + 1], 'Next')}</nav>`
}

/** The frame of the operator's pages (`src/service/api/http/own-pages.ts`): no script, and places to fill. */
export function frameHtml({ styles, font }: Assets): string {
  const heads = [
    ...(font === null ? [] : [`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>`]),
    ...styles.map((style) => `<link rel="stylesheet" href="${style}">`),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{{title}} · Parley</title><link rel="icon" href="/favicon.svg" type="image/svg+xml">
${heads.join('\n')}</head><body class="own">
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="/">${logo} Parley</a><a class="home" href="/">Dashboard</a></header>
<main id="content"><article>{{body}}</article><footer>{{links}}<a href="/notices.txt">Licenses</a></footer></main></body></html>
`
}

/** A whole page of HTML, which needs no script and breaks no strict content policy. */
export function pageHtml(page: Page, pages: Pages, { script, styles, font }: Assets): string {
  const { slug, title, summary, html } = page
  const heads = [
    ...(font === null ? [] : [`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>`]),
    ...styles.map((style) => `<link rel="stylesheet" href="${style}">`),
    `<script type="module" src="${script}"></script>`,
  ]
  const links = pageLinks(pages, slug)
  const toolbar = html.includes('class="example"') ? `<div class="toolbar">${languageChoice()}${keyForm}</div>` : ''
  const body = toolbar === '' ? html : html.replace('</h1>', `</h1>${toolbar}`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} · Parley API</title>
<meta name="description" content="${escapeHtml(summary)}"><link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="/docs/${slug}.md"><link rel="service-desc" type="application/json" href="/openapi.json">
${heads.join('\n')}</head><body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="/docs">${logo} Parley <span>API</span></a>
<form class="search js-only" role="search"><input type="search" id="search-field" placeholder="Search" aria-label="Search these pages" autocomplete="off" aria-keyshortcuts="/"><div class="found" hidden></div></form>
<a class="home" href="/">Dashboard</a></header>
<details class="menu"><summary>Pages</summary><nav aria-label="Pages">${links}</nav></details>
<nav class="side" aria-label="All pages">${links}</nav>
<main id="content"><article>${body}${slug === firstPage ? formerLinks(pages) : ''}</article>
${neighbors(pages, slug)}<footer>This page as <a href="/docs/${slug}.md">Markdown</a> · All of it for programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/llms.txt">llms.txt</a> · <a href="/notices.txt">Licenses</a></footer></main>
${tableOfContents(page)}</body></html>
`
}
