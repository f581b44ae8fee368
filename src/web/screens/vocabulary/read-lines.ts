import type { NewVocabularyEntry } from '../../../contract/account/vocabulary.ts'

/** Heard forms as they are typed in one field: between commas or semicolons. */
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

/** One word a line, then what is heard instead, as lists and spreadsheets are pasted: `Nordwind, north wind, nord vind`. */
export function readLines(text: string, preset: string | null): NewVocabularyEntry[] {
  return text.split('\n').flatMap((line) => {
    const [written, ...heard] = readForms(line)
    return written === undefined ? [] : [{ written, heard, preset }]
  })
}
