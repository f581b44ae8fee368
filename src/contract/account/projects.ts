import * as z from 'zod/mini'
import { visibleText } from '../interface/file-name.ts'
import { orderOptions } from '../interface/order-options.ts'
import { newDefaults } from './settings.ts'
import { presetName } from './vocabulary.ts'

/*
 * Projects hold files, each file in one or none. An order names its project in `Order-Project`, a resumable upload in
 * `project`; where the project is gone by then, the order is made without one.
 */

/** Projects that an account may have. */
export const maxProjects = 1_000
/** Longest name in UTF-16 units. */
export const maxProjectName = 80
/** A project's name as it is searched for (`project:"field work"`): in lower case, without quotation marks. */
export function searchedName(name: string): string {
  return name.replaceAll(/["“”„‟«»]/gu, '').toLowerCase()
}

/** Files that are moved at once. */
const maxMoved = 10_000

/** One line, cleaned as names are. */
const projectName = z.string().check(
  z.overwrite((text) => visibleText(text.replaceAll(/\s+/gu, ' ')).trim()),
  z.minLength(1),
  z.maxLength(maxProjectName),
)
const budget = z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000_000)))

export const project = z.object({
  id: z.string(),
  name: z.string(),
  /** ISO 8601 */
  created: z.string(),
  /** the most that its orders may cost in cents, less what was refunded; null: no limit */
  budget_cents: z.nullable(z.int()),
  /** what was charged for its files, less refunds, also of those that are deleted */
  spent_cents: z.int(),
  /** what its orders are offered with; null: as all orders */
  options: z.nullable(z.partial(orderOptions)),
  /** the preset whose vocabulary is for its orders */
  preset: z.nullable(z.string()),
})
export type Project = z.infer<typeof project>

/** Answer of `GET projects`, sorted by name */
export const projectList = z.object({ projects: z.array(project) })

/** Body of `POST projects`; a name that differs from another's in case alone is taken. */
export const newProject = z.strictObject({ name: projectName })

/** Body of `PATCH projects/<id>`: what is left out stays. */
export const projectChange = z.strictObject({
  name: z.optional(projectName),
  budget_cents: z.optional(budget),
  options: z.optional(z.nullable(newDefaults)),
  preset: z.optional(z.nullable(presetName)),
})
export type ProjectChange = z.infer<typeof projectChange>

/** Answer of it. `before`: the name until then, which may be another than the one that the page showed. */
export const changedProject = z.object({ project, before: z.string() })

const projectOfFile = z.object({ id: z.string(), project: z.nullable(z.string()) })
/** Body of `PUT projects/files`: in which project each file is from now on; null: none. */
export const projectFiles = z.strictObject({
  files: z.array(projectOfFile).check(z.minLength(1), z.maxLength(maxMoved)),
})
export type ProjectOfFile = z.infer<typeof projectOfFile>
/** Answer of it: the files that were moved, as they were, which is all that undoing needs. */
export const movedFiles = z.object({ before: z.array(projectOfFile) })
