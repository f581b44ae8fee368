/*
 * CSV cells (RFC 4180) for every table that Parley exports: transcripts, receipts, the ledger. A row is its cells
 * joined by commas and ends in CR LF.
 */

/**
 * What makes a spreadsheet run a cell as a formula (OWASP, "CSV Injection"): = + - @ and their full-width forms, also
 * after whitespace, and tab, CR or LF.
 */
const formulaStart = /^[\t\r\n]|^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

const plainDecimal = /^-?\d+(\.\d+)?$/

/**
 * A text cell, always quoted, so that a semicolon cannot end it in locales that separate by semicolons. Would-be
 * formulas get a leading apostrophe, which spreadsheets read as "this is text".
 */
export function csvText(text: string): string {
  const inert = formulaStart.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

/** What ends a cell: spreadsheets with decimal commas expect semicolons. */
export const csvSeparators = ['comma', 'semicolon'] as const

/** A table with commas as one with semicolons and decimal commas; its texts stay, as they are quoted. */
export function withSemicolons(csv: string): string {
  const swapped: Readonly<Record<string, string>> = { ',': ';', '.': ',' }
  return csv.replaceAll(/"(?:[^"]|"")*"|[,.]/g, (part) => swapped[part] ?? part)
}

/**
 * A numeric cell, possibly negative; a decimal string stays as it is. Any other text becomes a text cell, NaN is empty.
 */
export function csvNumber(value: number | string): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return value === '' || plainDecimal.test(value) ? value : csvText(value)
}
