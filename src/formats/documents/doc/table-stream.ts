import type { Transcript } from '../../../text/transcript.ts'
import { serif } from '../page-measures.ts'
import { Bytes } from './bytes.ts'
import type { fieldPlaces } from './document-text.ts'
import type { FormattedPages } from './formatted-pages.ts'
import { fixedStyles, namedStyles } from './properties.ts'

const english = 0x0409

type Style = { sti: number; kind: 1 | 2; name: string; at: number; paragraph?: Uint8Array; character: Uint8Array }

/**
 * A style definition ([MS-DOC] 2.9.260) as stored in the style sheet; paragraph styles other than Normal are based on
 * it.
 */
function style({ sti, kind, name, at, paragraph = new Uint8Array(), character }: Style): Uint8Array {
  const isParagraph = kind === 1
  const base = at === 0 || !isParagraph ? 0xfff : 0
  const body = new Bytes()
    .u16(sti)
    .u16(kind | (base << 4))
    .u16((isParagraph ? 2 : 1) | (at << 4))
    .u16(0, 0)
    .u16(name.length)
    .utf16(name)
    .u16(0)
  if (isParagraph) {
    body.u16(2 + paragraph.length, at).append(paragraph)
    if (body.length % 2 === 1) body.u8(0)
  }
  body.u16(character.length).append(character)
  if (body.length % 2 === 1) body.u8(0)
  body.setU16(6, body.length)
  return new Bytes().u16(body.length).append(body.toUint8Array()).toUint8Array()
}

/** The style sheet: Normal and the default character style, the other fixed positions empty, then the named styles. */
export function styleSheet(transcript: Transcript): Uint8Array {
  const named = Object.values(namedStyles(transcript))
  const count = fixedStyles + named.length
  const bytes = new Bytes().u16(18).u16(count, 10, 1, 0x5b, fixedStyles, 0, 0, 0, 0)
  const normal = new Bytes().u16(0x4a43, 22, 0x4a61, 22, 0x4a4f, 0, 0x4a50, 0, 0x4a51, 0, 0x4a5e, 0, 0x486d, english)
  for (let at = 0; at < fixedStyles; at++) {
    if (at === 0) bytes.append(style({ sti: 0, kind: 1, name: 'Normal', at, character: normal.toUint8Array() }))
    else if (at === 10) {
      bytes.append(style({ sti: 65, kind: 2, name: 'Default Paragraph Font', at, character: new Uint8Array() }))
    } else bytes.u16(0)
  }
  for (const [index, { builtIn, ...own }] of named.entries()) {
    bytes.append(style({ ...own, sti: builtIn, kind: 1, at: fixedStyles + index }))
  }
  return bytes.toUint8Array()
}

/** The font table with its only font, a serif, and its fallback ([MS-DOC] 2.9.286 SttbfFfn). */
export function fontTable(): Uint8Array {
  const { name, instead } = serif
  const font = new Bytes()
    .u8(0x16)
    .u16(400)
    .u8(0, name.length + 1)
    .padTo(39)
    .utf16(name)
    .u16(0)
  font.utf16(instead[0]).u16(0)
  return new Bytes().u16(1, 0).u8(font.length).append(font.toUint8Array()).toUint8Array()
}

/** Document properties: defaults except for the tab width; Word 97's are 500 bytes. */
export function documentProperties(): Uint8Array {
  return new Bytes().padTo(10).u16(720).padTo(500).toUint8Array()
}

/** The sections by their ends, all with the same properties ([MS-DOC] 2.8.26 PlcfSed). */
export function sectionTable(ends: readonly number[], sectionAt: number): Uint8Array {
  const bytes = new Bytes().u32(0, ...ends)
  for (const _ of ends) bytes.u16(0).u32(sectionAt).u16(0).u32(0xffffffff)
  return bytes.toUint8Array()
}

/** Maps byte ranges to the pages with their formatting ([MS-DOC] 2.8.5, 2.8.6 PlcBteChpx and PlcBtePapx). */
export function pageTable({ starts, pages }: FormattedPages, firstPage: number): Uint8Array {
  const bytes = new Bytes().u32(...starts)
  for (let index = 0; index < pages.length; index++) bytes.u32(firstPage + index)
  return bytes.toUint8Array()
}

/** The piece table: one piece of UTF-16 text from `textAt` ([MS-DOC] 2.9.38 Clx). */
export function pieceTable(characters: number, textAt: number): Uint8Array {
  return new Bytes().u8(2).u32(16).u32(0, characters).u16(0).u32(textAt).u16(0).toUint8Array()
}

/** Positions of the header stories, followed by a last one that readers ignore ([MS-DOC] 2.8.19 Plcfhdd). */
export function headerTable(stories: readonly number[]): Uint8Array {
  return new Bytes().u32(...stories).toUint8Array()
}

/** Field types by name ([MS-DOC] 2.9.90 flt). */
const fieldKinds: Readonly<Record<string, number>> = { PAGE: 33, NUMPAGES: 26 }

/** The fields in the header document ([MS-DOC] 2.8.25 Plcfld). */
export function fieldTable(fields: ReturnType<typeof fieldPlaces>, end: number): Uint8Array {
  const bytes = new Bytes().u32(...fields.map(({ at }) => at), end)
  for (const { mark, opens } of fields) {
    const code = mark.charCodeAt(0)
    bytes.u8(code, code === 0x13 ? (fieldKinds[opens] ?? 0) : code === 0x14 ? 0xff : 0x80)
  }
  return bytes.toUint8Array()
}
