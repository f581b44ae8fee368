import { escapeXml } from '../../text/plain-text.ts'
import type { Transcript } from '../../text/transcript.ts'
import { documentTitle } from '../template-header.ts'
import { findLocale } from './locale.ts'
import { firstPageStyles, namespaces, odtStyles } from './odt-styles.ts'
import { type Columns, columnWidths } from './page-measures.ts'
import type { Paragraph } from './paragraphs.ts'
import { documentParagraphs } from './paragraphs.ts'
import { type WordRun, wordRuns } from './word-runs.ts'
import type { PackagePart } from './zipped.ts'
import { zipped } from './zipped.ts'

const mimeType = 'application/vnd.oasis.opendocument.text'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

const manifest = `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:version="1.2" manifest:media-type="${mimeType}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
<manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/>
<manifest:file-entry manifest:full-path="meta.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
`

const styleNames: Record<Paragraph['style'] | 'turnAtMinute', string> = {
  title: 'Title',
  details: 'Details',
  lastDetails: 'LastDetails',
  turn: 'Turn',
  turnAtMinute: 'TurnAtMinute',
  note: 'Note',
}
const runStyles = { time: 'Time', speaker: 'Speaker', doubtful: 'Doubtful' } as const

function runXml({ kind, text }: WordRun): string {
  if (kind === 'tab') return '<text:tab/>'
  if (kind === 'break') return '<text:line-break/>'
  const escaped = escapeXml(text)
  return kind === 'said' ? escaped : `<text:span text:style-name="${runStyles[kind]}">${escaped}</text:span>`
}

/** A paragraph; the title and turns at regular intervals are headings, for navigation. */
function paragraphXml(paragraph: Paragraph, columns: Columns): string {
  const { style, mark, rightToLeft, begins } = paragraph
  const name = `${styleNames[mark === null ? style : 'turnAtMinute']}${rightToLeft ? 'RightToLeft' : ''}${begins === null ? '' : 'First'}`
  const content = wordRuns(paragraph, columns).map(runXml).join('')
  const level = style === 'title' ? 1 : mark !== null ? 2 : null
  return level === null
    ? `<text:p text:style-name="${name}">${content}</text:p>\n`
    : `<text:h text:style-name="${name}" text:outline-level="${level}">${content}</text:h>\n`
}

function* contentXml(transcript: Transcript): Generator<string> {
  const columns = columnWidths(transcript)
  yield `${declaration}<office:document-content ${namespaces}>\n<office:automatic-styles>\n`
  yield firstPageStyles(Object.values(styleNames))
  yield '</office:automatic-styles>\n<office:body><office:text>\n'
  for (const paragraph of documentParagraphs(transcript)) yield paragraphXml(paragraph, columns)
  yield '</office:text></office:body>\n</office:document-content>\n'
}

function metaXml(transcript: Transcript): string {
  return `${declaration}<office:document-meta ${namespaces}><office:meta><dc:title>${escapeXml(documentTitle(transcript))}</dc:title><dc:language>${findLocale(transcript)}</dc:language><meta:creation-date>${escapeXml(transcript.created)}</meta:creation-date></office:meta></office:document-meta>\n`
}

/**
 * OpenDocument text 1.2, laid out like the screen's reading column: one paragraph per turn, time and name in its
 * hanging indent, in named styles; a running head from the second page on, `Page 3 of 12`; right-to-left text if the
 * language is.
 */
export function renderOdt(transcript: Transcript): Generator<Uint8Array> {
  const parts: PackagePart[] = [
    { name: 'mimetype', stored: true, content: [mimeType] },
    { name: 'META-INF/manifest.xml', content: [manifest] },
    { name: 'styles.xml', content: [declaration, odtStyles(transcript)] },
    { name: 'meta.xml', content: [metaXml(transcript)] },
    { name: 'content.xml', content: contentXml(transcript) },
  ]
  return zipped(parts, transcript.created)
}
