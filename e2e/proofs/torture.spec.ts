import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { hasPrivateMounts } from '../../src/service/testing/private-mounts.ts'
import { hasGateway } from '../../src/service/testing/start-gateway.ts'
import { hasPostgres } from '../../src/service/testing/start-postgres.ts'
import { campaigns } from './torture/campaigns.ts'

/* A short round of each campaign: lost or wrong data fails it, never its duration. */

const main = join(import.meta.dirname, 'torture/main.ts')

/** The longest ones first: at the end, they would leave a core idle. */
const names = new Set(['fleet', 'backups', ...Object.keys(campaigns)])

for (const name of names) {
  test(`nothing is lost or wrong in a short round of "${name}"`, async () => {
    test.skip((name.startsWith('node-') || name === 'fleet') && !hasPostgres(), '(needs PostgreSQL)')
    test.skip(name === 'fleet' && !hasGateway(), '(needs the Ceph gateway)')
    test.skip(name === 'backups' && !existsSync('/usr/bin/restic'), '(needs restic)')
    test.skip(name === 'disk' && !hasPrivateMounts, '(needs unshare)')
    const run = promisify(execFile)(process.execPath, [main, name, '--short'])
    // Its output is printed if it fails.
    const said = await run.catch((error: { stdout: string; stderr: string }) => error)
    expect(said instanceof Error ? said.stdout + said.stderr : 'passed').toBe('passed')
    expect(said.stdout).toContain(`${name}  `)
  })
}
