import * as z from 'zod/mini'

/** A query may have so many characters. */
export const maxQueryLength = 1_000

/** A place of a transcript where something was found. */
const foundSentence = z.object({
  /** who said it; null if that is unknown */
  speaker: z.nullable(z.string()),
  /** when the text begins, milliseconds of the recording */
  start_ms: z.number(),
  /** the first words found, by the service's numbers, the end exclusive */
  words: z.tuple([z.number(), z.number()]),
  text: z.string(),
  /** where in the text the words are that were found; UTF-16 units, ends exclusive */
  marks: z.array(z.tuple([z.number(), z.number()])),
})
export type FoundSentence = z.infer<typeof foundSentence>

/** Answer of `GET search`: files, the newest first. */
export const searchPage = z.object({
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** of the first stretch where anything was found; none where only its name matches */
      sentences: z.array(foundSentence),
    }),
  ),
  next_cursor: z.nullable(z.string()),
  /** how much of the account is read, percent: below 100 there may be more to find */
  read_percent: z.number(),
})
export type SearchPage = z.infer<typeof searchPage>
