import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { pageChunks, preload, resolvePreloads } from './src/tooling/page-chunks.ts'
import { ClosingLinesReporter } from './src/tooling/vitest-reporter.ts'

export default defineConfig({
  plugins: [react(), tailwindcss(), preload()],
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
    // Limits hold on a machine five times as slow: the report names tests that take over a fifth of the time limit, which
    // need a limit of their own.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    slowTestThreshold: 12_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', new ClosingLinesReporter()],
  },
})
