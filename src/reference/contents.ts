/*
 * The pages of /docs in the order of the sidebar. Each is `pages/SLUG.md`, whose first heading is its title. Addresses
 * and anchors are public: they never change.
 */

export type Group = { title: string; slugs: readonly string[] }

export const contents: readonly Group[] = [
  {
    title: 'Guide',
    slugs: [
      ...['start', 'uploads', 'options', 'progress', 'transcripts', 'deleting', 'webhooks'],
      ...['sandbox', 'client', 'errors', 'limits', 'versions'],
    ],
  },
  {
    title: 'The account’s own interface',
    slugs: [
      ...['account', 'api-keys', 'payment', 'usage', 'log', 'search', 'projects', 'vocabulary'],
      ...['files', 'corrections', 'captions'],
    ],
  },
  { title: 'Operators', slugs: ['operators'] },
  { title: 'Staff', slugs: ['staff'] },
]

/** Anchors of the single page that `/docs` was, and where they lead now. */
export const formerAnchors: Readonly<Record<string, string>> = {
  files: 'uploads',
  'resumable-uploads': 'uploads#resumable',
  account: 'account',
  vocabulary: 'vocabulary',
  'api-keys': 'api-keys',
  payment: 'payment',
  usage: 'usage',
  log: 'log',
  search: 'search',
  projects: 'projects',
  'file-pages': 'files',
  webhook: 'webhooks#requests',
  'sandbox-tools': 'sandbox#requests',
  work: 'staff',
  event: 'webhooks',
  schemas: 'progress#metadata',
  'schema-Error': 'errors#body',
  'schema-FileMetadata': 'progress#metadata',
  'schema-Word': 'transcripts#words',
}
