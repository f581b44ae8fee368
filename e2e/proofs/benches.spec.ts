import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { needsClips, speechClips } from '../../src/service/recognition/testing/speech-clips.ts'
import { hasGateway } from '../../src/service/testing/start-gateway.ts'
import { hasPostgres } from '../../src/service/testing/start-postgres.ts'
import { benches } from './bench/benches.ts'

/* A short round of each bench, for its exit code: its figures mean something only on an idle machine. */

const main = join(import.meta.dirname, 'bench/main.ts')
/** They recognize the shared clips, so they need them. */
const hearing = ['recognition', 'recognition-long', 'speakers']

/** The longest ones first: at the end, they would leave a core idle. */
const names = new Set(['export', 'sections', ...Object.keys(benches)])

for (const name of names) {
  test(`the bench "${name}" runs`, async () => {
    test.skip(
      ['nodes', 'sections', 'search-postgres', 'upload-s3'].includes(name) && !hasPostgres(),
      '(needs PostgreSQL)',
    )
    test.skip(name === 'upload-s3' && !hasGateway(), "(needs Debian's Ceph gateway)")
    test.skip(hearing.includes(name) && speechClips().length === 0, needsClips)
    const { stdout } = await promisify(execFile)(process.execPath, [main, name, '--short'])
    expect(stdout).toContain(`${name}  `)
  })
}
