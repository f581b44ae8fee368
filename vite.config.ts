import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/*
 * What every visit needs comes in few pieces, as each costs a request and the browser's time to link it: what every page
 * begins with, and what the list of files adds. A group takes along what its modules import and no group before it has.
 */
const chunkGroups = [
  { name: 'early', test: /src\/web\/early\.ts/, priority: 3 },
  { name: 'base', test: /src\/web\/main\.tsx/, priority: 2 },
  { name: 'files', test: /src\/web\/first-page\./, priority: 1 },
]

/** Has pieces of the page's code fetched along with the page, though they are imported later. */
function fetchEarly(pieces: readonly string[]): Plugin {
  return {
    name: 'parley:fetch-early',
    apply: 'build',
    transformIndexHtml(_html, { bundle = {} }) {
      const found = Object.values(bundle).filter((file) => file.type === 'chunk' && pieces.includes(file.name))
      return found.map(({ fileName }) => {
        const attrs = { rel: 'modulepreload', fetchpriority: 'low', crossorigin: true, href: `/${fileName}` }
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
    // Announcing each piece of a page before it is imported takes longer than the few there are take to load.
    modulePreload: { polyfill: false, resolveDependencies: (_file, pieces, { hostType }) => (hostType === 'js' ? [] : pieces) },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
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
