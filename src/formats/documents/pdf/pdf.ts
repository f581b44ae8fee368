import type { Transcript } from '../../../text/transcript.ts'
import { mergeChunks } from '../../chunks.ts'
import { documentTitle } from '../../template-header.ts'
import { findLocale } from '../locale.ts'
import { documentParagraphs, plainParagraph } from '../paragraphs.ts'
import { collectTexts } from './first-page.ts'
import { Fonts } from './fonts.ts'
import { Glyphs, missingGlyph } from './glyphs.ts'
import { PdfInk } from './ink.ts'
import { openDocument } from './open-document.ts'
import type { PdfDocument, PdfKit } from './pdfkit-port.ts'
import { Typesetter } from './typesetter.ts'

/** Maximum number of uncovered letters named in the note. */
const lettersNamed = 12

/** The note that lists letters no font covers. */
function missingNote(missing: ReadonlySet<string>): string {
  const codePoint = (letter: string) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  const named = [...missing].slice(0, lettersNamed).map((letter) => `${letter} ${codePoint(letter)}`)
  const more = missing.size > lettersNamed ? ` and ${missing.size - lettersNamed} more` : ''
  return `${missingGlyph} stands for a letter that this file’s fonts do not have: ${named.join(', ')}${more}. Copying and screen readers give the letter itself.`
}

/**
 * PDF 1.7, tagged (a heading, one paragraph per turn), with embedded subsets of the fonts, laid out like the screen's
 * reading column: time and name in the margin, a running head, `Page 3 of 12`, bookmarks of minutes in long ones and of
 * files if there are several, bidirectional text. Pages are yielded as they fill up. A character that no font covers is
 * shown as a box and keeps its text for copying, search and screen readers, and a note at the end lists it.
 */
export async function renderPdf(transcript: Transcript, kit: PdfKit): Promise<Iterable<Uint8Array>> {
  const ready: Uint8Array[] = []
  let isEnded = false
  const { created } = transcript
  const about = { title: documentTitle(transcript), created, lang: findLocale(transcript) }
  const document = openDocument(about, kit, (chunk) => {
    if (chunk === null) isEnded = true
    else ready.push(chunk)
  })
  const glyphs = new Glyphs(await Fonts.open(document, kit, collectTexts(transcript)))
  function* chunks(): Generator<Uint8Array> {
    yield* mergeChunks(setPages(document, glyphs, transcript, ready))
    if (!isEnded) throw new Error('the PDF has no end')
  }
  return chunks()
}

/** Sets all paragraphs and yields finished output after each line. */
function* setPages(
  document: PdfDocument,
  glyphs: Glyphs,
  transcript: Transcript,
  ready: Uint8Array[],
): Generator<Uint8Array> {
  const ink = new PdfInk(document, glyphs)
  const typesetter = new Typesetter(ink, glyphs, transcript)
  for (const paragraph of documentParagraphs(transcript)) {
    for (const _ of typesetter.paragraph(paragraph)) yield* ready.splice(0)
  }
  if (glyphs.missing.size > 0) {
    const note = plainParagraph('note', missingNote(glyphs.missing))
    for (const _ of typesetter.paragraph({ ...note, rightToLeft: false })) yield* ready.splice(0)
  }
  ink.finish()
  yield* ready.splice(0)
}
