import { escapeXml } from '../../text/plain-text.ts'
import type { Transcript } from '../../text/transcript.ts'
import { findLocale } from './locale.ts'
import { columnWidths, grey, lineSpacing, page, serif, styles } from './page-measures.ts'
import { pageHeader } from './paragraphs.ts'

/** The namespaces of OpenDocument text, and its version. */
export const namespaces = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'office:version="1.2"',
].join(' ')

const sized = (size: number) => `fo:font-size="${size}pt" style:font-size-complex="${size}pt"`
const bold = 'fo:font-weight="bold" style:font-weight-complex="bold"'
const greyText = `fo:color="#${grey}"`
const after = (points: number) => `fo:margin-bottom="${points}pt"`

type Shape = { paragraph: string; tabs?: string; text?: string; parent?: string }

function paragraphStyle(
  name: string,
  { paragraph, tabs = '', text = '', parent = 'Standard' }: Shape,
  outlineLevel: '1' | '2' | null = null,
): string {
  const outline = outlineLevel === null ? '' : ` style:default-outline-level="${outlineLevel}" style:list-style-name=""`
  const textProperties = text === '' ? '' : `<style:text-properties ${text}/>`
  const parentName = name === 'Standard' ? '' : ` style:parent-style-name="${parent}"`
  return `<style:style style:name="${name}" style:family="paragraph"${parentName}${outline}><style:paragraph-properties ${paragraph}>${tabs}</style:paragraph-properties>${textProperties}</style:style>\n`
}

function characterStyle(name: string, text: string): string {
  return `<style:style style:name="${name}" style:family="text"><style:text-properties ${text}/></style:style>\n`
}

/**
 * Styles of turns, and of those that are headings: the hanging indent for time and name; tab stops are relative to it.
 * A heading needs an explicit indent, since its level among numbered headings would override it.
 */
function turnStyles(transcript: Transcript): string {
  const { time, name } = columnWidths(transcript)
  const indent = time + name
  const stops = [time, indent].filter((at, index, all) => at > 0 && all.indexOf(at) === index)
  const tabs = stops.map((at) => `<style:tab-stop style:position="${at - indent}pt"/>`).join('')
  const line = `fo:line-height="${lineSpacing(transcript) * 110}%" fo:orphans="2" fo:widows="2"`
  const shape = {
    paragraph: `${line} ${after(styles.turn.after)} fo:margin-left="${indent}pt" fo:text-indent="${-indent}pt"`,
    tabs: tabs === '' ? '' : `<style:tab-stops>${tabs}</style:tab-stops>`,
  }
  return `${paragraphStyle('Turn', shape)}${paragraphStyle('TurnAtMinute', { ...shape, parent: 'Turn' }, '2')}`
}

function namedStyles(transcript: Transcript): string {
  const [language, country] = findLocale(transcript).split('-')
  const font = `style:font-name="${serif.name}" fo:language="${language}" fo:country="${country}"`
  const small = { paragraph: 'fo:text-align="center"', text: `${sized(styles.small.size)} ${greyText}` }
  return [
    paragraphStyle('Standard', { paragraph: after(0), text: `${font} ${sized(styles.turn.size)}` }),
    paragraphStyle(
      'Title',
      {
        paragraph: `${after(styles.title.after)} fo:keep-with-next="always"`,
        text: `${sized(styles.title.size)} ${bold}`,
      },
      '1',
    ),
    paragraphStyle('Details', {
      paragraph: after(styles.details.after),
      text: `${sized(styles.details.size)} ${greyText}`,
    }),
    paragraphStyle('LastDetails', { paragraph: after(styles.lastDetails.after), parent: 'Details' }),
    turnStyles(transcript),
    paragraphStyle('Note', { paragraph: after(styles.note.after), text: `${sized(styles.note.size)} ${greyText}` }),
    paragraphStyle('Header', small),
    paragraphStyle('Footer', small),
    characterStyle('Speaker', `${sized(styles.speaker.size)} ${bold}`),
    characterStyle('Time', `${sized(styles.time.size)} ${greyText}`),
    characterStyle('Doubtful', 'style:text-underline-style="dotted" style:text-underline-width="auto"'),
  ].join('')
}

const fontFace = `<office:font-face-decls><style:font-face style:name="${serif.name}" svg:font-family="${[serif.name, ...serif.instead].map((name) => `&apos;${name}&apos;`).join(', ')}" style:font-family-generic="roman" style:font-pitch="variable"/></office:font-face-decls>`

/**
 * Named styles, the page, and its header and footer with the title (in a combined document, the current transcript's).
 * The first page of each has no header.
 */
export function odtStyles(transcript: Transcript): string {
  const header = pageHeader(transcript)
  const band = (side: 'top' | 'bottom') =>
    `<style:header-footer-properties fo:min-height="34pt" fo:margin-${side}="18pt"/>`
  const size = `fo:page-width="${page.width}pt" fo:page-height="${page.height}pt"`
  const margins = `fo:margin-left="${page.side}pt" fo:margin-right="${page.side}pt" fo:margin-top="${page.top - 34}pt" fo:margin-bottom="${page.bottom - 34}pt"`
  const title = '<text:chapter text:display="name" text:outline-level="1"/>'
  const head =
    header === null
      ? ''
      : `<style:header><text:p text:style-name="Header">${transcript.more ? title : escapeXml(header)}</text:p></style:header>`
  const footer =
    '<style:footer><text:p text:style-name="Footer">Page <text:page-number text:select-page="current">1</text:page-number> of <text:page-count>1</text:page-count></text:p></style:footer>'
  return `<office:document-styles ${namespaces}>
${fontFace}
<office:styles>
${namedStyles(transcript)}</office:styles>
<office:automatic-styles><style:page-layout style:name="Page"><style:page-layout-properties ${size} ${margins}/><style:header-style>${band('bottom')}</style:header-style><style:footer-style>${band('top')}</style:footer-style></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Page">${head}${footer}</style:master-page><style:master-page style:name="First" style:page-layout-name="Page" style:next-style-name="Standard"><style:header><text:p/></style:header>${footer}</style:master-page></office:master-styles>
</office:document-styles>
`
}

/** Additional properties of the first paragraph of a transcript and of right-to-left paragraphs. */
export function firstPageStyles(names: readonly string[]): string {
  const rightToLeft = 'style:writing-mode="rl-tb" fo:text-align="start"'
  const style = (name: string, parent: string, isFirst: boolean, properties: string) =>
    `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${parent}"${isFirst ? ' style:master-page-name="First"' : ''}><style:paragraph-properties ${properties}/></style:style>\n`
  return names
    .flatMap((name) => [
      style(`${name}RightToLeft`, name, false, rightToLeft),
      style(`${name}First`, name, true, ''),
      style(`${name}RightToLeftFirst`, name, true, rightToLeft),
    ])
    .join('')
}
