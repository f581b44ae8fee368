/*
 * Cells of CSV (RFC 4180) for every table that Parley exports: transcripts, receipts, the ledger. A row is its cells
 * joined by commas and ends in CR LF.
 */

/**
 * What makes a spreadsheet run a cell as a formula (OWASP, "CSV Injection"): = + - @ and their full-width forms, after
 * blanks too, and tab, CR or LF.
 */
const formulaStart = /^[\t\r\n]|^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

const plainDecimal = /^-?\d+(\.\d+)?$/

/**
 * A cell of text, always quoted, so that a semicolon cannot end it where spreadsheets separate by semicolons. What
 * would be a formula gets an apostrophe in front, which spreadsheets read as "this is text".
 */
export function csvText(text: string): string {
  const inert = formulaStart.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

/**
 * A cell of a number, negative ones too; a decimal string stays as it is. Any other text is a cell of text, NaN is
 * empty.
 */
export function csvNumber(value: number | string): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return value === '' || plainDecimal.test(value) ? value : csvText(value)
}
