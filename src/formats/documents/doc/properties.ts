import { Bytes } from './bytes.ts'

/*
 * Formatting as lists of property modifiers (sprm, [MS-DOC] 2.6): a code, then its value of the size that the code says.
 */

function sprms(write: (bytes: Bytes) => Bytes): Uint8Array {
  return write(new Bytes()).toUint8Array()
}

const bold = (bytes: Bytes) => bytes.u16(0x0835).u8(1).u16(0x085c).u8(1)
const halfPoints = (bytes: Bytes, size: number) => bytes.u16(0x4a43, size, 0x4a61, size)
const grey = (bytes: Bytes) => bytes.u16(0x6870).u8(0x55, 0x55, 0x55, 0)
const rightToLeft = (bytes: Bytes) => bytes.u16(0x085a).u8(1)
const special = (bytes: Bytes) => bytes.u16(0x0855).u8(1)

/** Character formatting by what a run is. `field`: the characters that open, part and close a field. */
export const characterProperties = {
  plain: new Uint8Array(),
  bold: sprms(bold),
  title: sprms((bytes) => halfPoints(bold(bytes), 36)),
  small: sprms((bytes) => halfPoints(grey(bytes), 18)),
  details: sprms(grey),
  rightToLeft: sprms(rightToLeft),
  rightToLeftBold: sprms((bytes) => bold(rightToLeft(bytes))),
  field: sprms((bytes) => special(halfPoints(grey(bytes), 18))),
} as const
export type CharacterKind = keyof typeof characterProperties

const after = (bytes: Bytes, twips: number) => bytes.u16(0xa414, twips)
const lines = (bytes: Bytes, count: 1 | 2) => bytes.u16(0x6412, 240 * count, 1)
const centred = (bytes: Bytes) => bytes.u16(0x2403).u8(1).u16(0x2461).u8(1)
const keepWithNext = (bytes: Bytes) => bytes.u16(0x2406).u8(1)
const bidi = (bytes: Bytes) => bytes.u16(0x2441).u8(1).u16(0x2461).u8(0)

const paragraphs = {
  title: (bytes: Bytes) => keepWithNext(after(bytes, 60)),
  details: (bytes: Bytes) => after(bytes, 340),
  single: (bytes: Bytes) => lines(after(bytes, 115), 1),
  double: (bytes: Bytes) => lines(after(bytes, 115), 2),
  small: centred,
} as const
type ParagraphShape = keyof typeof paragraphs
export type ParagraphKind = ParagraphShape | `${ParagraphShape}RightToLeft`

/** Paragraph formatting by what a paragraph is. */
export const paragraphProperties = Object.fromEntries(
  Object.entries(paragraphs).flatMap(([kind, write]) => [
    [kind, sprms(write)],
    [`${kind}RightToLeft`, sprms((bytes) => bidi(write(bytes)))],
  ]),
) as Record<ParagraphKind, Uint8Array>

const sideMargins = (bytes: Bytes, twips: number) => bytes.u16(0xb021, twips, 0xb022, twips)
const topAndBottom = (bytes: Bytes, twips: number) => bytes.u16(0x9023, twips, 0x9024, twips)
const headerAndFooter = (bytes: Bytes, twips: number) => bytes.u16(0xb017, twips, 0xb018, twips)

/** One A4 section: page size and margins in twips. */
export const sectionProperties = sprms((bytes) =>
  headerAndFooter(topAndBottom(sideMargins(bytes.u16(0xb01f, 11_906, 0xb020, 16_838), 1_134), 1_440), 708),
)
