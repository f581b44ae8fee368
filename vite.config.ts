import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const web = (file: string) => join(import.meta.dirname, 'src/web', file)

type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

/** Parley's own modules that one needs to run, itself included; what those use of packages goes with them. */
function neededBy(id: string, modules: Modules, needed = new Set<string>()): Set<string> {
  if (needed.has(id) || id.includes('/node_modules/')) return needed
  needed.add(id)
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) neededBy(imported, modules, needed)
  return needed
}

/**
 * What every visit needs comes in few pieces, as each costs a request and the browser's time to link it: what draws before
 * the page's own code is there, what every page begins with, and what the list of files adds. The first is in two, as
 * the sign-in page draws no list.
 */
function pieces() {
  let needs: Record<'early' | 'sight' | 'base' | 'files', Set<string>> | undefined
  const pieceOf = (id: string, modules: Modules) => {
    needs ??= {
      early: neededBy(web('early.ts'), modules),
      sight: neededBy(web('first-sight/first-sight.tsx'), modules),
      base: neededBy(web('main.tsx'), modules),
      files: neededBy(web('first-page.ts'), modules),
    }
    if (needs.early.has(id) || (needs.sight.has(id) && needs.base.has(id))) return 'early'
    if (needs.sight.has(id)) return 'sight'
    if (needs.base.has(id)) return 'base'
    return needs.files.has(id) ? 'files' : null
  }
  // One after the other, as a piece takes along what its modules import and no piece before it has.
  return (['early', 'sight', 'base', 'files'] as const).map((name, index) => ({
    name: (id: string, modules: Modules) => (pieceOf(id, modules) === name ? name : null),
    debugName: name,
    priority: 4 - index,
  }))
}

/** Has pieces of the page's code fetched along with the page, though they are imported later. */
function fetchEarly(names: readonly string[]): Plugin {
  return {
    name: 'parley:fetch-early',
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

export default defineConfig({
  plugins: [react(), tailwindcss(), fetchEarly(['base', 'main'])],
  build: {
    outDir: 'dist',
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    modulePreload: {
      polyfill: false,
      // Announcing what a piece needs before it is imported takes longer than loading it, but for the first that are shown.
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' || file.includes('first-') ? needed : [],
    },
    rolldownOptions: { output: { codeSplitting: { groups: pieces() } } },
  },
  worker: { format: 'es' },
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
    // Two cores: more workers only make the real ffmpeg and recogniser runs fight each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
