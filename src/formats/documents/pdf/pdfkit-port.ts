/*
 * The part of pdfkit that is used here. Its own types depend on Node's, which this room does not have. pdfkit and the
 * fonts are passed in, so that the same code runs in the service and, loaded on demand, in the browser.
 */

/** Content of a page that a structure element holds; opaque. */
export type PdfContent = { readonly refs: readonly unknown[] }

/** A node of the structure tree that makes the file tagged. */
export type PdfElement = { add(child: PdfElement | PdfContent): PdfElement; end(): void }

type PdfTextOptions = { lineBreak: false; features?: readonly never[] }

export type PdfDocument = {
  /** called by pdfkit with each part of the file, then with null */
  push(chunk: Uint8Array | null): boolean
  addPage(): unknown
  registerFont(name: string, bytes: Uint8Array): unknown
  font(name: string): unknown
  fontSize(size: number): unknown
  fillColor(color: string): unknown
  text(text: string, x: number, y: number, options: PdfTextOptions): unknown
  widthOfString(text: string, options?: { features?: readonly never[] }): number
  save(): unknown
  transform(m11: number, m12: number, m21: number, m22: number, dx: number, dy: number): unknown
  restore(): unknown
  addContent(operators: string): unknown
  struct(type: string): PdfElement
  addStructure(element: PdfElement): unknown
  markStructureContent(tag: string): PdfContent
  markContent(tag: string, options: Record<string, unknown>): unknown
  endMarkedContent(): unknown
  end(): void
  /** the font in use: pdfkit has fontkit's font there and no other way to look up a glyph */
  readonly _font: { readonly id: string; readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } }
}

export type PdfDocumentConstructor = new (options: Record<string, unknown>) => PdfDocument

/** pdfkit and the TrueType fonts to embed. */
export type PdfKit = { PDFDocument: PdfDocumentConstructor; regular: Uint8Array; bold: Uint8Array }
