import type { Transcript } from '../../../text/transcript.ts'
import { twips } from '../docx-styles.ts'
import { type Columns, columnWidths, lineSpacing, page, styles } from '../page-measures.ts'
import { Bytes } from './bytes.ts'

/*
 * Formatting as a list of property modifiers (sprm, [MS-DOC] 2.6): a code, then a value of the size that the code
 * implies.
 */

function sprms(write: (bytes: Bytes) => Bytes): Uint8Array {
  return write(new Bytes()).toUint8Array()
}

const bold = (bytes: Bytes) => bytes.u16(0x0835).u8(1).u16(0x085c).u8(1)
const size = (bytes: Bytes, points: number) => bytes.u16(0x4a43, points * 2, 0x4a61, points * 2)
const grey = (bytes: Bytes) => bytes.u16(0x6870).u8(0x59, 0x59, 0x59, 0)
const rightToLeft = (bytes: Bytes) => bytes.u16(0x085a).u8(1)
const special = (bytes: Bytes) => bytes.u16(0x0855).u8(1)
const dotted = (bytes: Bytes) => bytes.u16(0x2a3e).u8(4)

/** Character formatting by kind of run. `field`: the characters that begin, separate and end a field. */
export const characterProperties = {
  plain: new Uint8Array(),
  speaker: sprms((bytes) => size(bold(bytes), styles.speaker.size)),
  time: sprms((bytes) => size(grey(bytes), styles.time.size)),
  doubtful: sprms(dotted),
  rightToLeft: sprms(rightToLeft),
  doubtfulRightToLeft: sprms((bytes) => dotted(rightToLeft(bytes))),
  field: sprms(special),
} as const
export type CharacterKind = keyof typeof characterProperties

const after = (bytes: Bytes, points: number) => bytes.u16(0xa414, twips(points))
const lines = (bytes: Bytes, spacing: number) => bytes.u16(0x6412, Math.round(264 * spacing), 1)
const centered = (bytes: Bytes) => bytes.u16(0x2403).u8(1).u16(0x2461).u8(1)
const keepWithNext = (bytes: Bytes) => bytes.u16(0x2406).u8(1)
const widowControl = (bytes: Bytes) => bytes.u16(0x2431).u8(1)
const outlineLevel = (bytes: Bytes, level: number) => bytes.u16(0x2640).u8(level)
const bidi = (bytes: Bytes) => bytes.u16(0x2441).u8(1).u16(0x2461).u8(0)

/** The hanging indent for time and name, with a tab stop for each; both codes of an indent, old and new. */
function hangingIndent(bytes: Bytes, { time, name }: Columns): Bytes {
  const stops = [time, time + name].filter((at, index, all) => at > 0 && all.indexOf(at) === index).map(twips)
  const indent = twips(time + name)
  if (indent === 0) return bytes
  const [left, first] = [indent, 0x1_00_00 - indent]
  bytes.u16(0x840f, left, 0x8411, first, 0x845e, left, 0x8460, first)
  return bytes
    .u16(0xc60d)
    .u8(2 + stops.length * 3, 0, stops.length)
    .u16(...stops)
    .u8(...stops.map(() => 0))
}

type NamedStyle = { name: string; builtIn: number; paragraph: Uint8Array; character: Uint8Array }
const userDefined = 0xffe

/** The named paragraph styles; `builtIn`: Word's number of a built-in style ([MS-DOC] 2.9.271). */
export function namedStyles(transcript: Transcript): Record<StyleName, NamedStyle> {
  const none = (bytes: Bytes) => bytes
  const turn = (bytes: Bytes) =>
    hangingIndent(
      lines(after(widowControl(bytes), styles.turn.after), lineSpacing(transcript)),
      columnWidths(transcript),
    )
  const named = (
    name: string,
    paragraph: (bytes: Bytes) => Bytes,
    character: (bytes: Bytes) => Bytes = none,
    builtIn = userDefined,
  ): NamedStyle => ({ name, builtIn, paragraph: sprms(paragraph), character: sprms(character) })
  const title = (bytes: Bytes) => outlineLevel(keepWithNext(after(bytes, styles.title.after)), 0)
  const small = (bytes: Bytes) => size(grey(bytes), styles.small.size)
  const details = (bytes: Bytes) => size(grey(bytes), styles.details.size)
  return {
    title: named('Title', title, (bytes) => size(bold(bytes), styles.title.size), 62),
    details: named('Details', (bytes) => after(bytes, styles.details.after), details),
    lastDetails: named('Details above the text', (bytes) => after(bytes, styles.lastDetails.after), details),
    turn: named('Turn', turn),
    turnAtMinute: named('Turn at a minute', (bytes) => outlineLevel(turn(bytes), 1)),
    note: named(
      'Note',
      (bytes) => after(bytes, styles.note.after),
      (bytes) => size(grey(bytes), styles.note.size),
    ),
    header: named('header', centered, small, 31),
    footer: named('footer', centered, small, 32),
  }
}

const styleNames = ['title', 'details', 'lastDetails', 'turn', 'turnAtMinute', 'note', 'header', 'footer'] as const
type StyleName = (typeof styleNames)[number]
export type ParagraphKind = StyleName | `${StyleName}RightToLeft`

/** The styles before the named ones have fixed positions in the style sheet. */
export const fixedStyles = 15

/** Paragraph formatting by kind of paragraph: the index of its style, and its direction. */
export const paragraphProperties = Object.fromEntries(
  styleNames.flatMap((name, index) => [
    [name, new Bytes().u16(fixedStyles + index).toUint8Array()],
    [`${name}RightToLeft`, bidi(new Bytes().u16(fixedStyles + index)).toUint8Array()],
  ]),
) as Record<ParagraphKind, Uint8Array>

const sideMargins = (bytes: Bytes, twips: number) => bytes.u16(0xb021, twips, 0xb022, twips)
const topAndBottom = (bytes: Bytes, twips: number) => bytes.u16(0x9023, twips, 0x9024, twips)
const headerAndFooter = (bytes: Bytes, twips: number) => bytes.u16(0xb017, twips, 0xb018, twips)

const titlePage = (bytes: Bytes) => bytes.u16(0x300a).u8(1)

/** One A4 section: page size and margins in twips; its first page has a separate header. */
export const sectionProperties = sprms((bytes) => {
  const sized = titlePage(bytes.u16(0xb01f, twips(page.width), 0xb020, twips(page.height)))
  return headerAndFooter(topAndBottom(sideMargins(sized, twips(page.side)), twips(page.top)), 708)
})
