import type { PdfDocument, PdfKit } from './pdfkit-port.ts'

/** What a document says of itself. `created`: ISO 8601, `lang`: BCP 47. */
type About = { title: string; created: string; lang: string }

/**
 * A document that passes on each part of the file synchronously; as a stream it would buffer everything until the next
 * event loop turn.
 */
export function openDocument(
  { title, created: createdAt, lang }: About,
  { PDFDocument }: PdfKit,
  take: (chunk: Uint8Array | null) => void,
): PdfDocument {
  class HandingDocument extends PDFDocument {
    override push(chunk: Uint8Array | null): boolean {
      take(chunk)
      return true
    }
  }
  const created = new Date(createdAt)
  return new HandingDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang,
    autoFirstPage: false,
    font: '',
    fontLayoutCache: false,
    info: {
      Title: title,
      Creator: 'Parley',
      ...(Number.isNaN(created.getTime()) ? {} : { CreationDate: created }),
    },
  })
}
