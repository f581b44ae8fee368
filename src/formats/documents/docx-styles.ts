import type { Transcript } from '../../text/transcript.ts'
import { findLocale } from './locale.ts'
import { columnWidths, grey, lineSpacing, serif, styles } from './page-measures.ts'

/** The namespace of Word's markup. */
export const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** Converts points to twips (twentieths of a point). */
export const twips = (points: number): number => Math.round(points * 20)

const halfPoints = (size: number) => `<w:sz w:val="${size * 2}"/><w:szCs w:val="${size * 2}"/>`
const bold = '<w:b/><w:bCs/>'
const greyText = `<w:color w:val="${grey}"/>`
const after = (points: number) => `<w:spacing w:after="${twips(points)}"/>`

/** A paragraph style; Word recognizes its built-in styles by name. */
function paragraphStyle(id: string, name: string, paragraph: string, run = '', basedOn = 'Normal'): string {
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${basedOn}"/><w:qFormat/><w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`
}

function characterStyle(name: string, run: string): string {
  return `<w:style w:type="character" w:styleId="${name}"><w:name w:val="${name}"/><w:qFormat/><w:rPr>${run}</w:rPr></w:style>`
}

/** The hanging indent for time and name, with a tab stop for each. */
function turnShape(transcript: Transcript): string {
  const { time, name } = columnWidths(transcript)
  const indent = twips(time + name)
  const stops = [time, time + name].filter((at, index, all) => at > 0 && all.indexOf(at) === index)
  const tabs = stops.map((at) => `<w:tab w:val="left" w:pos="${twips(at)}"/>`).join('')
  const line = Math.round(240 * 1.1 * lineSpacing(transcript))
  return `${tabs === '' ? '' : `<w:tabs>${tabs}</w:tabs>`}<w:spacing w:after="${twips(styles.turn.after)}" w:line="${line}" w:lineRule="auto"/><w:ind w:left="${indent}" w:hanging="${indent}"/>`
}

/** The named styles of a document. */
export function docxStyles(transcript: Transcript): string {
  const fonts = `<w:rFonts w:ascii="${serif.name}" w:hAnsi="${serif.name}" w:eastAsia="${serif.name}" w:cs="${serif.instead.at(-1)}"/>`
  const small = `<w:jc w:val="center"/>`
  return `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr>${fonts}${halfPoints(styles.turn.size)}<w:lang w:val="${findLocale(transcript)}"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:widowControl/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${[
    paragraphStyle(
      'Title',
      'Title',
      `<w:keepNext/>${after(styles.title.after)}<w:outlineLvl w:val="0"/>`,
      bold + halfPoints(styles.title.size),
    ),
    paragraphStyle('Details', 'Details', after(styles.details.after), greyText + halfPoints(styles.details.size)),
    paragraphStyle('LastDetails', 'Details above the text', after(styles.lastDetails.after), '', 'Details'),
    paragraphStyle('Turn', 'Turn', turnShape(transcript)),
    paragraphStyle('TurnAtMinute', 'Turn at a minute', '<w:outlineLvl w:val="1"/>', '', 'Turn'),
    paragraphStyle('Note', 'Note', after(styles.note.after), greyText + halfPoints(styles.note.size)),
    paragraphStyle('Header', 'header', small, greyText + halfPoints(styles.small.size)),
    paragraphStyle('Footer', 'footer', small, greyText + halfPoints(styles.small.size)),
    characterStyle('Speaker', bold + halfPoints(styles.speaker.size)),
    characterStyle('Time', greyText + halfPoints(styles.time.size)),
    characterStyle('Doubtful', '<w:u w:val="dotted"/>'),
  ].join('')}</w:styles>\n`
}

/** Fallback fonts for machines without the serif. */
export const fontTableXml = `<w:fonts xmlns:w="${word}"><w:font w:name="${serif.name}"><w:altName w:val="${serif.instead[0]}"/><w:panose1 w:val="02040603050405020204"/><w:charset w:val="00"/><w:family w:val="roman"/><w:pitch w:val="variable"/></w:font></w:fonts>\n`
