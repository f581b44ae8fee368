import cyrillic400 from '@fontsource/source-serif-4/files/source-serif-4-cyrillic-400-normal.woff?url'
import cyrillic600 from '@fontsource/source-serif-4/files/source-serif-4-cyrillic-600-normal.woff?url'
import cyrillicExt400 from '@fontsource/source-serif-4/files/source-serif-4-cyrillic-ext-400-normal.woff?url'
import cyrillicExt600 from '@fontsource/source-serif-4/files/source-serif-4-cyrillic-ext-600-normal.woff?url'
import greek400 from '@fontsource/source-serif-4/files/source-serif-4-greek-400-normal.woff?url'
import greek600 from '@fontsource/source-serif-4/files/source-serif-4-greek-600-normal.woff?url'
import latin400 from '@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff?url'
import latin600 from '@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff?url'
import latinExt400 from '@fontsource/source-serif-4/files/source-serif-4-latin-ext-400-normal.woff?url'
import latinExt600 from '@fontsource/source-serif-4/files/source-serif-4-latin-ext-600-normal.woff?url'
import vietnamese400 from '@fontsource/source-serif-4/files/source-serif-4-vietnamese-400-normal.woff?url'
import vietnamese600 from '@fontsource/source-serif-4/files/source-serif-4-vietnamese-600-normal.woff?url'
import sansRegular from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf?url'
import sansBold from 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf?url'
import type { Face, PdfKit, serifSubsets } from '../../../formats/documents/pdf/pdfkit-port.ts'
import { unpackWoff } from '../../../formats/documents/pdf/unpack-woff.ts'

type Urls = readonly [regular: string, bold: string]

const serif: Record<(typeof serifSubsets)[number], Urls> = {
  latin: [latin400, latin600],
  'latin-ext': [latinExt400, latinExt600],
  cyrillic: [cyrillic400, cyrillic600],
  greek: [greek400, greek600],
  vietnamese: [vietnamese400, vietnamese600],
  'cyrillic-ext': [cyrillicExt400, cyrillicExt600],
}

async function file(url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error('The font could not be loaded.')
  return new Uint8Array(await response.arrayBuffer())
}

async function face([regular, bold]: Urls, unpacked: (file: Uint8Array) => Uint8Array): Promise<Face> {
  const [light, heavy] = await Promise.all([file(regular), file(bold)])
  return { regular: unpacked(light), bold: unpacked(heavy) }
}

/**
 * Loads pdfkit and only the fonts that a text needs: 50 kB for English, 1.5 MB for letters missing from the serif.
 * @throws if loading fails
 */
export async function pdfKit(): Promise<PdfKit> {
  const { default: PDFDocument } = await import('pdfkit')
  const serifFaces = Object.values(serif).map((urls) => () => face(urls, unpackWoff))
  return { PDFDocument, faces: [...serifFaces, () => face([sansRegular, sansBold], (bytes) => bytes)] }
}
