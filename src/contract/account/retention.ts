import * as z from 'zod/mini'
import { dayMs } from '../common/durations.ts'

/* Retention rules: what is deleted automatically, and how long after a transcript was ready. */

/** Minimum notice: nothing is deleted sooner than this after the deletion was first announced. */
export const noticeDays = 7
export const noticeMs = noticeDays * dayMs
const longestDays = 3_650
export const maxRules = 500

const days = z.nullable(z.int().check(z.minimum(noticeDays), z.maximum(longestDays)))

const retentionScopes = ['account', 'project', 'tag'] as const
export type RetentionScope = (typeof retentionScopes)[number]

/** Days after the transcript was ready; null: never. */
const periods = z.strictObject({
  /** the recording is deleted, the text stays */
  recording_days: days,
  /** the file is deleted entirely */
  all_days: days,
})
export type RetentionPeriods = z.infer<typeof periods>

/** Scope of a rule: all files, those of a project (its id), or those with a tag (case-insensitive). */
const scope = { scope: z.enum(retentionScopes), target: z.string().check(z.maxLength(100)) }

const retentionRule = z.object({
  ...scope,
  /** display name: the tag or the name of the project; '' for all files */
  name: z.string(),
  ...periods.shape,
})
export type RetentionRule = z.infer<typeof retentionRule>

const goingDay = z.object({
  /** `2026-12-03`, in the requested time zone */
  day: z.string(),
  /** recordings deleted without their text */
  recordings: z.int(),
  /** files deleted entirely */
  files: z.int(),
})
export type GoingDay = z.infer<typeof goingDay>

const forecast = {
  /** the next days with deletions, in order */
  days: z.array(goingDay),
  /** deletions after the last of them */
  later: z.int(),
}

/** Response of `GET retention?zone=Europe/Berlin` */
export const retention = z.object({
  rules: z.array(retentionRule),
  ...forecast,
  /** files that are held */
  held: z.int(),
  /** tags and projects in use, which a rule could target */
  tags: z.array(z.string()),
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type RetentionState = z.infer<typeof retention>

/** Body of `PUT retention?zone=`: creates or changes a rule, or removes it if `keep` is null. */
export const retentionChange = z.strictObject({
  ...scope,
  keep: z.nullable(periods),
  /** false: dry run; nothing changes, and the response previews the effect */
  confirmed: z.boolean(),
})
export type RetentionChange = z.infer<typeof retentionChange>

const going = z.object({
  name: z.string(),
  /** `recording`, or `all` of the file */
  what: z.enum(['recording', 'all']),
  /** when, ISO 8601 */
  at: z.string(),
})

/** Deletions among the files whose retention period changes. */
export const retentionPreview = z.object({
  /** finished files whose retention period changes */
  files: z.int(),
  ...forecast,
  /** the first deletions */
  first: z.array(going),
})
export type RetentionPreview = z.infer<typeof retentionPreview>
