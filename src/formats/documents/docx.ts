import { escapeXml } from '../../text/plain-text.ts'
import { splitParts, type Transcript } from '../../text/transcript.ts'
import { documentTitle } from '../template-header.ts'
import { docxStyles, fontTableXml, twips, word } from './docx-styles.ts'
import { type Columns, columnWidths, page } from './page-measures.ts'
import type { Paragraph } from './paragraphs.ts'
import { documentParagraphs, pageHeader } from './paragraphs.ts'
import { type WordRun, wordRuns } from './word-runs.ts'
import type { PackagePart } from './zipped.ts'
import { zipped } from './zipped.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** The header of a transcript's pages after its first; that of first pages is `header2`. */
const headerName = (index: number) => `header${index === 0 ? 1 : index + 2}`

/** The parts besides the document, each with its relationship to it. */
function partKinds(transcript: Transcript): [name: string, kind: string][] {
  const headers = splitParts(transcript).map((_, index): [string, string] => [headerName(index), 'header'])
  const own: [string, string][] = ['styles', 'settings', 'fontTable'].map((name) => [name, name])
  return [...own, ...headers.slice(0, 1), ['header2', 'header'], ['footer1', 'footer'], ...headers.slice(1)]
}

function contentTypes(kinds: ReturnType<typeof partKinds>): string {
  const overrides = kinds.map(
    ([name, kind]) => `<Override PartName="/word/${name}.xml" ContentType="${wordType}.${kind}+xml"/>`,
  )
  return `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${wordType}.document.main+xml"/>${overrides.join('')}<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>\n`
}

/** Without it Word opens the document in the compatibility mode of 2007. */
const settings = `${declaration}<w:settings xmlns:w="${word}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>\n`

const rootRelations = `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>\n`

function documentRelations(kinds: ReturnType<typeof partKinds>): string {
  const all = kinds.map(
    ([name, kind]) => `<Relationship Id="${name}" Type="${relations}/${kind}" Target="${name}.xml"/>`,
  )
  return `${declaration}<Relationships xmlns="${packageRelations}">${all.join('')}</Relationships>\n`
}

const runStyles = { time: 'Time', speaker: 'Speaker', doubtful: 'Doubtful', said: null } as const

function runXml({ kind, text }: WordRun, rightToLeft: boolean): string {
  if (kind === 'tab') return '<w:r><w:tab/></w:r>'
  if (kind === 'break') return '<w:r><w:br/></w:r>'
  const style = runStyles[kind] === null ? '' : `<w:rStyle w:val="${runStyles[kind]}"/>`
  // Spoken text carries the script's direction; time and speaker next to it resolve theirs automatically.
  const properties = `${style}${rightToLeft && (kind === 'said' || kind === 'doubtful') ? '<w:rtl/>' : ''}`
  const escaped = escapeXml(text)
  return `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${escaped}</w:t></w:r>`
}

const styleNames: Record<Paragraph['style'], string> = {
  title: 'Title',
  details: 'Details',
  lastDetails: 'LastDetails',
  turn: 'Turn',
  note: 'Note',
}

/** `section`: the properties of the section that this paragraph ends, if any. */
function paragraphXml(paragraph: Paragraph, columns: Columns, section: string): string {
  const { style, mark, rightToLeft } = paragraph
  const name = mark === null ? styleNames[style] : 'TurnAtMinute'
  const properties = `<w:pStyle w:val="${name}"/>${rightToLeft ? '<w:bidi/>' : ''}${section}`
  const content = wordRuns(paragraph, columns).map((run) => runXml(run, rightToLeft))
  return `<w:p><w:pPr>${properties}</w:pPr>${content.join('')}</w:p>\n`
}

function* documentXml(transcript: Transcript): Generator<string> {
  const columns = columnWidths(transcript)
  yield `${declaration}<w:document xmlns:w="${word}" xmlns:r="${relations}"><w:body>\n`
  let [last, index]: [Paragraph | null, number] = [null, 0]
  for (const paragraph of documentParagraphs(transcript)) {
    if (last !== null) yield paragraphXml(last, columns, paragraph.begins === null ? '' : sectionXml(index++))
    last = paragraph
  }
  if (last !== null) yield paragraphXml(last, columns, '')
  yield `${sectionXml(index)}</w:body></w:document>\n`
}

function sectionXml(index: number): string {
  const [side, top, bottom] = [twips(page.side), twips(page.top), twips(page.bottom)]
  return `<w:sectPr><w:headerReference w:type="default" r:id="${headerName(index)}"/><w:headerReference w:type="first" r:id="header2"/><w:footerReference w:type="default" r:id="footer1"/><w:footerReference w:type="first" r:id="footer1"/><w:pgSz w:w="${twips(page.width)}" w:h="${twips(page.height)}"/><w:pgMar w:top="${top}" w:right="${side}" w:bottom="${bottom}" w:left="${side}" w:header="708" w:footer="708" w:gutter="0"/><w:titlePg/></w:sectPr>`
}

function headerXml(text: string): string {
  const run = text === '' ? '' : runXml({ kind: 'said', text }, false)
  return `${declaration}<w:hdr xmlns:w="${word}"><w:p><w:pPr><w:pStyle w:val="Header"/></w:pPr>${run}</w:p></w:hdr>\n`
}

const field = (name: string) => `<w:fldSimple w:instr=" ${name} "><w:r><w:t>1</w:t></w:r></w:fldSimple>`
const footerText = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const footerXml = `${declaration}<w:ftr xmlns:w="${word}"><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr>${footerText('Page ')}${field('PAGE')}${footerText(' of ')}${field('NUMPAGES')}</w:p></w:ftr>\n`

function coreXml(transcript: Transcript): string {
  return `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(documentTitle(transcript))}</dc:title></cp:coreProperties>\n`
}

/**
 * Office Open XML text (DOCX), laid out like the screen's reading column: one paragraph per turn, time and name in its
 * hanging indent, in named styles; a running head from the second page on, `Page 3 of 12`. The title and turns at
 * regular intervals have outline levels, which Word's navigation pane shows.
 */
export function renderDocx(transcript: Transcript): Generator<Uint8Array> {
  const kinds = partKinds(transcript)
  const headers = splitParts(transcript).map((part, index) => ({
    name: `word/${headerName(index)}.xml`,
    content: [headerXml(pageHeader(part) ?? '')],
  }))
  const packageParts: PackagePart[] = [
    { name: '[Content_Types].xml', content: [contentTypes(kinds)] },
    { name: '_rels/.rels', content: [rootRelations] },
    { name: 'docProps/core.xml', content: [coreXml(transcript)] },
    { name: 'word/_rels/document.xml.rels', content: [documentRelations(kinds)] },
    { name: 'word/styles.xml', content: [declaration, docxStyles(transcript)] },
    { name: 'word/settings.xml', content: [settings] },
    { name: 'word/fontTable.xml', content: [declaration, fontTableXml] },
    ...headers.slice(0, 1),
    { name: 'word/header2.xml', content: [headerXml('')] },
    { name: 'word/footer1.xml', content: [footerXml] },
    ...headers.slice(1),
    { name: 'word/document.xml', content: documentXml(transcript) },
  ]
  return zipped(packageParts, transcript.created)
}
