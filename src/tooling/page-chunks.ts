import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import type { PreloadedPage } from '../contract/common/preloaded-pages.ts'

/*
 * Code splitting of the dashboard. Every chunk costs a request and the browser's time to link it, and every byte costs
 * time on a slow connection. So code that many visits need comes in few chunks, and everything else follows the
 * bundler's default, one chunk per page.
 */

/** The chunks of most visits; the order matters, as each excludes the contents of those before it. */
const visitChunks = ['early', 'base', 'entry', 'frame', 'listing', 'reading'] as const
/** The icons of other pages are too small for chunks of their own. */
const chunkNames = [...visitChunks, 'icons'] as const
type ChunkName = (typeof chunkNames)[number]

type ModuleInfo = { importedIds: readonly string[]; code: string | null }
type Modules = { getModuleInfo: (id: string) => ModuleInfo | null }

const source = join(import.meta.dirname, '..')

/** Path of a file or folder of `src`. Throws if it does not exist, so that moves cannot silently change a chunk. */
function sourcePath(path: string): string {
  const found = join(source, path)
  if (!existsSync(found))
    throw new Error(`src/${path} is cut into a chunk by ${import.meta.filename}, but is not there.`)
  return found
}

/** Packages whose modules are so small that separate chunks would cost more than they save. */
const smallPackages = /\/node_modules\/(lucide-react|idb)\//
const icon = /\/lucide-react\/.*\/icons\//
/** Of packages, which come with the first of our modules that need them, what the sign-in page and others need. */
const sharedPackage = /\/node_modules\/@tanstack\/.*\/(mutationObserver|useMutation)\.js$/
/** Small common modules share a chunk, though not every page needs all of them: each chunk costs a request. */
const smallParts = [
  'contract',
  'text',
  'web/base/ui',
  'web/base/api/settings.ts',
  'web/base/api/views.ts',
  'web/base/api/search.ts',
  'web/base/api/sandbox-tools.ts',
  'web/signed-in/file-actions/deletion-plan.ts',
  'web/signed-in/file-actions/row-or-page.ts',
  'web/signed-in/file-actions/tags.ts',
  'web/signed-in/file-actions/use-acts.tsx',
  'web/screens/files/columns/progress-text.ts',
  'web/signed-in/library',
  'web/signed-in/transcript-place.ts',
  'web/signed-in/preferences',
  'web/signed-in/options/option-words.ts',
  'web/transcript/edit/correction-store.ts',
  'web/transcript/view/block-element.ts',
].map(sourcePath)

/** Of them, what one page alone reads: it comes with that page. */
const ofOnePage = ['contract/account/closing.ts', 'contract/account/export.ts'].map(sourcePath)

const isSmallPart = (id: string) =>
  !ofOnePage.includes(id) && smallParts.some((part) => id === part || id.startsWith(`${part}/`))

/** Parley's own modules that a module imports transitively, itself included. The bundler adds their packages. */
function modulesNeededBy(id: string, modules: Modules, needed = new Set<string>()): Set<string> {
  if (needed.has(id) || (id.includes('/node_modules/') && !smallPackages.test(id))) return needed
  needed.add(id)
  const info = modules.getModuleInfo(id)
  for (const imported of info?.importedIds ?? []) {
    const ids = iconIndex.test(imported) ? findIcons(info?.code ?? '', modules.getModuleInfo(imported)) : [imported]
    for (const each of ids) modulesNeededBy(each, modules, needed)
  }
  return needed
}

/** lucide's index, which imports all icons. */
const iconIndex = /\/lucide-react\/dist\/esm\/lucide-react\.m?js$/

/** The modules of the icons that a module's code imports from the index by name. */
function findIcons(code: string, index: ModuleInfo | null): readonly string[] {
  const names = [...code.matchAll(/import\s*{([^}]*)}\s*from\s*["']lucide-react["']/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim().split(/\s/)[0]),
  )
  const files = [...(index?.code ?? '').matchAll(/export\s*{([^}]*)}\s*from\s*["']\.\/([^"']+)["']/g)]
    .filter(([, list = '']) => names.some((name) => new RegExp(`default as ${name}\\b`).test(list)))
    .map(([, , file = '']) => `/${file}`)
  return index?.importedIds.filter((id) => files.some((file) => id.endsWith(file))) ?? []
}

/** Chunks of their own that come with every signed-in page. */
const everyPageLoads = [
  'web/boot/signed-in-routes.tsx',
  'web/shell/sidebar-sections.tsx',
  'web/signed-in/preferences/account-preferences.ts',
]

/** What the signed-in pages need, by chunk: the frame of all; small parts of the list, and of a transcript. */
function neededBySignedIn(neededBy: (file: string) => Set<string>) {
  const list = neededBy('web/screens/files/files-route.tsx')
  const transcript = neededBy('web/transcript/page/transcript-route.tsx')
  const common = [...list].filter((id) => transcript.has(id) || icon.test(id))
  const onEveryPage = everyPageLoads.flatMap((file) => [...neededBy(file)].filter(isSmallPart))
  const frame = [...neededBy('web/shell/shell-route.tsx'), ...neededBy('web/signed-in/library/live.ts')]
  return {
    frame: new Set([...frame, ...onEveryPage, ...common]),
    listing: new Set([...list].filter(isSmallPart)),
    reading: new Set([...transcript].filter(isSmallPart)),
  }
}

/** By chunk, without regard to those before it. What the sign-in page needs as others do is in `base`. */
function neededByVisits(neededBy: (file: string) => Set<string>) {
  const entry = neededBy('web/screens/sign-in/sign-in-route.tsx')
  const others = ['web/boot/first-page.ts', 'web/boot/first-transcript.ts', ...everyPageLoads].map(neededBy)
  const shared = [...entry].filter((id) => others.some((needed) => needed.has(id)))
  const base = new Set([...neededBy('web/boot/main.tsx'), ...shared])
  return { early: neededBy('web/boot/early.ts'), base, entry, ...neededBySignedIn(neededBy) }
}

/**
 * Rolldown's groups for the chunks of most visits: early requests before the page's own code has loaded (`early`), what
 * every page starts with (`base`), the sign-in page (`entry`), the frame of signed-in pages with what both the list and
 * a transcript need (`frame`), and the small parts of the one (`listing`) and of the other (`reading`).
 */
export function pageChunks() {
  let needs: Record<(typeof visitChunks)[number], Set<string>> | undefined
  const chunkOf = (id: string, modules: Modules): ChunkName | null => {
    const neededBy = (file: string) => modulesNeededBy(sourcePath(file), modules)
    needs ??= neededByVisits(neededBy)
    if (sharedPackage.test(id)) return 'base'
    return visitChunks.find((name) => needs?.[name].has(id)) ?? (icon.test(id) ? 'icons' : null)
  }
  return chunkNames.map((name, index) => ({
    name: (id: string, modules: Modules) => (chunkOf(id, modules) === name ? name : null),
    debugName: name,
    priority: chunkNames.length - index,
  }))
}

type Needed = { chunks: readonly string[]; fonts: readonly string[] }

/** Named after the files in `src/web/boot` that import all of a page. */
const firstChunks = { files: 'first-page', transcript: 'first-transcript' } as const satisfies Record<
  PreloadedPage,
  string
>

/** Chunks that every page preloads, and those that the sign-in page, the list of files and a transcript add. */
const needed = {
  every: { chunks: ['base'], fonts: [] },
  /** as the service calls what is none of the preloaded pages */
  other: { chunks: ['entry'], fonts: [] },
  files: { chunks: ['signed-in-routes', firstChunks.files], fonts: [] },
  transcript: {
    chunks: ['signed-in-routes', firstChunks.transcript],
    fonts: ['source-serif-4-latin-400-normal.woff2'],
  },
} as const satisfies Record<'every' | 'other' | PreloadedPage, Needed>

/** The files of chunks by name, with everything they import. */
function collectFiles(names: readonly string[], bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>()
  const add = (file: string) => {
    const chunk = bundle[file]
    if (found.has(file) || chunk?.type !== 'chunk') return
    found.add(file)
    for (const imported of chunk.imports) add(imported)
  }
  for (const name of names) {
    const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name)
    if (chunk === undefined)
      throw new Error(`The build has no chunk ${name}, which src/tooling/page-chunks.ts preloads.`)
    add(chunk.fileName)
  }
  return found
}

function without(files: Set<string>, ...others: Set<string>[]): Set<string> {
  return new Set([...files].filter((file) => !others.some((other) => other.has(file))))
}

/**
 * Adds preload links to the HTML for what code or styles would request only later. Links for a single page carry its
 * name as `data-page`: the service removes those of other pages.
 */
export function preload(): Plugin {
  return {
    name: 'parley:preload',
    apply: 'build',
    transformIndexHtml(_html, { bundle = {}, chunk }) {
      // What the HTML already references.
      const named = new Set(chunk ? [chunk.fileName, ...chunk.imports] : [])
      const every = without(collectFiles(needed.every.chunks, bundle), named)
      return Object.entries<Needed>(needed).flatMap(([page, { chunks, fonts }]) => {
        const onlyFor = page === 'every' ? {} : { 'data-page': page }
        const linkTo = (file: string, attrs: Record<string, string>) => ({
          tag: 'link',
          attrs: { ...attrs, crossorigin: true, href: `/${file}`, ...onlyFor },
          injectTo: 'head' as const,
        })
        const code = page === 'every' ? every : without(collectFiles(chunks, bundle), named, every)
        const faces = Object.values(bundle).filter(
          (file) => file.type === 'asset' && file.names.some((name) => fonts.includes(name)),
        )
        const links = [...code].map((file) => linkTo(file, { rel: 'modulepreload' }))
        // Text renders without it, so the code goes first.
        const font = { rel: 'preload', as: 'font', type: 'font/woff2', fetchpriority: 'low' }
        return [...links, ...faces.map(({ fileName }) => linkTo(fileName, font))]
      })
    },
  }
}

/**
 * Chunks to preload ahead of a dynamic import of `file`: none, since announcing them takes longer than loading them,
 * except for the page itself and the first view, without what has already loaded.
 */
export function resolvePreloads(file: string, needed: string[], { hostType }: { hostType: 'html' | 'js' }): string[] {
  if (hostType === 'html') return needed
  const isFirst = Object.values(firstChunks).some((name) => file.includes(`/${name}-`))
  return isFirst ? needed.filter((one) => !/\/(early|base|rolldown-runtime)-[^/]*\.js$/.test(one)) : []
}
