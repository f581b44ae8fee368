import { Bytes } from './bytes.ts'
import type { FormattedPages } from './formatted-pages.ts'

const fontName = 'Arial'
const english = 0x0409

/** A style definition ([MS-DOC] 2.9.260), without modifiers but those given, as the style sheet stores it. */
function style(sti: number, kind: 1 | 2, name: string, character: Uint8Array): Uint8Array {
  const isParagraph = kind === 1
  const body = new Bytes()
    .u16(sti)
    .u16(kind | (0xfff << 4))
    .u16((isParagraph ? 2 : 1) | ((isParagraph ? 0 : 10) << 4))
    .u16(0, 0)
    .u16(name.length)
    .utf16(name)
    .u16(0)
  if (isParagraph) body.u16(2, 0)
  body.u16(character.length).append(character)
  if (body.length % 2 === 1) body.u8(0)
  body.setU16(6, body.length)
  return new Bytes().u16(body.length).append(body.toUint8Array()).toUint8Array()
}

/** The style sheet: Normal (11 point) and the default character style; the other fixed places are empty. */
export function styleSheet(): Uint8Array {
  const fixedStyles = 15
  const bytes = new Bytes().u16(18).u16(fixedStyles, 10, 1, 0x5b, fixedStyles, 0, 0, 0, 0)
  const normal = new Bytes().u16(0x4a43, 22, 0x4a61, 22, 0x4a4f, 0, 0x4a50, 0, 0x4a51, 0, 0x4a5e, 0, 0x486d, english)
  for (let index = 0; index < fixedStyles; index++) {
    if (index === 0) bytes.append(style(0, 1, 'Normal', normal.toUint8Array()))
    else if (index === 10) bytes.append(style(65, 2, 'Default Paragraph Font', new Uint8Array()))
    else bytes.u16(0)
  }
  return bytes.toUint8Array()
}

/** The font table with its one font ([MS-DOC] 2.9.286 SttbfFfn). */
export function fontTable(): Uint8Array {
  const font = new Bytes().u8(0x26).u16(400).u8(0, 0).padTo(39).utf16(fontName).u16(0)
  return new Bytes().u16(1, 0).u8(font.length).append(font.toUint8Array()).toUint8Array()
}

/** Document properties: all default but the tab width; 500 bytes are those of Word 97. */
export function documentProperties(): Uint8Array {
  return new Bytes().padTo(10).u16(720).padTo(500).toUint8Array()
}

/** One section over the whole main document ([MS-DOC] 2.8.26 PlcfSed). */
export function sectionTable(characters: number, sectionAt: number): Uint8Array {
  return new Bytes().u32(0, characters).u16(0).u32(sectionAt).u16(0).u32(0xffffffff).toUint8Array()
}

/** Which page holds the formatting of which bytes ([MS-DOC] 2.8.5, 2.8.6 PlcBteChpx and PlcBtePapx). */
export function pageTable({ starts, pages }: FormattedPages, firstPage: number): Uint8Array {
  const bytes = new Bytes().u32(...starts)
  for (let index = 0; index < pages.length; index++) bytes.u32(firstPage + index)
  return bytes.toUint8Array()
}

/** The piece table: one piece of UTF-16 text from `textAt` ([MS-DOC] 2.9.38 Clx). */
export function pieceTable(characters: number, textAt: number): Uint8Array {
  return new Bytes().u8(2).u32(16).u32(0, characters).u16(0).u32(textAt).u16(0).toUint8Array()
}

/** Where the header stories are; a last place that readers ignore follows ([MS-DOC] 2.8.19 Plcfhdd). */
export function headerTable(stories: readonly number[]): Uint8Array {
  return new Bytes().u32(...stories).toUint8Array()
}

/** The page number's field in the header document ([MS-DOC] 2.8.25 Plcfld). */
export function fieldTable(fields: readonly number[], end: number): Uint8Array {
  return new Bytes()
    .u32(...fields, end)
    .u8(0x13, 0x21, 0x14, 0xff, 0x15, 0x80)
    .toUint8Array()
}
