import type { NewVocabularyEntry } from '../../../contract/account/vocabulary.ts'

/** Parses heard forms typed in one field: separated by commas or semicolons. */
export function readForms(text: string): string[] {
  return text
    .split(/[,;\t\n]/)
    .map((form) =>
      form
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    )
    .filter((form) => form !== '')
}

/** Parses one word per line, then its heard forms, as pasted from spreadsheets: `Nordwind, north wind, nord vind`. */
export function readLines(text: string, preset: string | null): NewVocabularyEntry[] {
  return text.split('\n').flatMap((line) => {
    const [written, ...heard] = readForms(line)
    return written === undefined ? [] : [{ written, heard, preset }]
  })
}
