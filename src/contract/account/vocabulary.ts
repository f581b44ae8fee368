import * as z from 'zod/mini'
import { visibleText } from '../interface/file-name.ts'

/*
 * Words and names that the account's recordings have, and what recognisers make of them. When an automated transcript is
 * ready, the service puts right what was heard as something else, by ordinary corrections; engines that take hints are
 * given the words before.
 */

/** Most entries that an account may have. */
export const maxVocabulary = 2_000
/** Longest entry, heard form and preset's name in UTF-16 units; most words of a form; most forms of an entry. */
const maxLength = 80
const maxFormWords = 6
const maxForms = 20

/** Cleaned as names are, with single blanks; it has a letter or a digit. */
const form = z.string().check(
  z.overwrite((text) => visibleText(text.replaceAll(/\s+/gu, ' ')).trim()),
  z.minLength(1),
  z.maxLength(maxLength),
  z.regex(new RegExp(`^(?=.*[\\p{L}\\p{N}])\\S+(?: \\S+){0,${maxFormWords - 1}}$`, 'u')),
)
const forms = z.array(form).check(z.maxLength(maxForms))
/** A preset of the order page by its name. */
export const presetName = z.string().check(
  z.overwrite((text) => visibleText(text).trim()),
  z.minLength(1),
  z.maxLength(maxLength),
)
/** the preset whose orders it is for; null: all orders */
const preset = z.nullable(presetName)

/** Body of `POST vocabulary`, all or nothing. Where a word is there already, its heard forms are added to it. */
export const newVocabulary = z.strictObject({
  entries: z
    .array(z.strictObject({ written: form, heard: forms, preset }))
    .check(z.minLength(1), z.maxLength(maxVocabulary)),
})
export type NewVocabularyEntry = z.infer<typeof newVocabulary>['entries'][number]

/** Body of `PATCH vocabulary/<id>` */
export const vocabularyChange = z.strictObject({ written: form, heard: forms, preset })

/** Body of `PATCH vocabulary`: a preset has another name now, and keeps its words. */
export const renamedPreset = z.strictObject({ preset: presetName, name: presetName })

const vocabularyEntry = z.object({
  id: z.string(),
  /** as it is written right */
  written: z.string(),
  /** what is put right by it; none: it is only a hint for recognisers and typists */
  heard: z.array(z.string()),
  preset: z.nullable(z.string()),
  /** places of transcripts where it was put right, and was not undone */
  saved: z.int(),
  /** ISO 8601 */
  added: z.string(),
  /** the name of the key that added it */
  key: z.string(),
})
export type VocabularyEntry = z.infer<typeof vocabularyEntry>

/** The same replacement made again and again: should it always be made? */
const vocabularyProposal = z.object({ heard: z.string(), written: z.string(), places: z.int() })
export type VocabularyProposal = z.infer<typeof vocabularyProposal>
/** Body of `POST vocabulary/dismissed`: it is not proposed again. */
export const dismissedProposal = z.strictObject({ heard: form, written: form })

/** Answer of `GET vocabulary`; `saved` counts the transcripts that are still there. */
export const vocabulary = z.object({
  entries: z.array(vocabularyEntry),
  saved: z.object({ places: z.int(), transcripts: z.int() }),
  proposals: z.array(vocabularyProposal),
})
export type Vocabulary = z.infer<typeof vocabulary>

/** Answer of `GET files/:id/vocabulary`: what concerns one transcript, for those that correct or type it. */
export const fileVocabulary = z.object({
  /** the preset that the order was made with */
  preset: z.nullable(z.string()),
  /** the words for this order */
  words: z.array(z.string()),
  /** service's words that were put right, and not undone since */
  places: z.array(z.object({ from: z.int(), to: z.int(), text: z.string() })),
  /** of what was corrected in this transcript */
  proposals: z.array(vocabularyProposal),
})
export type FileVocabulary = z.infer<typeof fileVocabulary>
