import { escapeXml } from '../plain-text.ts'
import { titleLine } from '../template-header.ts'
import type { Transcript } from '../transcript.ts'
import { isDoubleSpaced } from '../transcript.ts'
import type { Paragraph } from './paragraphs.ts'
import { documentParagraphs, pageHeader } from './paragraphs.ts'
import type { PackagePart } from './zipped.ts'
import { zipped } from './zipped.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

const contentTypes = `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${wordType}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${wordType}.styles+xml"/><Override PartName="/word/header1.xml" ContentType="${wordType}.header+xml"/><Override PartName="/word/footer1.xml" ContentType="${wordType}.footer+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>\n`

const rootRelations = `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>\n`

const documentRelations = `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${relations}/header" Target="header1.xml"/><Relationship Id="rId3" Type="${relations}/footer" Target="footer1.xml"/></Relationships>\n`

function style(name: string, paragraph: string, run: string): string {
  return `<w:style w:type="paragraph" w:styleId="${name}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`
}

function stylesXml(transcript: Transcript): string {
  const line = isDoubleSpaced(transcript.options) ? 480 : 240
  return `${declaration}<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/><w:szCs w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${[
    style('Title', '<w:keepNext/><w:spacing w:after="60"/>', '<w:b/><w:bCs/><w:sz w:val="36"/><w:szCs w:val="36"/>'),
    style('Details', '<w:spacing w:after="340"/>', '<w:color w:val="555555"/>'),
    style('Turn', `<w:spacing w:after="115" w:line="${line}" w:lineRule="auto"/>`, ''),
    style('Small', '<w:jc w:val="center"/>', '<w:color w:val="555555"/><w:sz w:val="18"/><w:szCs w:val="18"/>'),
  ].join('')}</w:styles>\n`
}

function runXml(text: string, bold: boolean, rightToLeft: boolean): string {
  const escaped = escapeXml(text)
  const properties = `${bold ? '<w:b/><w:bCs/>' : ''}${rightToLeft ? '<w:rtl/>' : ''}`
  return `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${escaped}</w:t></w:r>`
}

const styleNames: Record<Paragraph['style'], string> = { title: 'Title', details: 'Details', turn: 'Turn' }

function paragraphXml({ style: name, runs, rightToLeft }: Paragraph): string {
  const properties = `<w:pStyle w:val="${styleNames[name]}"/>${rightToLeft ? '<w:bidi/>' : ''}`
  // The run of what was said carries the script's direction; time and speaker before it find theirs by themselves.
  const content = runs.map(({ text, bold }, at) => runXml(text, bold, rightToLeft && at === runs.length - 1))
  return `<w:p><w:pPr>${properties}</w:pPr>${content.join('')}</w:p>\n`
}

function* documentXml(transcript: Transcript): Generator<string> {
  yield `${declaration}<w:document xmlns:w="${word}" xmlns:r="${relations}"><w:body>\n`
  for (const paragraph of documentParagraphs(transcript)) yield paragraphXml(paragraph)
  yield '<w:sectPr><w:headerReference w:type="default" r:id="rId2"/><w:footerReference w:type="default" r:id="rId3"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1134" w:bottom="1440" w:left="1134" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>\n'
}

function headerXml(transcript: Transcript): string {
  return `${declaration}<w:hdr xmlns:w="${word}"><w:p><w:pPr><w:pStyle w:val="Small"/></w:pPr>${runXml(pageHeader(transcript) ?? '', false, false)}</w:p></w:hdr>\n`
}

const footerXml = `${declaration}<w:ftr xmlns:w="${word}"><w:p><w:pPr><w:pStyle w:val="Small"/></w:pPr><w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p></w:ftr>\n`

function coreXml(transcript: Transcript): string {
  return `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(titleLine(transcript))}</dc:title></cp:coreProperties>\n`
}

/** Office Open XML text (DOCX): title and page number on each page, a paragraph a turn. */
export function renderDocx(transcript: Transcript): Generator<Uint8Array> {
  const parts: PackagePart[] = [
    { name: '[Content_Types].xml', content: [contentTypes] },
    { name: '_rels/.rels', content: [rootRelations] },
    { name: 'docProps/core.xml', content: [coreXml(transcript)] },
    { name: 'word/_rels/document.xml.rels', content: [documentRelations] },
    { name: 'word/styles.xml', content: [stylesXml(transcript)] },
    { name: 'word/header1.xml', content: [headerXml(transcript)] },
    { name: 'word/footer1.xml', content: [footerXml] },
    { name: 'word/document.xml', content: documentXml(transcript) },
  ]
  return zipped(parts, transcript.created)
}
