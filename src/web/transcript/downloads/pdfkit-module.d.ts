import type { PdfDocumentConstructor } from '../../../formats/documents/pdf/pdfkit-port.ts'

/* Replaces pdfkit's own types in this folder (`paths` in tsconfig.json), as those pull in Node's. */
declare const PDFDocument: PdfDocumentConstructor
// biome-ignore lint/style/noDefaultExport: it is how pdfkit exports
export default PDFDocument
