import { escapeXml } from '../plain-text.ts'
import { titleLine } from '../template-header.ts'
import type { Transcript } from '../transcript.ts'
import { isDoubleSpaced } from '../transcript.ts'
import type { Paragraph } from './paragraphs.ts'
import { documentParagraphs, pageHeader } from './paragraphs.ts'
import type { PackagePart } from './zipped.ts'
import { zipped } from './zipped.ts'

const mimeType = 'application/vnd.oasis.opendocument.text'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespaces = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'office:version="1.2"',
].join(' ')

const manifest = `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:version="1.2" manifest:media-type="${mimeType}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
<manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/>
<manifest:file-entry manifest:full-path="meta.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
`

function paragraphStyle(name: string, parent: string, paragraph: string, text = ''): string {
  const textProperties = text === '' ? '' : `<style:text-properties ${text}/>`
  return `<style:style style:name="${name}" style:family="paragraph"${parent === '' ? '' : ` style:parent-style-name="${parent}"`}><style:paragraph-properties ${paragraph}/>${textProperties}</style:style>\n`
}

/** Named styles, the page, and its header and footer. */
function stylesXml(transcript: Transcript): string {
  const header = pageHeader(transcript)
  const spacing = `fo:line-height="${isDoubleSpaced(transcript.options) ? 200 : 100}%" fo:margin-bottom="0.2cm"`
  const band = '<style:header-footer-properties fo:min-height="0.8cm"/>'
  return `${declaration}<office:document-styles ${namespaces}>
<office:styles>
${paragraphStyle('Standard', '', 'fo:margin-bottom="0cm"', 'fo:font-size="11pt" style:font-size-complex="11pt"')}${paragraphStyle('Title', 'Standard', 'fo:margin-bottom="0.1cm" fo:keep-with-next="always"', 'fo:font-size="18pt" style:font-size-complex="18pt" fo:font-weight="bold" style:font-weight-complex="bold"')}${paragraphStyle('Details', 'Standard', 'fo:margin-bottom="0.6cm"', 'fo:color="#555555"')}${paragraphStyle('Turn', 'Standard', spacing)}${paragraphStyle('Small', 'Standard', 'fo:text-align="center"', 'fo:font-size="9pt" style:font-size-complex="9pt" fo:color="#555555"')}<style:style style:name="Speaker" style:family="text"><style:text-properties fo:font-weight="bold" style:font-weight-complex="bold"/></style:style>
</office:styles>
<office:automatic-styles><style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"/><style:header-style>${band}</style:header-style><style:footer-style>${band}</style:footer-style></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Page">${
    header === null ? '' : `<style:header><text:p text:style-name="Small">${escapeXml(header)}</text:p></style:header>`
  }<style:footer><text:p text:style-name="Small"><text:page-number text:select-page="current"/></text:p></style:footer></style:master-page></office:master-styles>
</office:document-styles>
`
}

const styleNames: Record<Paragraph['style'], string> = { title: 'Title', details: 'Details', turn: 'Turn' }

function paragraphXml({ style, runs, rightToLeft }: Paragraph): string {
  const name = styleNames[style] + (rightToLeft ? 'RightToLeft' : '')
  const content = runs.map(({ text, bold }) => {
    const escaped = escapeXml(text)
    return bold ? `<text:span text:style-name="Speaker">${escaped}</text:span>` : escaped
  })
  return `<text:p text:style-name="${name}">${content.join('')}</text:p>\n`
}

function* contentXml(transcript: Transcript): Generator<string> {
  yield `${declaration}<office:document-content ${namespaces}>\n<office:automatic-styles>\n`
  for (const name of Object.values(styleNames)) {
    yield paragraphStyle(`${name}RightToLeft`, name, 'style:writing-mode="rl-tb" fo:text-align="right"')
  }
  yield '</office:automatic-styles>\n<office:body><office:text>\n'
  for (const paragraph of documentParagraphs(transcript)) yield paragraphXml(paragraph)
  yield '</office:text></office:body>\n</office:document-content>\n'
}

function metaXml(transcript: Transcript): string {
  return `${declaration}<office:document-meta ${namespaces}><office:meta><dc:title>${escapeXml(titleLine(transcript))}</dc:title><meta:creation-date>${escapeXml(transcript.created)}</meta:creation-date></office:meta></office:document-meta>\n`
}

/** OpenDocument text 1.2: title and page number on each page, a paragraph a turn, right-to-left where it is spoken. */
export function renderOdt(transcript: Transcript): Generator<Uint8Array> {
  const parts: PackagePart[] = [
    { name: 'mimetype', stored: true, content: [mimeType] },
    { name: 'META-INF/manifest.xml', content: [manifest] },
    { name: 'styles.xml', content: [stylesXml(transcript)] },
    { name: 'meta.xml', content: [metaXml(transcript)] },
    { name: 'content.xml', content: contentXml(transcript) },
  ]
  return zipped(parts, transcript.created)
}
