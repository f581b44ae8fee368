import * as z from 'zod/mini'
import { correctionSet } from '../account/corrections.ts'
import { sentSeconds as seconds } from '../interface/words.ts'
import { workSteps } from './staff.ts'

/*
 * Parts of manual orders: the queue, claims, and what the holder of a part reads and writes. Times are seconds of the
 * whole recording, dates ISO 8601.
 */

const claimNumber = z.int().check(z.gte(1))

/** Why a part is given back. */
/** @public */
export const returnReasons = {
  'no-time': 'No time to finish it',
  'poor-audio': 'The sound is too hard to understand',
  'too-hard': 'The subject is too hard',
  language: 'Another language is spoken',
  sound: 'The sound does not play',
  other: 'Another reason',
} as const
export type ReturnReason = keyof typeof returnReasons

/** Why a part needs rework. */
/** @public */
export const reworkReasons = {
  missing: 'Something that is said is missing',
  timing: 'Times are wrong',
  speakers: 'Speakers are wrong or mixed up',
  inaudible: 'Marked inaudible, but it can be understood',
  spelling: 'Spelling or names are wrong',
  instructions: 'Instructions or options were not followed',
  unheard: 'Not enough of it was heard or changed',
} as const
export type ReworkReason = keyof typeof reworkReasons
const reworkReason = z.enum(Object.keys(reworkReasons) as [ReworkReason, ...ReworkReason[]])

/** A part as staff eligible to take it see it: nothing in it identifies the customer or another part. */
/** @public */
export const queueEntry = z.object({
  /** id of the part */
  id: z.string(),
  step: z.enum(workSteps),
  /** 1 for the first of `of`; 0 for the check of the whole file */
  position: z.int(),
  of: z.int(),
  /** the same three letters for all parts of an order, which say nothing else about it */
  order: z.string(),
  start: seconds,
  end: seconds,
  /** due date of the whole file */
  due: z.string(),
  /** number of speakers in the whole file; null: unknown */
  speakers: z.nullable(z.int()),
  /** from the recognizer's confidence; null: not recognized */
  difficulty: z.nullable(z.enum(['easy', 'usual', 'hard'])),
  /** options relevant here, as short labels: `Strict verbatim` */
  options: z.array(z.string()),
  has_instructions: z.boolean(),
  /** pay for it, `EUR 4.80`; null: no rate is set */
  pay: z.nullable(z.string()),
  /** somebody has begun, and their text is kept */
  is_begun: z.boolean(),
  /** why it needs rework; empty for first work */
  rework: z.array(reworkReason),
  /** a manager assigned it to the caller */
  is_assigned: z.boolean(),
})
export type QueueEntry = z.infer<typeof queueEntry>

/**
 * Response of `GET queue?step=&cursor=&limit=` (limit at most 200): what the caller may take now, assigned parts first,
 * then by due date.
 */
export const queuePage = z.object({ parts: z.array(queueEntry), total: z.int(), next_cursor: z.nullable(z.string()) })
export type QueuePage = z.infer<typeof queuePage>

/**
 * Body of `POST claims`. `part` null: the next one in the queue (of `step`, if given). 403: the role does not allow it,
 * or it is a review of the caller's own work. 404: gone, or nothing is available. 409: held or finished.
 */
export const newClaim = z.strictObject({ part: z.nullable(z.string()), step: z.optional(z.enum(workSteps)) })
export type NewClaim = z.infer<typeof newClaim>

/**
 * Response of `POST claims` (201) and of `POST parts/:id/hold`. `claim` is a fencing token: send it as `Claim:
 * <number>` with every further request for the part; a request whose claim has ended or belongs to somebody else is a
 * 409 and changes nothing. 410: the customer deleted the file; the hours are in the books.
 */
export const claim = z.object({ part: z.string(), claim: claimNumber, held_until: z.string() })
export type Claim = z.infer<typeof claim>

export const claimHeader = 'Claim'

/**
 * What is odd about a step: too little of the sound was heard; hardly a word of a first typing was changed; the text is
 * empty or far shorter than its draft.
 */
const oddMarks = ['unheard', 'unchanged', 'short'] as const
export type OddMark = (typeof oddMarks)[number]

/** What a step came to, when it was submitted or sent back; null: unknown. */
export const stepFigures = {
  /** share of the sound that was played in it, 0 to 1 */
  heard: z.nullable(z.number()),
  /** words of the resulting text, and how many of them changed */
  words: z.nullable(z.int()),
  changed_words: z.nullable(z.int()),
  /** left in the text: places that nobody is sure of, and blanks */
  doubts: z.nullable(z.int()),
  blanks: z.nullable(z.int()),
  /** why that was enough, in their words */
  explanation: z.nullable(z.string()),
  odd: z.array(z.enum(oddMarks)),
}

const stepBefore = z.object({
  position: z.int(),
  step: z.enum(workSteps),
  /** who did it: a number within the order, no name */
  person: z.int(),
  was_sent_back: z.boolean(),
  ...stepFigures,
})
export type StepBefore = z.infer<typeof stepBefore>

/** Words that a reviewer marked when sending a part back. */
const reworkPlace = z.strictObject({ start: seconds, end: seconds, text: z.string().check(z.maxLength(200)) })
export type ReworkPlace = z.infer<typeof reworkPlace>

const stretch = z.tuple([seconds, seconds])
/** Body of `POST parts/:id/hold`: renews the lease. `heard`: stretches played since the last time. */
export const renewal = z.strictObject({ heard: z.array(stretch).check(z.maxLength(1_000)) })

/**
 * A word of a part's initial text. Unlike those of spec 2.4 it has its speaker, as an index in `names`, and nothing that
 * typing would have to keep right: no `duration`, no `turn_conf`.
 */
const deskWord = z.object({
  word: z.string(),
  start: seconds,
  end: seconds,
  conf: z.number(),
  turn: z.optional(z.literal(true)),
  /** -1: unknown */
  speaker: z.int(),
})
export type DeskWord = z.infer<typeof deskWord>

/**
 * Response of `GET parts/:id`: what the holder of a part works with. Its text is `words` with the corrections of `GET
 * parts/:id/corrections`, which has the shapes, `ETag` and statuses of the account's `files/:id/corrections`, and is
 * changed by `POST` likewise (with `Claim` and `If-Match`). Without a recognizer `words` is empty: the whole text is
 * typed as one correction from 0 to 0.
 */
export const deskPart = z.object({
  part: queueEntry,
  /** of `words`, the base of the corrections */
  fingerprint: z.string(),
  words: z.array(deskWord),
  /** the names of the text's speakers, `Speaker 1` if unknown */
  names: z.array(z.string()),
  /** speaker names given by the order or by others who work on the file */
  known_names: z.array(z.string()),
  /** checklist, ticked off by id: options, and the customer's instructions point by point */
  sheet: z.array(z.object({ id: z.string(), text: z.string() })),
  /** words of the customer's vocabulary, correctly spelled */
  vocabulary: z.array(z.string()),
  strict_verbatim: z.boolean(),
  spelling: z.string(),
  /** how the operator wants things written, in Markdown; '' for nothing special */
  house_style: z.string(),
  /** stretches played so far in this step, by any holder: sorted, not overlapping */
  heard: z.array(stretch),
  /** the reviewer's or manager's note about the rework; '' for none */
  note: z.string(),
  /** the words marked for the rework */
  places: z.array(reworkPlace),
  /** the corrections before the step before this one: what differs now is its work; null: there is none to compare */
  set_before: z.nullable(correctionSet),
  /** the parts of the file under check, each of which can be sent back; [] in other steps and in a re-review */
  parts: z.array(z.object({ id: z.string(), position: z.int(), start: seconds, end: seconds })),
  /** what was done to it before, oldest first; in a check, to every part */
  before: z.array(stepBefore),
})
export type DeskPart = z.infer<typeof deskPart>

/** Minimum length of the reason for submitting with sound unheard, doubts left, or a text that is too short. Characters. */
export const shortestReason = 10

/**
 * Body of `POST parts/:id/submit`: completes the step. `revision`: of the corrections submitted; 412: there are newer
 * ones. 409 if points of the sheet are not ticked; or if less than `heard_share` was played, doubts are left or the text is
 * far too short, and no reason is given (see `GET parts/:id/unheard`).
 */
export const submission = z.strictObject({
  revision: z.int().check(z.gte(0)),
  ticked: z.array(z.string()).check(z.maxLength(1_000)),
  reason: z.optional(z.string().check(z.trim(), z.minLength(shortestReason), z.maxLength(500))),
})

/** Body of `POST parts/:id/return`: the next holder gets the text typed so far. */
export const givenBack = z.strictObject({
  reason: z.enum(Object.keys(returnReasons) as [ReturnReason, ...ReturnReason[]]),
  note: z.optional(z.string().check(z.maxLength(1_000))),
})

/** Response of `GET parts/:id/unheard`: stretches that nobody has played in this step, and what else is open. */
export const unheard = z.object({
  unheard: z.array(stretch),
  share: z.number(),
  /** what the caller's own step has heard: a check need not hear once more what reviewers heard */
  heard: z.number(),
  doubts: z.int(),
  blanks: z.int(),
  words: z.int(),
  changed_words: z.int(),
  /** what a manager will look at before the step is paid or the order released */
  odd: z.array(z.enum(oddMarks)),
})

/**
 * Response of `POST parts/:id/playback`: a WAV of the part with ten seconds before and after it, playable without a
 * key, with Range, until the hold ends. Second `s` of the recording is second `s - start` of it. `GET parts/:id/peaks`
 * has its waveform.
 */
export const partPlayback = z.object({ url: z.string(), start: seconds, seconds })
export type PartPlayback = z.infer<typeof partPlayback>

/**
 * Body of `POST parts/:id/reopen`, for managers and for the holder of the part's review or its file's check: sends it
 * back to typing, by anybody, with its text kept.
 */
export const reopening = z.strictObject({
  reasons: z.array(reworkReason).check(z.minLength(1), z.maxLength(6)),
  note: z.optional(z.string().check(z.maxLength(2_000))),
  places: z.optional(z.array(reworkPlace).check(z.maxLength(200))),
})
