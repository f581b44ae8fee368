/*
 * Cells of CSV (RFC 4180), one rule for every table that leaves Parley: transcripts, receipts, the ledger. A row is its
 * cells joined by commas and ends in CR LF.
 */

/**
 * What makes a spreadsheet run a cell as a formula (OWASP, "CSV Injection"): = + - @ and their full-width forms, after
 * blanks too, and tab, CR or LF.
 */
const formulaStart = /^[\t\r\n]|^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

const plainDecimal = /^-?\d+(\.\d+)?$/

/**
 * Text as a cell: always in quotes, so that a separator of another country cannot end it. Where it begins like a formula
 * an apostrophe goes before it, which spreadsheets read as "this is text".
 */
export function csvText(text: string): string {
  const inert = formulaStart.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

/** A number as a cell, `-3.20` too; a decimal in text as it is written. What is no number is a cell of text; NaN is empty. */
export function csvNumber(value: number | string): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return value === '' || plainDecimal.test(value) ? value : csvText(value)
}
