import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

let cleaner: ChildProcess | null = null

/**
 * For tests that start daemons, as PostgreSQL and Ceph are: when this process has ended, in whatever way, a process of its
 * own ends what names this directory in its command line, and removes the directory. To be called before anything runs there.
 */
export function leaveNothing(directory: string): void {
  if (cleaner === null) {
    // In a session of its own: Ctrl-C ends all of the terminal's.
    cleaner = spawn(process.execPath, [join(import.meta.dirname, 'clean-up.ts')], {
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true,
    })
    cleaner.unref()
  }
  cleaner.stdin?.write(`${directory}\n`)
}
