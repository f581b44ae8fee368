import type { Recipe } from './recipe.ts'

const routes = 'src/web/boot/signed-in-routes.tsx'
const navItems = 'src/web/shell/nav-items.ts'
const unlinked = 'a page may be linked from another one alone'

export const page: Recipe = {
  section: 'A page',
  atMostFiles: 5,
  edits: [
    {
      file: 'src/web/screens/about/about-route.tsx',
      isNew: true,
      text: `import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'

/** About (\`/:environment/about\`): who is behind the service. */
export function Component() {
  return (
    <div className={pageClass}>
      <PageHeader title="About" subtitle="Who is behind this service" />
    </div>
  )
}
`,
    },
    {
      file: routes,
      replace: "    {\n      path: 'log',",
      text: `    {
      path: 'about',
      handle: page({ title: 'About' }),
      lazy: () => import('../screens/about/about-route.tsx'),
    },
    {
      path: 'log',`,
    },
    {
      file: navItems,
      after: "  { path: 'settings',",
      text: "  { path: 'about', label: 'About', short: 'About', icon: Info },",
      unnoticed: unlinked,
    },
    { file: navItems, replace: ', File, Settings', text: ', File, Info, Settings' },
    {
      file: 'src/tooling/floors.ts',
      after: "        folder('sign-in', 'the way in'),",
      text: "        folder('about', 'the operator'),",
    },
    { file: 'docs/architecture.md', after: '  sign-in/      the way in', text: '  about/        the operator' },
  ],
  tests: ['src/tooling/testing/import-rules.test.ts'],
}
