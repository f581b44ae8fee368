import * as z from 'zod/mini'
import { fileMetadata } from '../interface/metadata.ts'
import { captionRules } from './captions.ts'
import { labels } from './labels.ts'
import { reviewStates } from './review.ts'

const heardSound = z.object({
  /** number of the sound track that is heard, from 1 */
  track: z.int(),
  tracks: z.int(),
  /** title or language of the track; empty if the recording has none */
  name: z.string(),
  /** the only channel of the track that is heard, as both together cancel each other; null: all */
  channel: z.nullable(z.enum(['left', 'right'])),
  /** if each track or channel is a speaker of its own: their titles, empty if they have none */
  voices: z.optional(z.array(z.string())),
})
export type HeardSound = z.infer<typeof heardSound>

/** The client's name for files that it orders together (`Order-Batch`). */
export const batchName = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))

/** One file of the account with what the dashboard needs besides the spec's metadata; response of `GET files/<id>`. */
export const fileEntry = z.object({
  id: z.string(),
  /** increases with every change of any file of the account */
  version: z.int(),
  media_kind: z.enum(['audio', 'video']),
  /** when the transcript was ready, ISO 8601 */
  ready: z.nullable(z.string()),
  /** sandbox: when everything of the file is removed, ISO 8601 (spec 8) */
  expires: z.nullable(z.string()),
  delete_when_ready: z.boolean(),
  /** number of corrections in its transcript at the time of the response */
  corrections: z.int(),
  /** how far the review of the text is */
  review: z.enum(reviewStates),
  /** absent if they are Parley's */
  caption_rules: z.optional(captionRules),
  /** absent if all sound of the recording is heard, or if that is not known yet */
  heard: z.optional(heardSound),
  /** how far a damaged recording was readable: its transcript ends there; absent if completely, or if not known yet */
  readable_seconds: z.optional(z.number()),
  /** absent if it has none */
  labels: z.optional(labels),
  /** the id of its project; absent if it has none */
  project: z.optional(z.string()),
  /** as its order named it; absent if it was ordered alone */
  batch: z.optional(z.string()),
  /** the next deletion by a retention rule, ISO 8601; absent if none is due */
  leaves: z.optional(
    z.object({
      /** when, ISO 8601 */
      at: z.string(),
      /** `recording`, or `all` of the file */
      what: z.enum(['recording', 'all']),
    }),
  ),
  /** when a rule deleted the recording, ISO 8601; absent if it still exists */
  recording_deleted: z.optional(z.string()),
  /** present if the order was given up: it never becomes ready, and what was paid for it was refunded */
  given_up: z.optional(z.literal(true)),
  metadata: fileMetadata,
})
export type FileEntry = z.infer<typeof fileEntry>

/**
 * Response of `GET files?cursor=&limit=`, newest first. Note `version` of the first page, and after the last page fetch
 * the changes since then.
 */
export const filePage = z.object({
  files: z.array(fileEntry),
  total: z.int(),
  next_cursor: z.nullable(z.string()),
  /** the newest version of the account's files as of this page */
  version: z.int(),
})
export type FilePage = z.infer<typeof filePage>

/** Response of `GET files?since=<version>&limit=`: changes after that version, in order of version. */
export const fileChanges = z.object({
  files: z.array(fileEntry),
  deleted: z.array(z.string()),
  /** the version for the next request */
  version: z.int(),
  /** there are more changes to read */
  more: z.boolean(),
  /** deletions since that version are no longer known: fetch all pages again */
  resync: z.boolean(),
})
export type FileChanges = z.infer<typeof fileChanges>

/** Response of `PUT` and `DELETE files/<id>/delete-when-ready`. A file that is already ready is deleted at once. */
export const deleteWhenReady = z.object({
  delete_when_ready: z.boolean(),
  /** whether it was ready already, and is deleted */
  deleted: z.boolean(),
})

const recordedTime = z.object({
  /** `date`: when the file was made, which some cameras write at the end */
  source: z.enum(['time code', 'recorder', 'date']),
  /** the time code as it is in the file, or an ISO 8601 time */
  text: z.string(),
  /** seconds of the day; null if the file does not say in which time zone: convert `text` */
  seconds: z.nullable(z.number()),
})
export type RecordedTime = z.infer<typeof recordedTime>

/** Response of `GET files/<id>/recorded-times`: when the recording began, by what is in the file itself. */
export const recordedTimes = z.object({
  /** found in the file */
  times: z.array(recordedTime),
})

/**
 * Response of `POST files/<id>/playback`. `url` is a path of this service that plays without a key, with Range; it
 * expires with the key that requested it or at `expires`, whichever is first. It plays the recording or, if browsers
 * cannot play it or would miss its times, a listening copy, of `mime_type` and `bytes`; `original` is always the
 * recording. `copy`: whether `url` is a copy, or one is still to be made, or missing as the disk was full. `GET files/<id>/peaks` (with the key)
 * returns the waveform in at most 2,000 peaks (src/contract/interface/peaks.ts).
 */
export const playback = z.object({
  /** address that plays without a key, below the service */
  url: z.string(),
  /** when it stops working, ISO 8601 */
  expires: z.string(),
  mime_type: z.string(),
  media_kind: z.enum(['audio', 'video']),
  bytes: z.int(),
  seconds: z.number(),
  /** address of the recording as it was uploaded; absent if `url` is that */
  original: z.optional(z.string()),
  /** the copy that players seek exactly: `made` and at `url`, `coming`, or `no-room` */
  copy: z.optional(z.enum(['made', 'coming', 'no-room'])),
})
export type Playback = z.infer<typeof playback>
