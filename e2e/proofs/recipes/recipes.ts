/** An edit of one file: inserts `text` after the first line that contains `after`, or replaces `replace` by it. */
export type Edit = { file: string; text: string } & ({ after: string } | { replace: string } | { isNew: true })

/** An example of docs/CONTRIBUTING.md: its edits, and the tests that must pass then. */
export type Recipe = { atMostFiles: number; edits: readonly Edit[]; tests: readonly string[] }

const config = 'src/service/platform/config.ts'

/** By the name passed to `npm run recipes`. */
export const recipes = {
  setting: {
    atMostFiles: 2,
    edits: [
      {
        file: config,
        after: "  seller: ['SELLER'",
        text: "  termsUrl: ['TERMS_URL', is.url, null, 'the terms that customers agree to'],",
      },
      {
        file: 'docs/operating.md',
        after: '| `SELLER` |',
        text: '| `TERMS_URL` | none | the terms that customers agree to |',
      },
    ],
    tests: ['src/service/start/cli/config-table.test.ts', 'src/service/start/cli/read-config.test.ts'],
  },
} as const satisfies Readonly<Record<string, Recipe>>
