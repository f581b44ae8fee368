import { created, type Edit, inserted, type Recipe, replaced, testAlone } from './recipe.ts'

const accountRoutes = 'src/service/api/account/account-routes.ts'
const accountTest = 'src/service/api/account/account.db.test.ts'
const navItems = 'src/web/shell/nav-items.ts'

/** The edits of a page in the sidebar, after the last one. */
const planPage = (name: string, title: string, icon: string, holds: string, text: string): Edit[] => [
  created(`src/web/screens/${name}/${name}-route.tsx`, text),
  replaced(
    'src/web/boot/signed-in-routes.tsx',
    "        {\n          path: 'webhooks',",
    `        {
          path: '${name}',
          handle: page({ title: '${title}' }),
          lazy: twice(() => import('../screens/${name}/${name}-route.tsx')),
        },
        {
          path: 'webhooks',`,
  ),
  replaced(
    navItems,
    '] as const\n\nexport type NavItem',
    `  { path: '${name}', label: '${title}', short: '${title}', icon: ${icon} },\n] as const\n\nexport type NavItem`,
    'a page may be linked from another one alone',
  ),
  replaced(navItems, "} from 'lucide-react'", `, ${icon} } from 'lucide-react'`),
  inserted(
    'src/tooling/floors.ts',
    "        folder('sign-in', 'the way in'),",
    `        folder('${name}', '${holds}'),`,
  ),
  inserted('docs/architecture.md', '  sign-in/      the way in', `  ${`${name}/`.padEnd(14)}${holds}`),
]

export const page: Recipe = {
  section: 'A page',
  atMostFiles: 5,
  edits: planPage(
    'about',
    'About',
    'Info',
    'the operator',
    `import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'

/** About (\`/:environment/about\`): who is behind the service. */
export function Component() {
  return (
    <div className={pageClass}>
      <PageHeader title="About" subtitle="Who is behind this service" />
    </div>
  )
}
`,
  ),
  tests: ['src/tooling/testing/import-rules.test.ts'],
}

const deletionsPage = `import { useQuery } from '@tanstack/react-query'
import { deletionsQuery } from '../../base/api/deletions.ts'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { UnreadNotice } from '../../base/ui/notice.tsx'
import { useSession } from '../../signed-in/session/session.ts'

/** Deleted files (\`/:environment/deletions\`), the newest first. */
export function Component() {
  const { data, error, refetch } = useQuery(deletionsQuery(useSession()))
  return (
    <div className={pageClass}>
      <PageHeader title="Deleted files" />
      {error && <UnreadNotice what="The list" error={error} onAgain={() => void refetch()} />}
      <ul>
        {data?.files.map(({ id, deleted }) => <li key={id}>{deleted}: {id}</li>)}
      </ul>
    </div>
  )
}
`

/** A route with a page that shows what it answers. */
export const route: Recipe = {
  section: 'A route',
  atMostFiles: 13,
  edits: [
    created(
      'src/contract/account/deletions.ts',
      `import * as z from 'zod/mini'

/** Response of \`GET deletions\`, the newest first; times are ISO 8601. */
export const deletions = z.object({ files: z.array(z.object({ id: z.string(), deleted: z.string() })) })
`,
    ),
    created(
      'src/service/orders/file/deleted-files.ts',
      `import type { Db } from '../../platform/db/open.ts'
import { iso } from '../../platform/iso-time.ts'

/** The last hundred files of an account that were deleted in the last 30 days. */
export async function deletedFiles(db: Db, accountId: string): Promise<{ id: string; deleted: string }[]> {
  const ofAccount = db.selectFrom('deleted_files').where('account_id', '=', accountId)
  const rows = await ofAccount.select(['id', 'deleted_at']).orderBy('version', 'desc').limit(100).execute()
  return rows.map(({ id, deleted_at }) => ({ id, deleted: iso(deleted_at) }))
}
`,
    ),
    created(
      'src/service/api/account/deletion-routes.ts',
      `import { deletions } from '../../../contract/account/deletions.ts'
import { deletedFiles } from '../../orders/file/deleted-files.ts'
import { route } from '../http/account-route.ts'

/** \`deletions\`: files that were deleted. */
export const deletionRoutes = [
  route('get /deletions', 'Deleted files', { 200: deletions }, async ({ platform: { db }, caller }) => ({
    files: await deletedFiles(db, caller.account.id),
  })),
]
`,
    ),
    inserted(
      accountRoutes,
      "import { correctionRoutes } from './correction-routes.ts'",
      "import { deletionRoutes } from './deletion-routes.ts'",
    ),
    inserted(
      accountRoutes,
      "  Log: withRights(logRoutes, 'manage', 'manage'),",
      "  'Deleted files': withRights(deletionRoutes, 'manage'),",
    ),
    replaced('src/reference/pages/log.md', '* ^/account/log }}', '* ^/account/(log|deletions) }}'),
    created(
      'src/web/base/api/deletions.ts',
      `import { deletions } from '../../../contract/account/deletions.ts'
import { accountQuery } from './account-call.ts'
import type { Session } from './client.ts'

/** The account's deleted files. */
export const deletionsQuery = (session: Session) => accountQuery(session, ['deletions'], 'deletions', deletions)
`,
    ),
    ...planPage('deletions', 'Deleted files', 'Trash2', 'deleted files', deletionsPage),
    replaced(
      accountTest,
      "describe('keys', () => {",
      `test('deleted files are listed', async () => {
  const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', { seconds: 9, progress_percent: 0 })
  await room.service.fetch(room.account.key, \`file/\${id}\`, { method: 'DELETE' })
  expect(await room.client.read('GET', 'deletions')).toEqual({ files: [{ id, deleted: expect.any(String) }] })
})

describe('keys', () => {`,
      testAlone,
    ),
  ],
  tests: [
    accountTest,
    'src/service/api/account/isolation.db.test.ts',
    'src/tooling/testing/import-rules.test.ts',
    'src/reference/reference.test.ts',
  ],
}
