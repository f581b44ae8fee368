import * as z from 'zod/mini'
import { workSteps } from './staff.ts'

/* Parts of manual orders: the queue, claims, and what whoever holds a part reads and writes. Times in seconds are of the whole recording, dates ISO 8601. */

const seconds = z.number().check(z.gte(0))
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

/** Why a part is to be worked on once more. */
/** @public */
export const reworkReasons = {
  missing: 'Something that is said is missing',
  timing: 'Times are wrong',
  speakers: 'Speakers are wrong or mixed up',
  inaudible: 'Marked inaudible, but it can be understood',
  spelling: 'Spelling or names are wrong',
  instructions: 'Instructions or options were not followed',
} as const
export type ReworkReason = keyof typeof reworkReasons
const reworkReason = z.enum(Object.keys(reworkReasons) as [ReworkReason, ...ReworkReason[]])

/** A part as whoever may take it sees it: nothing in it names the customer or another part. */
/** @public */
export const queueEntry = z.object({
  /** of the part */
  id: z.string(),
  step: z.enum(workSteps),
  /** 1 for the first of `of`; 0 for the check, which is of the whole file */
  position: z.int(),
  of: z.int(),
  start: seconds,
  end: seconds,
  /** when the whole file is due */
  due: z.string(),
  /** how many voices the whole file has; null: nobody knows */
  speakers: z.nullable(z.int()),
  /** by how sure the recogniser was; null: nothing recognised it */
  difficulty: z.nullable(z.enum(['easy', 'usual', 'hard'])),
  /** options that matter here, in short words: `Strict verbatim` */
  options: z.array(z.string()),
  has_instructions: z.boolean(),
  /** what is paid for it, `EUR 4.80`; null: nothing is set */
  pay: z.nullable(z.string()),
  /** somebody has begun, and what they typed is there */
  is_begun: z.boolean(),
  /** why it is to be worked on once more; empty for first work */
  rework: z.array(reworkReason),
  /** a manager gave it to whoever asks */
  is_assigned: z.boolean(),
})
export type QueueEntry = z.infer<typeof queueEntry>

/**
 * Answer of `GET queue?step=&cursor=&limit=` (limit at most 200): what may be taken now by whoever asks, assigned ones and
 * what is due first before others.
 */
export const queuePage = z.object({ parts: z.array(queueEntry), total: z.int(), next_cursor: z.nullable(z.string()) })
export type QueuePage = z.infer<typeof queuePage>

/**
 * Body of `POST claims`. `part` null: the next one of the queue (of `step`, if it is given).
 * 403: not for this role, or one's own work to review. 404: gone, or nothing is there to take. 409: held or finished.
 */
export const newClaim = z.strictObject({ part: z.nullable(z.string()), step: z.optional(z.enum(workSteps)) })
export type NewClaim = z.infer<typeof newClaim>

/**
 * Answer of `POST claims` (201) and of `POST parts/:id/hold`. `claim` goes with every further request of the part, as
 * `Claim: <number>`; a request with a claim that has ended, or is another one's, is a 409 and changes nothing. 410: the
 * file was deleted by its customer; the hours are in the books.
 */
export const claim = z.object({ part: z.string(), claim: claimNumber, held_until: z.string() })
export type Claim = z.infer<typeof claim>

export const claimHeader = 'Claim'

const stretch = z.tuple([seconds, seconds])
/** Body of `POST parts/:id/hold`: renews it. `heard`: which stretches were played since the last time. */
export const renewal = z.strictObject({ heard: z.array(stretch).check(z.maxLength(1_000)) })

/** A word of the text that a part begins with (spec 2.4, with the voice by its place in `names`). */
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
 * Answer of `GET parts/:id`: what whoever holds a part works with. Its text is `words` with the corrections of
 * `GET parts/:id/corrections`, which has the shapes, `ETag` and statuses of the account's `files/:id/corrections`, and is
 * changed by `POST` likewise (with `Claim` and `If-Match`). Without a recogniser `words` is empty: all is typed as one
 * correction from 0 to 0.
 */
export const deskPart = z.object({
  part: queueEntry,
  /** of `words`: what the corrections are made to */
  fingerprint: z.string(),
  words: z.array(deskWord),
  /** the names of the text's speakers, `Speaker 1` where none is known */
  names: z.array(z.string()),
  /** names that the order or others who work on the file gave to speakers */
  known_names: z.array(z.string()),
  /** to be ticked off, each by its id: options, and the customer's instructions point by point */
  sheet: z.array(z.object({ id: z.string(), text: z.string() })),
  /** words of the customer's vocabulary, as they are written right */
  vocabulary: z.array(z.string()),
  strict_verbatim: z.boolean(),
  spelling: z.string(),
  /** stretches that were heard so far in this step, by whoever held it: sorted, apart */
  heard: z.array(stretch),
  /** what the reviewer or manager wrote about the rework; '' for none */
  note: z.string(),
  /** the parts of the whole that is checked, each of which can be sent back; [] in other steps and of a re-review */
  parts: z.array(z.object({ id: z.string(), position: z.int(), start: seconds, end: seconds })),
})
export type DeskPart = z.infer<typeof deskPart>

/**
 * Body of `POST parts/:id/submit`: the step is done. `revision`: of the corrections that are meant; 412: there are others.
 * 409 where points of the sheet are not ticked, or less than `heard_share` was heard and no reason is given (`unheard` of
 * `GET parts/:id/unheard` says what).
 */
export const submission = z.strictObject({
  revision: z.int().check(z.gte(0)),
  ticked: z.array(z.string()).check(z.maxLength(1_000)),
  unheard_reason: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(500))),
})

/** Body of `POST parts/:id/return`: what was typed goes to the next. */
export const givenBack = z.strictObject({
  reason: z.enum(Object.keys(returnReasons) as [ReturnReason, ...ReturnReason[]]),
  note: z.optional(z.string().check(z.maxLength(1_000))),
})

/** Answer of `GET parts/:id/unheard`: stretches of sound that nobody has heard in this step. */
export const unheard = z.object({ unheard: z.array(stretch), share: z.number() })

/**
 * Answer of `POST parts/:id/playback`: a wav of the part with ten seconds before and after it, playable without a key, with
 * Range, until the hold ends. Second `s` of the recording is second `s - start` of it. `GET parts/:id/peaks` has its waveform.
 */
export const partPlayback = z.object({ url: z.string(), start: seconds, seconds })
export type PartPlayback = z.infer<typeof partPlayback>

/**
 * Body of `POST parts/:id/reopen`, for managers and for whoever holds the review of the part or the check of its file: it
 * is typed once more, by anybody, with what is there.
 */
export const reopening = z.strictObject({
  reasons: z.array(reworkReason).check(z.minLength(1), z.maxLength(6)),
  note: z.optional(z.string().check(z.maxLength(2_000))),
})
