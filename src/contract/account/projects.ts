import * as z from 'zod/mini'
import { visibleText } from '../interface/file-name.ts'
import { orderOptions } from '../interface/order-options.ts'
import { budgetPeriods } from './balance.ts'
import { newDefaults } from './settings.ts'
import { presetName } from './vocabulary.ts'

/*
 * Projects hold files, each file in one or none. An order names its project in `Order-Project`, a resumable upload in
 * `project`; if the project has been deleted by then, the order is made without one.
 */

/** Projects that an account may have. */
export const maxProjects = 1_000
/** Longest name in UTF-16 units. */
export const maxProjectName = 80
/** A project's name as search matches it (`project:"field work"`): in lower case, without quotation marks. */
export function searchedName(name: string): string {
  return name.replaceAll(/["“”„‟«»]/gu, '').toLowerCase()
}

const maxMoved = 10_000

/** One line, sanitized like other names. */
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
  /** the most that its orders may cost in cents, net of refunds; null: no limit */
  budget_cents: z.nullable(z.int()),
  /** by calendar month (UTC), or in all; absent: in all */
  budget_per: z.optional(z.enum(budgetPeriods)),
  /** what counts against its budget, including deleted files: the orders of this month, or all net of refunds */
  spent_cents: z.int(),
  /** initial options of its orders; null: the account's */
  options: z.nullable(z.partial(orderOptions)),
  /** the preset whose vocabulary applies to its orders */
  preset: z.nullable(z.string()),
})
export type Project = z.infer<typeof project>

/** Answer of `GET projects`, sorted by name */
export const projectList = z.object({ projects: z.array(project) })

/** Body of `POST projects`; names are unique, ignoring case. */
export const newProject = z.strictObject({ name: projectName })

/** Body of `PATCH projects/<id>`: omitted fields stay unchanged. */
export const projectChange = z.strictObject({
  /** its new name */
  name: z.optional(projectName),
  budget_cents: z.optional(budget),
  /** by calendar month (UTC), or in all */
  budget_per: z.optional(z.enum(budgetPeriods)),
  options: z.optional(z.nullable(newDefaults)),
  preset: z.optional(z.nullable(presetName)),
})
export type ProjectChange = z.infer<typeof projectChange>

/** Its response. `before`: the previous name, which may differ from the one that the page showed. */
export const changedProject = z.object({
  /** the project after the change */
  project,
  /** its name before */
  before: z.string(),
})

const projectOfFile = z.object({ id: z.string(), project: z.nullable(z.string()) })
/** Body of `PUT projects/files`: each file's new project; null: none. */
export const projectFiles = z.strictObject({
  files: z.array(projectOfFile).check(z.minLength(1), z.maxLength(maxMoved)),
})
export type ProjectOfFile = z.infer<typeof projectOfFile>
/** Its response: the moved files and their previous projects, which is all that undo needs. */
export const movedFiles = z.object({
  /** the files as they were, to undo the move */
  before: z.array(projectOfFile),
})
