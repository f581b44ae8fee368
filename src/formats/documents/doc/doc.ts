import type { Transcript } from '../../../text/transcript.ts'
import { Bytes, roundUp } from './bytes.ts'
import { compoundFile, smallestStreamBytes } from './compound-file.ts'
import type { TextRun } from './document-text.ts'
import { bodyRuns, countCharacters, fieldPlaces, headerDocument, Measured } from './document-text.ts'
import { formattedPages } from './formatted-pages.ts'
import { characterProperties, paragraphProperties, sectionProperties } from './properties.ts'
import {
  documentProperties,
  fieldTable,
  fontTable,
  headerTable,
  pageTable,
  pieceTable,
  sectionTable,
  styleSheet,
} from './table-stream.ts'

/*
 * A Word 97 binary document ([MS-DOC]): the main stream holds the file information block, all text as one piece of
 * UTF-16, the section's properties and the pages of formatting; the table stream locates everything. Two passes over
 * the text, to measure and to write, so that it is never entirely in memory.
 */
const textAt = 0x800
const pageBytes = 512

/** Indexes of table stream entries in the file information block ([MS-DOC] 2.5.6 FibRgFcLcb97). */
const fibIndex = {
  styleSheet: 1,
  sections: 6,
  headers: 11,
  characterPages: 12,
  paragraphPages: 13,
  fonts: 15,
  headerFields: 17,
  properties: 31,
  pieces: 33,
} as const
type TablePart = keyof typeof fibIndex

/** Concatenates the parts, padded to the minimum stream size, with the position of each. */
function tableStream(parts: Record<TablePart, Uint8Array>): { bytes: Uint8Array; places: [number, number, number][] } {
  const bytes = new Bytes()
  const places: [number, number, number][] = []
  for (const [name, part] of Object.entries(parts)) {
    places.push([fibIndex[name as TablePart], bytes.length, part.length])
    bytes.append(part).padTo(roundUp(bytes.length, 4))
  }
  return { bytes: bytes.padTo(Math.max(bytes.length, smallestStreamBytes)).toUint8Array(), places }
}

type Sizes = { body: number; headers: number; streamBytes: number }

/** The file information block, at the start of the main stream. */
function fileInformation(sizes: Sizes, places: readonly [number, number, number][]): Uint8Array {
  const bytes = new Bytes()
  // 0x1200: the table stream is `1Table`; text is extended, that is Unicode.
  bytes.u16(0xa5ec, 0xc1, 0, 0x0409, 0, 0x1200, 0xbf).padTo(24)
  // Ends after the main text, so that simple readers omit the page header.
  bytes.u32(textAt, textAt + sizes.body * 2)
  bytes.u16(14).padTo(60).u16(0x0409)
  bytes.u16(22).u32(sizes.streamBytes).padTo(76).u32(sizes.body, 0, sizes.headers).padTo(152)
  bytes.u16(93).padTo(154 + 93 * 8)
  bytes.u16(0)
  for (const [index, at, length] of places) bytes.setU32(154 + index * 8, at).setU32(158 + index * 8, length)
  return bytes.padTo(textAt).toUint8Array()
}

function* encoded(runs: Iterable<TextRun>): Generator<Uint8Array> {
  let bytes = new Bytes()
  for (const { text } of runs) {
    bytes.utf16(text)
    if (bytes.length < 32_000) continue
    yield bytes.toUint8Array()
    bytes = new Bytes()
  }
  yield bytes.toUint8Array()
}

/** Everything after the body: the header document and its closing mark. */
function tailRuns(transcript: Transcript): TextRun[] {
  return [...headerDocument(transcript).runs, { text: '\r', kind: 'plain', endsParagraph: 'turn' }]
}

/**
 * Word 97 `.doc`: one paragraph per turn with time and name in its hanging indent, in named styles, page header from
 * the second page on, `Page 3 of 12`, line spacing, right-to-left paragraphs. More complex than other formats: every
 * offset depends on the lengths before it.
 */
export function* renderDoc(transcript: Transcript): Generator<Uint8Array> {
  const measured = new Measured()
  for (const run of bodyRuns(transcript)) measured.add(run)
  const body = measured.length
  const tail = tailRuns(transcript)
  for (const run of tail) measured.add(run)
  const { stories, runs: headerRuns } = headerDocument(transcript)
  const total = measured.length
  const headers = countCharacters(tail) - 1

  const toByte = (character: number) => textAt + character * 2
  const characters = formattedPages('characters', measured.characters, characterProperties, toByte)
  const paragraphs = formattedPages('paragraphs', measured.paragraphs, paragraphProperties, toByte)
  const sectionAt = textAt + total * 2
  const section = new Bytes().u16(sectionProperties.length).append(sectionProperties).toUint8Array()
  const pagesAt = roundUp(sectionAt + section.length, pageBytes)
  const firstPage = pagesAt / pageBytes
  const pages = [...characters.pages, ...paragraphs.pages]
  const streamBytes = pagesAt + pages.length * pageBytes

  const table = tableStream({
    styleSheet: styleSheet(transcript),
    sections: sectionTable([...measured.sections, body], sectionAt),
    headers: headerTable(stories),
    characterPages: pageTable(characters, firstPage),
    paragraphPages: pageTable(paragraphs, firstPage + characters.pages.length),
    fonts: fontTable(),
    headerFields: fieldTable(fieldPlaces(headerRuns), headers),
    properties: documentProperties(),
    pieces: pieceTable(total, textAt),
  })
  const padding = Math.max(0, smallestStreamBytes - streamBytes)

  function* mainStream(): Generator<Uint8Array> {
    yield fileInformation({ body, headers, streamBytes }, table.places)
    yield* encoded(bodyRuns(transcript))
    yield* encoded(tail)
    yield section
    yield new Uint8Array(pagesAt - sectionAt - section.length)
    yield* pages
    yield new Uint8Array(padding)
  }

  yield* compoundFile([
    { name: '1Table', length: table.bytes.length, content: [table.bytes] },
    { name: 'WordDocument', length: streamBytes + padding, content: mainStream() },
  ])
}
