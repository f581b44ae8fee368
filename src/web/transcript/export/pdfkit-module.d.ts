import type { PdfDocumentConstructor } from '../../../formats/documents/pdf/pdfkit-port.ts'

/*
 * Stands for pdfkit's own types in this room (`paths` in tsconfig.json): those bring Node's, which a browser has not.
 */
declare const PDFDocument: PdfDocumentConstructor
// biome-ignore lint/style/noDefaultExport: it is how pdfkit exports
export default PDFDocument
