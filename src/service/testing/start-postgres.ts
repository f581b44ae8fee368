import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { leaveNothing } from './leave-nothing.ts'

/** Debian's directory of PostgreSQL's programs; the newest version. Null if it is not installed. */
function programs(): string | null {
  const found = globSync('/usr/lib/postgresql/*/bin/initdb').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return found[0] === undefined ? null : dirname(found[0])
}

/** PostgreSQL refuses to run as root: for tests that do, as in a container, it gets its own user. */
function run(command: string, args: readonly string[]): void {
  const isRoot = process.getuid?.() === 0
  const as = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', command] : [command]
  execFileSync(as[0] ?? command, [...as.slice(1), ...args], { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' })
}

/** True if PostgreSQL is installed the Debian way. */
export function hasPostgres(): boolean {
  return programs() !== null
}

export type TestCluster = {
  url: string
  directory: string
  stop(mode?: 'fast' | 'immediate'): void
  start(): void
  remove(): void
}

/**
 * For tests: a dedicated PostgreSQL, on a socket in a temporary directory. Ends with this process at the latest.
 * @param isDurable with fsync, for tests that crash it
 */
export function startPostgres(isDurable = false): TestCluster {
  const bin = programs()
  if (bin === null) throw new Error('PostgreSQL is not installed.')
  const directory = mkdtempSync(join(tmpdir(), 'parley-pg-'))
  leaveNothing(directory)
  chmodSync(directory, 0o777)
  const data = join(directory, 'data')
  run(join(bin, 'initdb'), ['-D', data, '-U', 'parley', '-A', 'trust', '--no-sync', '--locale=C.UTF-8'])
  const options = `-c listen_addresses= -k ${directory} -c max_connections=300 -c fsync=${isDurable ? 'on' : 'off'}`
  const control = (...args: string[]) =>
    run(join(bin, 'pg_ctl'), ['-D', data, '-w', '-s', '-l', join(directory, 'log'), ...args])
  const start = () => control('-o', options, 'start')
  const stop = (mode: 'fast' | 'immediate' = 'fast') => control('-m', mode, 'stop')
  start()
  return {
    url: `postgres://parley@/postgres?host=${directory}`,
    directory,
    start,
    stop,
    remove() {
      stop('immediate')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
