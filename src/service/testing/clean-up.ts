import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

/*
 * A separate process that outlives the one that starts daemons for tests, however that ends: it reads directories, one
 * per line, until its input is closed; then it kills every process whose command line names one of them, and removes
 * them. PostgreSQL and Ceph run as daemons, which nobody else would end, and the command that creates one continues
 * after its parent is killed: so it polls until none has appeared for a second.
 */

const quietForMs = 1_000
const lookEveryMs = 100

const directories: string[] = []
for await (const line of createInterface({ input: process.stdin })) directories.push(line)

/** `node serve --data DIRECTORY …`, with spaces; empty if the process has ended. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** @returns whether there was any to kill */
function endAll(): boolean {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const ours = pids.filter((pid) => directories.some((directory) => commandLine(pid).includes(directory)))
  for (const pid of ours) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  return ours.length > 0
}

for (let quietMs = 0; quietMs < quietForMs; quietMs += lookEveryMs) {
  if (endAll()) quietMs = 0
  await wait(lookEveryMs)
}
for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
