import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Where there is no npm: a release has the program without the tools of its making. */
const inRelease = 'node_modules/.bin/node --max-semi-space-size=2 src/service/parley.ts'
const elsewhere = existsSync(join(root, 'src/tooling')) ? 'npm run -s parley --' : inRelease
/** How this program is called, for sentences that tell what to run: the Debian package puts `parley` on the path. */
export const commandLine = root === '/opt/parley' ? 'parley' : elsewhere

/** The version of the release, as `package.json` has it. */
export const readVersion = (): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
