import { defineConfig } from '@playwright/test'
import { browserLaunch } from './kit/browser-launch.ts'

export default defineConfig({
  testMatch: '*.spec.ts',
  // The journeys are of `npm test`, all others of `npm run proofs`.
  projects: [
    { name: 'journeys', testDir: 'journeys' },
    { name: 'browsers', testDir: 'browsers' },
    { name: 'campaigns', testDir: 'proofs', testMatch: 'torture.spec.ts' },
    { name: 'benches', testDir: 'proofs', testMatch: 'benches.spec.ts' },
  ],
  outputDir: '../test-results',
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  // Only CI retries, as in vite.config.ts.
  retries: process.env.CI === undefined ? 0 : 1,
  // Five times what the slowest journey and the slowest step take on a quiet machine, so that a busy one fails none.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['../src/tooling/playwright-reporter.ts']],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
    // A trace of each journey costs a fifth of their time, and nobody can open it where CI ran.
    trace: process.env.CI === undefined ? 'retain-on-failure' : 'off',
    launchOptions: browserLaunch,
  },
})
