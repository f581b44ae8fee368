import * as z from 'zod/mini'
import { visibleText } from '../interface/file-name.ts'

/*
 * Words and names in the account's recordings, and how recognizers mishear them. When an automated transcript is ready,
 * the service applies them as ordinary corrections; engines that support hints get the words beforehand.
 */

/** Most entries that an account may have. */
export const maxVocabulary = 2_000
/** Longest entry, heard form and preset name in UTF-16 units; most words of a form; most forms of an entry. */
const maxLength = 80
const maxFormWords = 6
export const maxForms = 20

/** Sanitized like other names, with single spaces; it has a letter or a digit. */
const form = z.string().check(
  z.overwrite((text) => visibleText(text.replaceAll(/\s+/gu, ' ')).trim()),
  z.minLength(1),
  z.maxLength(maxLength),
  z.regex(new RegExp(`^(?=.*[\\p{L}\\p{N}])\\S+(?: \\S+){0,${maxFormWords - 1}}$`, 'u')),
)
const forms = z.array(form).check(z.maxLength(maxForms))
/** A preset of the order page, by name. */
export const presetName = z.string().check(
  z.overwrite((text) => visibleText(text).trim()),
  z.minLength(1),
  z.maxLength(maxLength),
)
/** the preset to whose orders it applies; null: all orders */
const preset = z.nullable(presetName)

/** Body of `POST vocabulary`, all or nothing. If a word exists already, its heard forms are added to it. */
export const newVocabulary = z.strictObject({
  /** terms to add */
  entries: z
    .array(
      z.strictObject({
        /** as it should be written */
        written: form,
        /** forms that recognizers write instead; empty: it is only a hint */
        heard: forms,
        /** the preset of the order page that it belongs to; null: all orders */
        preset,
      }),
    )
    .check(z.minLength(1), z.maxLength(maxVocabulary)),
})
export type NewVocabularyEntry = z.infer<typeof newVocabulary>['entries'][number]

/** Body of `PATCH vocabulary/<id>` */
export const vocabularyChange = z.strictObject({
  /** as it should be written */
  written: form,
  /** forms that recognizers write instead; empty: it is only a hint */
  heard: forms,
  /** the preset of the order page that it belongs to; null: all orders */
  preset,
})

/** Body of `PATCH vocabulary`: renames a preset, which keeps its words. */
export const renamedPreset = z.strictObject({
  /** id of the preset */
  preset: presetName,
  /** its new name */
  name: presetName,
})

const vocabularyEntry = z.object({
  id: z.string(),
  /** correct spelling */
  written: z.string(),
  /** forms that it replaces; empty: it is only a hint for recognizers and typists */
  heard: z.array(z.string()),
  preset: z.nullable(z.string()),
  /** replacements made in transcripts and not undone */
  saved: z.int(),
  /** ISO 8601 */
  added: z.string(),
  /** name of the key that added it */
  key: z.string(),
})
export type VocabularyEntry = z.infer<typeof vocabularyEntry>

/** A replacement that users keep making manually: should it be automatic? */
const vocabularyProposal = z.object({
  /** as the engine writes it */
  heard: z.string(),
  /** as it should be written */
  written: z.string(),
  /** how often it was corrected */
  places: z.int(),
})
export type VocabularyProposal = z.infer<typeof vocabularyProposal>
/** Body of `POST vocabulary/dismissed`: it is not proposed again. */
export const dismissedProposal = z.strictObject({
  /** as the engine writes it */
  heard: form,
  /** as it should be written */
  written: form,
})

/** Response of `GET vocabulary`; `saved` counts only existing transcripts. */
export const vocabulary = z.object({
  /** terms of the vocabulary */
  entries: z.array(vocabularyEntry),
  /** how much the vocabulary has saved */
  saved: z.object({
    /** how many places */
    places: z.int(),
    /** in how many transcripts */
    transcripts: z.int(),
  }),
  /** terms found in corrections, which nobody has accepted yet */
  proposals: z.array(vocabularyProposal),
})
export type Vocabulary = z.infer<typeof vocabulary>

/** Response of `GET files/:id/vocabulary`: entries relevant to one transcript, for editors and typists. */
export const fileVocabulary = z.object({
  /** the preset of the order */
  preset: z.nullable(z.string()),
  /** words that apply to this order */
  words: z.array(z.string()),
  /** the service's words that were replaced, and not undone since */
  places: z.array(
    z.object({
      /** first word, counted from 0 */
      from: z.int(),
      /** the word after the last one */
      to: z.int(),
      text: z.string(),
    }),
  ),
  /** from corrections in this transcript */
  proposals: z.array(vocabularyProposal),
})
export type FileVocabulary = z.infer<typeof fileVocabulary>
