import { join } from 'node:path'
import type { Plugin } from 'vite'

/*
 * How the dashboard's code is cut into files (chunks) for the network. Every file costs a request and the browser's time
 * to link it, and every byte costs time on a slow line. So what each visit needs comes in four chunks, and everything else is
 * left to the bundler's own cut, one chunk a page.
 */

/** The chunks of every visit; the order counts, as each leaves out what those before it hold. */
const chunkNames = ['early', 'sight', 'base', 'frame'] as const
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
 * the list of files, which the sign-in page does not draw), what every page begins with (`base`), and the frame of those
 * behind the sign-in with what both the list and a transcript need (`frame`).
 */
export function pageChunks() {
  let needs: Record<ChunkName, Set<string>> | undefined
  const chunkOf = (id: string, modules: Modules): ChunkName | null => {
    const neededBy = (file: string) => modulesNeededBy(webFile(file), modules)
    needs ??= {
      early: neededBy('early.ts'),
      sight: neededBy('first-sight/first-sight.tsx'),
      base: neededBy('main.tsx'),
      frame: new Set([
        ...neededBy('shell/shell-route.tsx'),
        ...neededBy('library/live.ts'),
        ...[...neededBy('files/files-route.tsx')].filter((one) => neededBy('transcript/transcript-route.tsx').has(one)),
      ]),
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

/** Has the page ask at once for what its code or its styles only ask for later: chunks, and fonts by their file names. */
export function preload(chunks: readonly string[], fonts: readonly string[]): Plugin {
  return {
    name: 'parley:preload',
    apply: 'build',
    transformIndexHtml(_html, { bundle = {} }) {
      return Object.values(bundle).flatMap((file) => {
        const href = `/${file.fileName}`
        const attrs =
          file.type === 'chunk' && chunks.includes(file.name)
            ? { rel: 'modulepreload', crossorigin: true, href }
            : file.type === 'asset' && file.names.some((name) => fonts.includes(name))
              ? { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href }
              : null
        return attrs === null ? [] : [{ tag: 'link', attrs, injectTo: 'head' as const }]
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
