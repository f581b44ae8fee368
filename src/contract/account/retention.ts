import * as z from 'zod/mini'

/* Retention rules: what is deleted by itself, how long after a transcript was ready. */

const dayMs = 24 * 60 * 60_000
/** Nothing goes sooner than this after it was first to be seen that it will. */
export const noticeDays = 7
export const noticeMs = noticeDays * dayMs
const longestDays = 3_650
export const maxRules = 500

const days = z.nullable(z.int().check(z.minimum(noticeDays), z.maximum(longestDays)))

const retentionScopes = ['account', 'project', 'tag'] as const
export type RetentionScope = (typeof retentionScopes)[number]

/** Days after the transcript was ready; null: never. */
const periods = z.strictObject({
  /** the recording goes, the text stays */
  recording_days: days,
  /** the file goes with everything of it */
  all_days: days,
})
export type RetentionPeriods = z.infer<typeof periods>

/** Whom a rule is for: all files, those of a project (its id), or those with a tag in any case. */
const scope = { scope: z.enum(retentionScopes), target: z.string().check(z.maxLength(100)) }

const retentionRule = z.object({
  ...scope,
  /** as people call it: the tag or the name of the project; '' for all files */
  name: z.string(),
  ...periods.shape,
})
export type RetentionRule = z.infer<typeof retentionRule>

const goingDay = z.object({
  /** `2026-12-03`, in the time zone that was asked for */
  day: z.string(),
  /** recordings that go without their text */
  recordings: z.int(),
  /** files that go with everything */
  files: z.int(),
})
export type GoingDay = z.infer<typeof goingDay>

const forecast = {
  /** the next days on which anything goes, in their order */
  days: z.array(goingDay),
  /** what goes after the last of them */
  later: z.int(),
}

/** Answer of `GET keeping?zone=Europe/Berlin` */
export const retention = z.object({
  rules: z.array(retentionRule),
  ...forecast,
  /** files that are held */
  held: z.int(),
  /** tags and projects that files have, which a rule could be for */
  tags: z.array(z.string()),
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type RetentionState = z.infer<typeof retention>

/** Body of `PUT keeping?zone=`: a rule that is made or changed, or where `keep` is null removed. */
export const retentionChange = z.strictObject({
  ...scope,
  keep: z.nullable(periods),
  /** false: nothing is changed, and the answer says what would be */
  confirmed: z.boolean(),
})
export type RetentionChange = z.infer<typeof retentionChange>

const going = z.object({ name: z.string(), what: z.enum(['recording', 'all']), at: z.string() })

/** What goes, of the files that are kept for another time than before. */
export const retentionPreview = z.object({
  /** finished files that are kept for another time than before */
  files: z.int(),
  ...forecast,
  /** what goes first */
  first: z.array(going),
})
export type RetentionPreview = z.infer<typeof retentionPreview>
