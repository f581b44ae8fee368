import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/*
 * What every visit needs comes in few pieces, as each costs a request and the browser's time to link it: what every page
 * begins with, and what the list of files adds. A group takes along what its modules import and no group before it has.
 */
const chunkGroups = [
  { name: 'base', tags: ['$initial' as const], priority: 2 },
  { name: 'files', test: /src\/web\/(shell\/(shell-route|live)|files\/files-route)\./, priority: 1 },
]

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    // Announcing each piece of a page before it is imported takes longer than the few there are take to load.
    modulePreload: { resolveDependencies: (_file, pieces, { hostType }) => (hostType === 'js' ? [] : pieces) },
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
