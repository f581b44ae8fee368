/*
 * The part of pdfkit used here. Its own types depend on Node's, which are not available in this folder. pdfkit and the
 * fonts are injected, so that the same code runs in the service and, lazily loaded, in the browser.
 */

/** Page content that a structure element holds; opaque. */
export type PdfContent = { readonly refs: readonly unknown[] }

/** A node of the structure tree that makes the file tagged. */
export type PdfElement = { add(child: PdfElement | PdfContent): PdfElement; end(): void }

/** An object of the file. */
export type PdfReference = { end(content?: string): void }

/** Position of a glyph, in thousandths of the font's size. */
type GlyphPosition = { xAdvance: number; advanceWidth: number; xOffset: number; yOffset: number }

/**
 * A font as pdfkit embeds it. `encode` adds the glyphs to the subset; `features`, even none, shape the text as one run.
 */
export type PdfFont = {
  readonly id: string
  ref(): PdfReference
  encode(text: string, features?: readonly never[]): [hex: string[], positions: GlyphPosition[]]
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean }
}

type PdfPage = { readonly fonts: Record<string, PdfReference>; readonly xobjects: Record<string, PdfReference> }

/** A bookmark, or the outline's root. */
export type PdfOutline = { addItem(title: string, options: { top: number; left: number }): PdfOutline }

export type PdfDocument = {
  /** called by pdfkit with each part of the file, then with null */
  push(chunk: Uint8Array | null): boolean
  addPage(): unknown
  readonly page: PdfPage
  registerFont(name: string, bytes: Uint8Array): PdfDocument
  font(name: string): unknown
  addContent(operators: string): unknown
  ref(data: Record<string, unknown>): PdfReference
  struct(type: string, options: { lang?: string; actual?: string }): PdfElement
  addStructure(element: PdfElement): unknown
  markStructureContent(tag: string): PdfContent
  markContent(tag: string, options: Record<string, unknown>): unknown
  endMarkedContent(): unknown
  readonly outline: PdfOutline
  end(): void
  /** the current font: pdfkit has no other way to encode text or look up a glyph */
  readonly _font: PdfFont
}

export type PdfDocumentConstructor = new (options: Record<string, unknown>) => PdfDocument

/** A typeface in its two weights, as TrueType. */
export type Face = { regular: Uint8Array; bold: Uint8Array }

/** pdfkit and the faces to embed, in order of preference; loaded only if the text needs them. */
export type PdfKit = { PDFDocument: PdfDocumentConstructor; faces: readonly (() => Promise<Face>)[] }

/** The subset files of Source Serif 4, in order of preference; DejaVu Sans comes after them. */
export const serifSubsets = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext'] as const
