import { defineConfig } from '@playwright/test'
import { browserLaunch } from './kit/browser-launch.ts'

/** Five times the slowest round, as with the journeys below. */
const proofMs = 600_000

/** Files of which both cores share the tests, as each keeps a core busy. */
const atOnce = { fullyParallel: true, workers: 2 } as const

export default defineConfig({
  testMatch: '*.spec.ts',
  // Journeys belong to `npm test`, unless they are tagged `@slow`; those and all others to `npm run proofs`.
  projects: [
    { name: 'journeys', testDir: 'journeys' },
    { name: 'browsers', testDir: 'browsers', ...atOnce },
    { name: 'campaigns', testDir: 'proofs', testMatch: 'torture.spec.ts', ...atOnce, timeout: proofMs },
    { name: 'customer', testDir: 'proofs', testMatch: 'customer.spec.ts', ...atOnce, timeout: proofMs },
    { name: 'benches', testDir: 'proofs', testMatch: 'benches.spec.ts', ...atOnce, timeout: proofMs },
  ],
  outputDir: '../test-results',
  // Journeys wait for the service and for timers most of the time: two of them use 40 % of two cores.
  workers: 4,
  forbidOnly: process.env.CI !== undefined,
  // Only CI retries, as in vite.config.ts.
  retries: process.env.CI === undefined ? 0 : 1,
  // Five times the slowest journey and the slowest step on an idle machine, so that a busy one does not cause failures.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['../src/tooling/testing/playwright-reporter.ts']],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
    // Pictures and snapshots of the page took two fifths of the journeys' processor time: `--trace on` brings them. What
    // the page said last is beside each trace. Nobody can open them on CI.
    trace: process.env.CI === undefined ? { mode: 'retain-on-failure', screenshots: false, snapshots: false } : 'off',
    launchOptions: browserLaunch,
  },
})
