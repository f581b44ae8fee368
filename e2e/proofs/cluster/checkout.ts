import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const here = join(import.meta.dirname, '../../..')
const lockFile = 'package-lock.json'

function git(...args: string[]): string {
  return execFileSync('git', ['-C', here, ...args], { encoding: 'utf8', maxBuffer: 1_000_000_000 }).trim()
}

/** The commit before the last one that changed the service. */
export function formerCommit(): string {
  const changed = git('log', '-1', '--format=%H', '--', 'src/service', 'src/contract', 'src/text', 'src/formats')
  return git('rev-parse', `${changed}~1`)
}

/** The program of a commit. `about`: a one-line description of the commit. */
export type Checkout = { program: string; about: string }

/**
 * Exports a commit with its dependencies: reuses ours if the lock file is the same.
 * @param directory to create; git does not register it, so it can simply be deleted
 */
export function checkOut(ref: string, directory: string): Checkout {
  mkdirSync(directory)
  const archive = execFileSync('git', ['-C', here, 'archive', ref], { maxBuffer: 1_000_000_000 })
  execFileSync('tar', ['-x', '-C', directory], { input: archive })
  const [theirs, ours] = [directory, here].map((at) => readFileSync(join(at, lockFile), 'utf8'))
  if (theirs === ours) symlinkSync(join(here, 'node_modules'), join(directory, 'node_modules'))
  else
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  const program = join(directory, 'src/service/parley.ts')
  if (!existsSync(program)) throw new Error(`${ref} has no program that can be started.`)
  return { program, about: git('log', '-1', '--format=%h %s', ref) }
}
