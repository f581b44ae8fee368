import type { Schema } from '../http/operation.ts'
import { type openApiDocument, webhooks } from './document.ts'

type Document = ReturnType<typeof openApiDocument>
type Shown = {
  tags: string[]
  summary: string
  description?: string
  parameters?: { name: string; in: string; required?: boolean; description: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<
    string,
    {
      description: string
      headers?: Record<string, { description: string; schema: Schema }>
      content?: Record<string, { schema: Schema }>
    }
  >
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function asHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
}

/** Renders text as HTML, with `code` between backticks. */
function prose(text: string): string {
  return asHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/** Renders a reference such as `#/components/schemas/Error` as a link, any other schema inline. */
function schemaHtml(schema: Schema): string {
  if (typeof schema.$ref === 'string') {
    const name = asHtml(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  const isPlain = Object.keys(schema).length <= 1
  return isPlain
    ? `<code>${asHtml(String(schema.type ?? 'any'))}</code>`
    : `<details><summary>${asHtml(String(schema.type ?? 'one of'))}</summary><pre tabindex="0">${asHtml(JSON.stringify(schema, null, 2))}</pre></details>`
}

function parameterRows(parameters: NonNullable<Shown['parameters']>): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const values = Array.isArray(schema.enum) ? schema.enum.map((value) => `<code>${asHtml(String(value))}</code>`) : []
    const standard = schema.default === undefined ? '' : `Default <code>${asHtml(String(schema.default))}</code>.`
    return `<tr><th scope="row"><code>${asHtml(name)}</code></th><td>${place}${required === true ? ', required' : ''}</td><td>${prose(description)} ${values.join(' ')} ${standard}</td></tr>`
  })
  return `<h4>Parameters</h4><div class="wide" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th>Name</th><th>In</th><th>Description</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function contentHtml(content: Record<string, { schema: Schema }> | undefined): string {
  return Object.entries(content ?? {})
    .map(([type, { schema }]) => `<div><code>${asHtml(type)}</code> ${schemaHtml(schema)}</div>`)
    .join('')
}

function headersHtml(headers: Shown['responses'][string]['headers']): string {
  return Object.entries(headers ?? {})
    .map(([name, { description }]) => `<div><code>${asHtml(name)}</code> ${prose(description)}</div>`)
    .join('')
}

function answerRows(responses: Shown['responses']): string {
  const rows = Object.entries(responses).map(
    ([status, { description, headers, content }]) =>
      `<tr><th scope="row">${status}</th><td>${prose(description)}${headersHtml(headers)}${contentHtml(content)}</td></tr>`,
  )
  return `<h4>Responses</h4><table><thead><tr><th>Status</th><th>Description</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function operationHtml(method: string, path: string, operation: Shown): string {
  const { summary, description, parameters, requestBody, responses } = operation
  const body = requestBody === undefined ? '' : `<h4>Request body</h4>${contentHtml(requestBody.content)}`
  return `<details class="operation"><summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${asHtml(path)}</code> <span>${asHtml(summary)}</span></summary>
<p>${prose(description ?? '')}</p>${parameters === undefined ? '' : parameterRows(parameters)}${body}${answerRows(responses)}</details>`
}

const toSlug = (name: string) => asHtml(name.toLowerCase().replaceAll(/\W+/g, '-'))

function contentsHtml(document: Document): string {
  const names = [...document.tags.map(({ name }) => name), 'Event', 'Schemas']
  const links = names.map((name) => `<li><a href="#${toSlug(name)}">${asHtml(name)}</a></li>`)
  return `<nav aria-label="Contents"><a class="brand" href="/"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M4 14v4M9 11v10M14 5v22M19 9v14M24 6v20M28.5 14v4"/></svg> Parley</a><ul>${links.join('')}</ul></nav>`
}

function sectionsHtml(document: Document): string {
  return document.tags
    .map(({ name, description = '' }) => {
      const shown = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods as Record<string, Shown>)
          .filter(([, { tags }]) => tags.includes(name))
          .map(([method, operation]) => operationHtml(method, path, operation)),
      )
      return `<section id="${toSlug(name)}"><h2>${asHtml(name)}</h2><p>${asHtml(description)}</p>${shown.join('')}</section>`
    })
    .join('')
}

/** Renders the document as an HTML page without scripts. */
export function documentationPage(document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<h3 id="schema-${name}">${name}</h3><pre tabindex="0">${asHtml(JSON.stringify(schema, null, 2))}</pre>`,
  )
  const { title, description, contact } = document.info
  const support = contact && `<p>Support: <a href="mailto:${asHtml(contact.email)}">${asHtml(contact.email)}</a></p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${asHtml(title)}</title><link rel="stylesheet" href="/docs/page.css"><link rel="icon" href="/favicon.svg"></head>
<body>${contentsHtml(document)}<main><h1>${asHtml(title)}</h1><p>${prose(description)}</p>
<p>Authentication: HTTP Basic; the API key is the user name and the password is empty. Machine-readable (OpenAPI ${document.openapi}): <a href="/openapi.json">all</a>, or only <a href="/openapi/customers.json">files and uploads</a>, <a href="/openapi/account.json">the account</a>, <a href="/openapi/staff.json">the staff</a>.</p>
${support ?? ''}
${sectionsHtml(document)}
<section id="event"><h2>Event</h2><p>${asHtml(webhooks.progress.post.summary)}: POST with the JSON body <code>{"id": "…"}</code>. ${asHtml(webhooks.progress.post.description)}</p></section>
<section id="schemas"><h2>Schemas</h2>${schemas.join('')}</section></main></body></html>
`
}
