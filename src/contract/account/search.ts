import * as z from 'zod/mini'

/** Maximum characters in a query. */
export const maxQueryLength = 1_000

const foundSentence = z.object({
  /** null if unknown */
  speaker: z.nullable(z.string()),
  /** start of the text, milliseconds of the recording */
  start_ms: z.number(),
  /** the first matching words, by index in the service's text, end exclusive */
  words: z.tuple([z.number(), z.number()]),
  text: z.string(),
  /** matching ranges of the text; UTF-16 units, ends exclusive */
  marks: z.array(z.tuple([z.number(), z.number()])),
})
export type FoundSentence = z.infer<typeof foundSentence>

/** Response of `GET search`: files, newest first. */
export const searchPage = z.object({
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** of the first stretch with a match; empty if only its name matches */
      sentences: z.array(foundSentence),
    }),
  ),
  next_cursor: z.nullable(z.string()),
  /** how much of the account is indexed, percent: below 100 there may be more matches */
  read_percent: z.number(),
})
export type SearchPage = z.infer<typeof searchPage>
