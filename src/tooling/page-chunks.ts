import { join } from 'node:path'
import type { Plugin } from 'vite'

/*
 * How the dashboard's code is cut into files (chunks) for the network. Every file costs a request and the browser's time
 * to link it, and every byte costs time on a slow line. So what each visit needs comes in four chunks, and everything else is
 * left to the bundler's own cut, one chunk a page.
 */

/** The chunks of every visit; the order counts, as each leaves out what those before it hold. */
const chunkNames = ['early', 'sight', 'base', 'files'] as const
type ChunkName = (typeof chunkNames)[number]

type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

const webFile = (file: string) => join(import.meta.dirname, '../web', file)

/** Parley's own modules that a module needs to run, itself included. The bundler adds what they use of packages. */
function modulesNeededBy(id: string, modules: Modules, needed = new Set<string>()): Set<string> {
  if (needed.has(id) || id.includes('/node_modules/')) return needed
  needed.add(id)
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) modulesNeededBy(imported, modules, needed)
  return needed
}

/**
 * Rolldown's groups for the chunks of every visit: what draws before the page's own code is there (`early`, and `sight` for
 * the list of files, which the sign-in page does not draw), what every page begins with (`base`), and what the list adds (`files`).
 */
export function pageChunks() {
  let needs: Record<ChunkName, Set<string>> | undefined
  const chunkOf = (id: string, modules: Modules): ChunkName | null => {
    needs ??= {
      early: modulesNeededBy(webFile('early.ts'), modules),
      sight: modulesNeededBy(webFile('first-sight/first-sight.tsx'), modules),
      base: modulesNeededBy(webFile('main.tsx'), modules),
      files: modulesNeededBy(webFile('first-page.ts'), modules),
    }
    if (needs.early.has(id) || (needs.sight.has(id) && needs.base.has(id))) return 'early'
    return chunkNames.slice(1).find((name) => needs?.[name].has(id)) ?? null
  }
  return chunkNames.map((name, index) => ({
    name: (id: string, modules: Modules) => (chunkOf(id, modules) === name ? name : null),
    debugName: name,
    priority: chunkNames.length - index,
  }))
}

/** Preloads chunks with the page (`<link rel="modulepreload">`) that its code only imports later. */
export function preloadChunks(names: readonly string[]): Plugin {
  return {
    name: 'parley:preload-chunks',
    apply: 'build',
    transformIndexHtml(_html, { bundle = {} }) {
      const found = Object.values(bundle).filter((file) => file.type === 'chunk' && names.includes(file.name))
      return found.map(({ fileName }) => {
        const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` }
        return { tag: 'link', attrs, injectTo: 'head' }
      })
    },
  }
}

/**
 * Which chunks are preloaded ahead of a dynamic import of `file`: none, since announcing them takes longer than loading them,
 * except for the page itself and what is shown first.
 */
export function resolvePreloads(file: string, needed: string[], { hostType }: { hostType: 'html' | 'js' }): string[] {
  return hostType === 'html' || file.includes('first-') ? needed : []
}
