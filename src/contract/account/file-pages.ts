import * as z from 'zod/mini'
import { fileMetadata } from '../interface/metadata.ts'
import { labels } from './labels.ts'
import { reviewStates } from './review.ts'

/** One file of the account with what the dashboard needs beside the spec's metadata. */
export const fileEntry = z.object({
  id: z.string(),
  /** grows at every change of the file, over all files of the service */
  version: z.int(),
  media_kind: z.enum(['audio', 'video']),
  /** when the transcript was ready, ISO 8601 */
  ready: z.nullable(z.string()),
  /** sandbox: when everything of the file is removed, ISO 8601 (spec 8) */
  expires: z.nullable(z.string()),
  delete_when_ready: z.boolean(),
  /** corrections of its transcript, when it was read */
  corrections: z.int(),
  review: z.enum(reviewStates),
  /** absent if it has none */
  labels: z.optional(labels),
  /** the id of its project; absent if it has none */
  project: z.optional(z.string()),
  /** what a retention rule deletes next, ISO 8601; absent if none does */
  leaves: z.optional(z.object({ at: z.string(), what: z.enum(['recording', 'all']) })),
  /** when a rule deleted the recording, ISO 8601; absent if it is there */
  recording_deleted: z.optional(z.string()),
  metadata: fileMetadata,
})
export type FileEntry = z.infer<typeof fileEntry>

/**
 * Answer of `GET files?cursor=&limit=`: the newest first. Read `version` of the first page and ask for what changed
 * since then once the last page is read.
 */
export const filePage = z.object({
  files: z.array(fileEntry),
  total: z.int(),
  next_cursor: z.nullable(z.string()),
  /** the newest version of the account's files when this page was read */
  version: z.int(),
})
export type FilePage = z.infer<typeof filePage>

/** Answer of `GET files?since=<version>&limit=`: what changed after that version, in order of version. */
export const fileChanges = z.object({
  files: z.array(fileEntry),
  deleted: z.array(z.string()),
  /** the version to ask from next */
  version: z.int(),
  /** there are more changes to read */
  more: z.boolean(),
  /** what was deleted since that version is no longer known: read all pages again */
  resync: z.boolean(),
})
export type FileChanges = z.infer<typeof fileChanges>

/** Answer of `PUT` and `DELETE files/<id>/delete-when-ready`. A file that is ready already is deleted at once. */
export const deleteWhenReady = z.object({ delete_when_ready: z.boolean(), deleted: z.boolean() })

/**
 * Answer of `POST files/<id>/playback`. `url` is a path of this service that plays without a key, with Range; it ends
 * with the key that asked for it or at `expires`, whichever is first. `GET files/<id>/peaks` (with the key) gives the
 * waveform in at most 2,000 peaks (src/contract/interface/peaks.ts).
 */
export const playback = z.object({
  url: z.string(),
  expires: z.string(),
  mime_type: z.string(),
  media_kind: z.enum(['audio', 'video']),
  bytes: z.int(),
  seconds: z.number(),
})
export type Playback = z.infer<typeof playback>
