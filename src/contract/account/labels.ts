import * as z from 'zod/mini'

/* What people put on files to keep them in order; the interface of programs does not know it. */

export const maxNameLength = 200
export const maxNoteLength = 2_000
const maxTagLength = 50
export const maxTags = 30
/** Files in one change. */
export const maxLabelled = 10_000

/** Line breaks, control characters, and those that turn the direction of what follows: none of them belong in one line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const notInLine = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

/** Text as one line: what does not belong there, and space at both ends, is left out. */
export function oneLine(text: string): string {
  return text.replaceAll(notInLine, ' ').replaceAll(/ {2,}/g, ' ').trim()
}

const displayName = z.string().check(z.maxLength(maxNameLength))
const note = z.string().check(z.maxLength(maxNoteLength))
const tag = z.string().check(z.minLength(1), z.maxLength(maxTagLength))

export const labels = z.object({
  /** shown in place of the file's name and given to downloads; '' if it has none of its own */
  name: displayName,
  note,
  /** sorted; no two differ in case alone */
  tags: z.array(tag).check(z.maxLength(maxTags)),
  archived: z.boolean(),
  /** no retention rule deletes anything of it; absent if it is not held */
  held: z.optional(z.literal(true)),
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
}

/** Body of `PATCH labels`: the same for all of the files. */
export const labelChange = z.strictObject({ ids: fileIds, ...changeOfLabels })
export type LabelChange = z.infer<typeof labelChange>

const fileLabels = z.object({ id: z.string(), labels })
export type LabelledFile = z.infer<typeof fileLabels>

/** Body of `PUT labels`: each file as it was before a change, to undo that change. */
export const labelledFiles = z.strictObject({
  files: z.array(fileLabels).check(z.maxLength(maxLabelled)),
  /** what is undone: what others changed since then stays; absent: all labels become what they were */
  undone: z.optional(z.strictObject(changeOfLabels)),
})
export type LabelledFiles = z.infer<typeof labelledFiles>

/** Answer of both: the files that changed, as they were before. Files that are gone are left out. */
export const labelsBefore = z.object({ before: z.array(fileLabels) })

function sameTag(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Labels after a change. Tags that differ in case alone are one: the first spelling stays. */
export function changedLabels(before: Labels, change: Omit<LabelChange, 'ids'>): Labels {
  const { add_tags: added = [], remove_tags: removed = [] } = change
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
  }
}

/** Labels as they are now, without a change that was made to others: what was changed again since then stays. */
export function undoneLabels(now: Labels, before: Labels, change: Omit<LabelChange, 'ids'>): Labels {
  const after = changedLabels(before, change)
  const held = Boolean(now.held) === Boolean(after.held) ? before.held : now.held
  return changedLabels(now, {
    ...(now.name === after.name && { name: before.name }),
    ...(now.note === after.note && { note: before.note }),
    ...(now.archived === after.archived && { archived: before.archived }),
    held: Boolean(held),
    add_tags: before.tags.filter((tag) => !after.tags.includes(tag)),
    remove_tags: after.tags.filter((tag) => !before.tags.includes(tag)),
  })
}
