import { existsSync, globSync } from 'node:fs'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultExclude, defineConfig } from 'vitest/config'
import { narrowFonts } from './src/tooling/narrow-fonts.ts'
import { pageChunks, preload, resolvePreloads } from './src/tooling/page-chunks.ts'
import { ClosingLinesReporter } from './src/tooling/testing/vitest-reporter.ts'

/** As in `src/service/testing/start-postgres.ts`; without it that run is left out. */
const hasPostgres = globSync('/usr/lib/postgresql/*/bin/initdb').length > 0

/** As in `src/service/testing/start-gateway.ts`; without it that run is left out. */
const hasGateway = existsSync('/usr/bin/radosgw') && existsSync('/usr/bin/ceph-osd')

/** What needs an S3 server: these tests run on a Ceph gateway alone. */
const onS3 = ['src/service/**/*s3*.test.ts']

/** What depends on the database: these tests run on PostgreSQL, too. */
const onPostgres = ['src/service/**/*.db.test.ts']

/** What takes over ten seconds on an idle machine: these tests belong to `npm run proofs`. */
const slow = ['src/**/*.slow.*test.ts']

/** By project, one reason for each file of tests. */
const leftOut = {
  postgres: hasPostgres ? [] : globSync(onPostgres).map(() => 'PostgreSQL'),
  s3: hasGateway ? [] : globSync(onS3).map(() => 'a Ceph gateway'),
}

export default defineConfig({
  plugins: [react(), tailwindcss(), narrowFonts(), preload()],
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
    // Two cores: more workers only make the real ffmpeg and recognizer runs fight each other.
    maxWorkers: 2,
    // Loading modules again for each file took 28 % of the processor time. A test leaves the process as it found it.
    isolate: false,
    // V8 may end a process (`jit_page.has_value()`) where one thread tiers such a wrapper up while another one ends.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    // Only CI retries, and names what passed on its second try: with 3,500 tests, one failure in 100,000 would block every
    // thirtieth run. Elsewhere retries hide faults that only load shows.
    retry: process.env.CI === undefined ? 0 : 1,
    // Limits hold on a machine five times as slow: the report names tests that take over a fifth of the time limit, which
    // need a limit of their own.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    slowTestThreshold: 12_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', new ClosingLinesReporter(leftOut)],
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: [...defaultExclude, ...onS3, ...slow],
        },
      },
      { extends: true, test: { name: 'slow', include: slow } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: hasPostgres ? onPostgres : [],
          globalSetup: 'src/service/testing/postgres-of-run.ts',
          setupFiles: 'src/service/testing/use-postgres.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 's3',
          isolate: true,
          include: hasGateway ? onS3 : [],
          globalSetup: 'src/service/testing/gateway-of-run.ts',
        },
      },
    ],
  },
})
