/** An edit of one file: inserts `text` after the first line that contains `after`, or replaces `replace` by it. */
export type Edit = { file: string; text: string } & ({ after: string } | { replace: string } | { isNew: true }) & {
    /** why neither compiler nor tests complain if the step is forgotten */
    unnoticed?: string
  }

/**
 * The example of a section of docs/CONTRIBUTING.md: its edits, and the tests that must pass then. The section names
 * every file of both.
 */
export type Recipe = { section: string; atMostFiles: number; edits: readonly Edit[]; tests: readonly string[] }

export const testAlone = 'a test that nobody wrote'
