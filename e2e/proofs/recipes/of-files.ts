import { type Edit, inserted, type Recipe, replaced, testAlone } from './recipe.ts'

const migrations = 'src/service/platform/db/migrations.ts'
const migrationsTest = 'src/service/platform/db/migrations.test.ts'
const reader = 'src/web/base/api/metadata-reader.ts'

/** A migration at the end, with the digest of its statement. */
const migrationOf = (name: string, statement: string, digest: string): Edit[] => [
  replaced(
    migrations,
    ']\n\n/** The migrations that a database has applied. */',
    `  { name: '${name}', sqlite: ["${statement}"], postgres: ["${statement}"] },
]

/** The migrations that a database has applied. */`,
  ),
  replaced(migrationsTest, '}\n/** SHA-256 of the objects', `  '${name}': '${digest}',\n}\n/** SHA-256 of the objects`),
]

export const migration: Recipe = {
  section: 'A migration',
  atMostFiles: 2,
  edits: migrationOf(
    '900-files-by-name',
    'create index files_name on files (account_id, name)',
    '0c31e9b4a07831df083a5d15415de299a90d06cb2cca4d0d4966915c160c64fa',
  ),
  tests: [migrationsTest],
}

export const column: Recipe = {
  section: 'A column of files',
  atMostFiles: 10,
  edits: [
    ...migrationOf(
      '901-client-name',
      'alter table files add column client_name text',
      '2ae6dd5004af34ea3e68d8e2e4b541275c7ae3af0be030359c3717ad4276be98',
    ),
    replaced(
      'src/service/platform/db/schema.ts',
      '  media_extension: string\n',
      '  /** as the client called it, with its extension; null: ordered before this was stored */\n  client_name: string | null\n  media_extension: string\n',
    ),
    inserted('src/service/orders/create/create.ts', '    name: displayName(fileName),', '    client_name: fileName,'),
    replaced(
      'src/contract/account/file-pages.ts',
      '  version: z.int(),\n  media_kind:',
      '  version: z.int(),\n  /** the name of the recording as it was sent; null if not known */\n  client_name: z.nullable(z.string()),\n  media_kind:',
    ),
    inserted('src/service/orders/file-pages.ts', '    version: row.version,', '    client_name: row.client_name,'),
    replaced(
      reader,
      '  /** null if the service does not report it */\n  mediaKind:',
      '  /** the name of the recording as it was sent; null if not known */\n  clientName: string | null\n  /** null if the service does not report it */\n  mediaKind:',
    ),
    inserted(reader, '    mediaKind: source.media_kind ?? null,', '    clientName: source.client_name ?? null,'),
    inserted(reader, '    ...(record.mediaKind ?', '    client_name: record.clientName,'),
    inserted('src/web/signed-in/library/testing/whole-entry.ts', '  version: 7,', "  client_name: 'talk.wav',"),
    replaced(
      'src/web/screens/files/columns/columns.tsx',
      '  order: {\n',
      `  original: {
    label: 'Original name',
    width: 168,
    numeric: false,
    initiallyVisible: false,
    sortBy: { text: (record) => record.clientName ?? '' },
    firstDirection: 'asc',
    Cell: ({ record }) => record.clientName ?? 'Unknown',
  },
  order: {
`,
      'data may be shown elsewhere than in the list',
    ),
    replaced(
      'src/service/api/account/files.db.test.ts',
      "  test('changes since a version include",
      `  test('have the name of the recording as it was sent', async () => {
    await room.service.order(room.account.key, await room.service.tone(1), '', { name: 'talk.wav' })
    const { files } = await room.client.read<FilePage>('GET', 'files')
    expect(files.map(({ client_name }) => client_name)).toEqual(['talk.wav'])
  })

  test('changes since a version include`,
      testAlone,
    ),
  ],
  tests: [migrationsTest, 'src/service/api/account/files.db.test.ts', 'src/web/signed-in/library/library-rows.test.ts'],
}
