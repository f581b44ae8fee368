import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

/*
 * A process of its own that outlives the one that starts a cluster, however that ends: it reads pids and directories, one a
 * line, until its input is closed; then it ends these processes, and those that a `.pid` file in the directories names, and
 * removes the directories. PostgreSQL and Ceph run as daemons, which nobody else would end.
 */

const pids: number[] = []
const directories: string[] = []
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'done') process.exit(0)
  else if (line.startsWith('/')) directories.push(line)
  else pids.push(Number(line))
}

function pidsIn(directory: string): number[] {
  try {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.pid'))
    return names.map((name) => Number.parseInt(readFileSync(join(directory, name), 'utf8'), 10))
  } catch {
    // It was removed in order.
    return []
  }
}

for (const pid of [...pids, ...directories.flatMap(pidsIn)]) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
await wait(500)
for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
