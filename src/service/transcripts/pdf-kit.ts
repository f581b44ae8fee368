import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import type { PdfDocumentConstructor, PdfKit } from '../../formats/documents/pdf/pdfkit-port.ts'

let kit: Promise<PdfKit> | null = null

async function font(name: string): Promise<Uint8Array> {
  return readFile(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
}

/** pdfkit and the fonts of PDFs, loaded when the first PDF is requested. */
export function pdfKit(): Promise<PdfKit> {
  kit ??= Promise.all([font('DejaVuSans'), font('DejaVuSans-Bold')]).then(([regular, bold]) => ({
    // The published types lack `_font`; the type of the port names what is used, and tests cover it.
    PDFDocument: PDFDocument as unknown as PdfDocumentConstructor,
    regular,
    bold,
  }))
  return kit
}
