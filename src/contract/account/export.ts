import * as z from 'zod/mini'
import { correctionChange, keptCorrections } from './corrections.ts'
import { fileEntry } from './file-pages.ts'
import { review } from './review.ts'

/** How long an export can be downloaded. */
export const exportDays = 3

/** Body of `POST exports`. */
export const newExport = z.strictObject({
  /** also every recording; else texts and data alone */
  recordings: z.boolean(),
})

/** A copy of the whole account as one ZIP. */
export const accountExport = z.object({
  id: z.string(),
  /** with recordings */
  recordings: z.boolean(),
  /** `making`, `made` or `failed` */
  state: z.enum(['making', 'made', 'failed']),
  /** files that are in it by now */
  files_done: z.int(),
  /** files of the account when it was begun */
  files: z.int(),
  /** size of the ZIP; 0 while it is being made */
  bytes: z.int(),
  /** ISO 8601 */
  created: z.string(),
  /** when it is removed, ISO 8601 */
  expires: z.string(),
  /** address of the ZIP, which needs no key and goes on in the middle (`Range`); null while it is being made */
  url: z.nullable(z.string()),
  /** why it failed; null if it did not */
  error: z.nullable(z.string()),
})
export type AccountExport = z.infer<typeof accountExport>

export const accountExports = z.object({
  /** newest first */
  exports: z.array(accountExport),
})

/** `file.json` of each file in an export. */
export const exportedFile = z.object({
  /** as the account interface answers it, with the metadata of the customer's interface */
  file: fileEntry,
  /** the corrections now */
  corrections: keptCorrections,
  /** every kept change of the corrections, oldest first: its versions are the states after them */
  changes: z.array(
    z.object({
      /** of the corrections after it */
      revision: z.int(),
      /** ISO 8601 */
      saved: z.string(),
      /** name of the key that sent it */
      key: z.string(),
      /** what it is called in the list of versions */
      label: z.string(),
      /** name that was given to the version; null: none */
      name: z.nullable(z.string()),
      /** the change itself */
      change: correctionChange,
    }),
  ),
  /** what was checked and approved; null: the transcript is not ready */
  review: z.nullable(review),
  /** places that the vocabulary corrected */
  vocabulary: z.array(
    z.object({
      /** first word, counted from 0 */
      from_word: z.int(),
      /** the word after the last one */
      to_word: z.int(),
      /** the entry of the vocabulary */
      written: z.string(),
      /** the text that stands there, with its punctuation */
      text: z.string(),
      /** it was corrected otherwise since */
      undone: z.boolean(),
    }),
  ),
})
export type ExportedFile = z.infer<typeof exportedFile>
