import * as z from 'zod/mini'
import { maxPatches } from '../interface/limits.ts'
import { sentSeconds } from '../interface/words.ts'

/*
 * Corrections of a transcript: edits to the service's text, stored separately. See `correction-set.ts` for the rules.
 */

/** Longest text of one word in UTF-16 units. */
const maxWordLength = 2_000
/** Longest body of a change; more is a 413. A manual edit has a few hundred bytes. */
export const maxChangeBytes = 8 * 1_024 * 1_024
const maxNames = 1_000

const count = z.int().check(z.gte(0))
const place = z.tuple([count, count])

/** Manual settings of the caption that begins with a word; everything else about it is automatic. Times in seconds. */
const cueSeconds = z.optional(sentSeconds)
const cueEdit = z.object({
  /** it extends to the next manually started caption if that fits the rules */
  whole: z.optional(z.literal(true)),
  /** so it does even if it breaks the rules, with its own lines: it came from a file */
  fixed: z.optional(z.literal(true)),
  start: cueSeconds,
  end: cueSeconds,
  /** it is shown at the top of the picture */
  top: z.optional(z.literal(true)),
  /** its own line breaks: how many of its words stand before each */
  breaks: z.optional(z.array(z.int().check(z.gte(1), z.lte(255))).check(z.minLength(1), z.maxLength(2))),
})
export type CueEdit = z.infer<typeof cueEdit>

/** Unlike words of spec 2.4, one that is typed has its speaker, and may have no known `conf`. */
const patchWord = z.object({
  text: z.string().check(z.maxLength(maxWordLength), z.regex(/^[^\r\n]*\S[^\r\n]*$/)),
  start: sentSeconds,
  end: sentSeconds,
  /** 0 to 1, null if unknown */
  conf: z.nullable(z.number().check(z.gte(0), z.lte(1))),
  /** the next word begins another speaker turn (spec 2.4) */
  endsTurn: z.boolean(),
  /** index in the names, -1 if unknown */
  speaker: z.int().check(z.gte(-1)),
  /** index of the word in the patch's old words, -1 if it is new */
  old: z.int().check(z.gte(-1)),
  /** a caption begins with this word, even if none would automatically */
  cue: z.optional(cueEdit),
})
export type PatchWord = z.infer<typeof patchWord>

/**
 * One corrected place: `words` replaces the service's words `from` to `to`. The old words and their neighbors locate
 * the place in a newer version.
 */
const patch = z.object({
  /** first word of the transcript that is replaced, counted from 0 */
  from: count,
  /** the word after the last one that is replaced */
  to: count,
  startSeconds: sentSeconds,
  /** the words that are replaced: with their neighbors they find the place again in a newer text */
  old: z.readonly(z.array(z.string())),
  /** words before the place */
  before: z.readonly(z.array(z.string())),
  /** words behind it */
  after: z.readonly(z.array(z.string())),
  /** the words in their place */
  words: z.readonly(z.array(patchWord)),
})
export type Patch = z.infer<typeof patch>

const names = z.readonly(z.array(z.string().check(z.maxLength(1_000))).check(z.maxLength(maxNames)))

/**
 * All corrections of one transcript: the text that was corrected, the patches (sorted, not overlapping), and the names.
 */
export const correctionSet = z.object({
  /** hash of the words of the service to which the corrections belong */
  fingerprint: z.string().check(z.maxLength(40)),
  /** names of the speakers as they were recognized; added speakers are at the end */
  baseNames: names,
  /** their corrected names, in the same order */
  names,
  /** the corrections, in the order of the text */
  patches: z.readonly(z.array(patch).check(z.maxLength(maxPatches))),
})
export type CorrectionSet = z.infer<typeof correctionSet>

/** Response of `GET files/:id/corrections`; its `ETag` is the revision. `set` is null if nothing was ever corrected. */
export const keptCorrections = z.object({
  revision: z.int(),
  /** the corrections; null: none */
  set: z.nullable(correctionSet),
})
export type KeptCorrections = z.infer<typeof keptCorrections>

/**
 * Body of `POST files/:id/corrections`, with `If-Match: "revision"`: changes to the set. The response has the new
 * revision. 412: another client wrote first, so fetch again and merge. 409: the change is based on a different text
 * than the service's.
 */
export const correctionChange = z.object({
  fingerprint: correctionSet.shape.fingerprint,
  /** names of the speakers as they were recognized */
  baseNames: names,
  names,
  /** start from an empty set, for example because the service's text is newer */
  anew: z.optional(z.boolean()),
  /** places of patches to remove */
  remove: z.array(place).check(z.maxLength(2 * maxPatches)),
  /** patches to add */
  put: z.array(patch).check(z.maxLength(maxPatches)),
  /** description of the change: `Typing` */
  label: z.string().check(z.maxLength(200)),
})
export type CorrectionChange = z.infer<typeof correctionChange>

/** Labels of changes that put another text in the place of the whole: what was there before is worth restoring. */
export const replacingLabels = {
  original: 'Restored original',
  version: 'Restored version of',
  copy: 'Loaded copy',
  captions: 'Imported captions',
} as const

export const correctionRevision = z.object({ revision: z.int() })

/**
 * A state of the corrections that can be read and restored: the last one before a pause before another key's change, or before
 * another text was put in its place.
 */
const correctionVersion = z.object({
  revision: z.int(),
  /** ISO 8601 */
  saved: z.string(),
  /** name of the key that wrote it */
  key: z.string(),
  /** what was done, in words */
  label: z.string(),
  /** corrected places, renamed speakers included */
  corrections: z.int(),
  /** null if nobody named it */
  name: z.nullable(z.string()),
})
export type CorrectionVersion = z.infer<typeof correctionVersion>
/**
 * Response of `GET files/:id/corrections/versions`, newest first. `…/versions/:revision` responds like `GET
 * corrections`.
 */
export const correctionVersions = z.object({
  /** newest first */
  versions: z.array(correctionVersion),
})
/** Body of `PATCH files/:id/corrections/versions/:revision` */
export const newVersionName = z.strictObject({ name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)) })
