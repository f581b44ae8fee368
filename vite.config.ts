import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { pageChunks, preloadChunks, resolvePreloads } from './src/tooling/page-chunks.ts'

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadChunks(['base', 'main'])],
  build: {
    outDir: 'dist',
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false, resolveDependencies: resolvePreloads },
    rolldownOptions: { output: { codeSplitting: { groups: pageChunks() } } },
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
