import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  type Face,
  type PdfDocumentConstructor,
  type PdfKit,
  serifSubsets,
} from '../../../formats/documents/pdf/pdfkit-port.ts'
import { unpackWoff } from '../../../formats/documents/pdf/unpack-woff.ts'

const { resolve } = createRequire(import.meta.url)

/** A typeface by its two files, read when first needed. */
function face(regular: string, bold: string, unpacked: (file: Uint8Array) => Uint8Array): () => Promise<Face> {
  let read: Promise<Face> | null = null
  const files = async () => {
    const [light, heavy] = await Promise.all([regular, bold].map((path) => readFile(resolve(path))))
    return { regular: unpacked(light as Uint8Array), bold: unpacked(heavy as Uint8Array) }
  }
  return () => (read ??= files())
}

const serif = (subset: string, weight: number) =>
  `@fontsource/source-serif-4/files/source-serif-4-${subset}-${weight}-normal.woff`

const faces: PdfKit['faces'] = [
  ...serifSubsets.map((subset) => face(serif(subset, 400), serif(subset, 600), unpackWoff)),
  face('dejavu-fonts-ttf/ttf/DejaVuSans.ttf', 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf', (file) => file),
]

/** The fonts of PDFs and pdfkit, lazily loaded with the first PDF (it is a tenth of all code). */
export async function pdfKit(): Promise<PdfKit> {
  const { default: PDFDocument } = await import('pdfkit')
  // The published types lack `_font`; the type of the port has all used members, and tests cover it.
  return { PDFDocument: PDFDocument as unknown as PdfDocumentConstructor, faces }
}
