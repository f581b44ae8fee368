import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

let cleaner: ChildProcess | null = null

/**
 * For tests that start daemons, such as PostgreSQL and Ceph: when this process has ended, in whatever way, a separate
 * process kills everything with this directory in its command line, and removes the directory. Call it before anything
 * runs there.
 */
export function leaveNothing(directory: string): void {
  if (cleaner === null) {
    // In its own session: Ctrl-C ends all of the terminal's.
    cleaner = spawn(process.execPath, [join(import.meta.dirname, 'clean-up.ts')], {
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true,
    })
    cleaner.unref()
  }
  cleaner.stdin?.write(`${directory}\n`)
}
