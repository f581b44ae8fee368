import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'

/** Starts a daemon in a directory, like PostgreSQL, and then waits like a test run. */
const run = `
import { spawn } from 'node:child_process'
import { leaveNothing } from ${JSON.stringify(join(import.meta.dirname, 'leave-nothing.ts'))}
const directory = process.argv[1]
leaveNothing(directory)
const daemon = spawn('tail', ['-f', '-s', '1000', '/dev/null', directory], { detached: true, stdio: 'ignore' })
daemon.unref()
console.log(daemon.pid)
process.argv[2] === 'ends' || setInterval(() => undefined, 1_000)`

function startRun(directory: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', run, directory, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it.each(['SIGTERM', 'SIGINT', 'SIGKILL', null] as const)(
  'a run that ends by %s leaves no daemon behind',
  async (signal) => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-leave-'))
    const child = startRun(directory, ...(signal === null ? ['ends'] : []))
    const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
    const daemon = Number(line)
    if (signal !== null) {
      expect(isRunning(daemon)).toBe(true)
      child.kill(signal)
    }
    await expect.poll(() => isRunning(daemon)).toBe(false)
    await expect.poll(() => existsSync(directory)).toBe(false)
  },
)
