import regularUrl from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf?url'
import boldUrl from 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf?url'
import type { PdfKit } from '../../../formats/documents/pdf/pdfkit-port.ts'

async function font(url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error('The font could not be loaded.')
  return new Uint8Array(await response.arrayBuffer())
}

/** pdfkit and its fonts (1.5 MB), loaded on demand. @throws where that fails */
export async function pdfKit(): Promise<PdfKit> {
  const [{ default: PDFDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    font(regularUrl),
    font(boldUrl),
  ])
  return { PDFDocument, regular, bold }
}
