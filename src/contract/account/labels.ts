import * as z from 'zod/mini'

/* Labels for organizing files; `/v1/` does not expose them. */

export const maxNameLength = 200
export const maxNoteLength = 2_000
const maxTagLength = 50
export const maxTags = 30
/** Files per change. */
export const maxLabelled = 10_000

/** Line breaks, control characters and bidi controls: none of them belong in a single line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const notInLine = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

/** Text as one line: trimmed, without characters that do not belong there. */
export function oneLine(text: string): string {
  return text.replaceAll(notInLine, ' ').replaceAll(/ {2,}/g, ' ').trim()
}

const displayName = z.string().check(z.maxLength(maxNameLength))
const note = z.string().check(z.maxLength(maxNoteLength))
const secondsOfDay = z.number().check(z.minimum(0), z.maximum(86_399.999))
const tag = z.string().check(z.minLength(1), z.maxLength(maxTagLength))

export const labels = z.object({
  /** replaces the file's name on screen and in downloads; '' if unset */
  name: displayName,
  note,
  /** sorted; no two differ only in case */
  tags: z.array(tag).check(z.maxLength(maxTags)),
  archived: z.boolean(),
  /** exempt from retention rules; absent if it is not held */
  held: z.optional(z.literal(true)),
  /** what a clock showed when the recording began, in seconds of the day; absent: times count from 0 */
  begins_at_seconds: z.optional(secondsOfDay),
})
export type Labels = z.infer<typeof labels>

export const noLabels: Labels = { name: '', note: '', tags: [], archived: false }

const fileIds = z.array(z.string()).check(z.minLength(1), z.maxLength(maxLabelled))

const changeOfLabels = {
  name: z.optional(displayName),
  note: z.optional(note),
  add_tags: z.optional(z.array(tag).check(z.maxLength(maxTags))),
  remove_tags: z.optional(z.array(tag)),
  archived: z.optional(z.boolean()),
  held: z.optional(z.boolean()),
  /** null: times count from 0 again */
  begins_at_seconds: z.optional(z.nullable(secondsOfDay)),
}

/** Body of `PATCH labels`: the same change for all of the files. */
export const labelChange = z.strictObject({ ids: fileIds, ...changeOfLabels })
export type LabelChange = z.infer<typeof labelChange>

const fileLabels = z.object({ id: z.string(), labels })
export type LabelledFile = z.infer<typeof fileLabels>

/** Body of `PUT labels`: each file's labels before a change, to undo that change. */
export const labelledFiles = z.strictObject({
  files: z.array(fileLabels).check(z.maxLength(maxLabelled)),
  /** the change to undo: later changes by others stay; absent: all labels revert */
  undone: z.optional(z.strictObject(changeOfLabels)),
})
export type LabelledFiles = z.infer<typeof labelledFiles>

/** Response of both: the changed files as they were before. Deleted files are left out. */
export const labelsBefore = z.object({
  /** the files as they were, to undo the move */
  before: z.array(fileLabels),
})

function sameTag(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Labels after a change. Tags that differ only in case are one: the first spelling stays. */
export function changedLabels(before: Labels, change: Omit<LabelChange, 'ids'>): Labels {
  const { add_tags: added = [], remove_tags: removed = [] } = change
  const begins = change.begins_at_seconds === undefined ? before.begins_at_seconds : change.begins_at_seconds
  const kept = before.tags.filter((one) => !removed.some((other) => sameTag(one, other)))
  for (const one of added.map(oneLine)) {
    if (one !== '' && !kept.some((other) => sameTag(one, other))) kept.push(one)
  }
  return {
    name: change.name === undefined ? before.name : oneLine(change.name),
    note: change.note === undefined ? before.note : change.note.trim(),
    tags: kept.sort((a, b) => a.localeCompare(b, 'en')),
    archived: change.archived ?? before.archived,
    ...((change.held ?? before.held) && { held: true }),
    ...(typeof begins === 'number' && { begins_at_seconds: begins }),
  }
}

/** Current labels with a change undone: anything changed again since then stays. */
export function undoneLabels(now: Labels, before: Labels, change: Omit<LabelChange, 'ids'>): Labels {
  const after = changedLabels(before, change)
  const held = Boolean(now.held) === Boolean(after.held) ? before.held : now.held
  return changedLabels(now, {
    ...(now.name === after.name && { name: before.name }),
    ...(now.note === after.note && { note: before.note }),
    ...(now.archived === after.archived && { archived: before.archived }),
    held: Boolean(held),
    ...(now.begins_at_seconds === after.begins_at_seconds && { begins_at_seconds: before.begins_at_seconds ?? null }),
    add_tags: before.tags.filter((tag) => !after.tags.includes(tag)),
    remove_tags: after.tags.filter((tag) => !before.tags.includes(tag)),
  })
}
