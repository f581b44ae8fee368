/** An edit of one file. `unnoticed`: why neither compiler nor tests complain if the step is forgotten. */
export type Edit = { file: string; text: string; unnoticed?: string | undefined } & (
  | { after: string }
  | { replace: string }
  | { isNew: true }
)

/**
 * The example of a section of docs/CONTRIBUTING.md: its edits, and the tests that must pass then. The section names
 * every file of both.
 */
export type Recipe = { section: string; atMostFiles: number; edits: readonly Edit[]; tests: readonly string[] }

export const testAlone = 'a test that nobody wrote'

type Why = Edit['unnoticed']

export const created = (file: string, text: string, unnoticed?: Why): Edit => ({ file, isNew: true, text, unnoticed })

/** Inserts `text` after the only line that contains `after`. */
export const inserted = (file: string, after: string, text: string, unnoticed?: Why): Edit => {
  return { file, after, text, unnoticed }
}

/** Puts `text` in the place of `replace`, which must be in the file once. */
export const replaced = (file: string, replace: string, text: string, unnoticed?: Why): Edit => {
  return { file, replace, text, unnoticed }
}
