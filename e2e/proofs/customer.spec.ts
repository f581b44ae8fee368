import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'

/* Short walks of the customer, about three minutes in all on a quiet machine; each seed always takes the same steps. */

const main = join(import.meta.dirname, 'customer/main.ts')
const seeds = [0, 1, 2, 3, 4, 5, 7]

for (const seed of seeds) {
  test(`a customer finds what they remember, walking from seed ${seed}`, async () => {
    const run = promisify(execFile)(process.execPath, [main, '--seed', String(seed)])
    // Its output, which ends with the way to a fault, is printed if it fails.
    const said = await run.catch((error: { stdout: string; stderr: string }) => error)
    expect(said instanceof Error ? said.stdout + said.stderr : 'passed').toBe('passed')
    expect(said.stdout).toContain('1 walks, ')
  })
}
