import { readdirSync, readFileSync } from 'node:fs'

const jiffiesASecond = 100

/** Processor seconds used by a process and its living descendants, from /proc. */
export function cpuSeconds(rootPid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, rest = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(/\) /)
        const fields = rest.split(' ')
        return [{ pid: Number(name), parent: Number(fields[1]), jiffies: Number(fields[11]) + Number(fields[12]) }]
      } catch {
        return [] // ended in the meantime
      }
    })
  const wanted = new Set([rootPid])
  for (let before = 0; before !== wanted.size; ) {
    before = wanted.size
    for (const { pid, parent } of stats) if (wanted.has(parent)) wanted.add(pid)
  }
  return stats.reduce((sum, { pid, jiffies }) => sum + (wanted.has(pid) ? jiffies : 0), 0) / jiffiesASecond
}
