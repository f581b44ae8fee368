import { readdirSync, readFileSync } from 'node:fs'

/** A process's proportional set size (Pss): private memory plus its share of shared memory, in kB. */
function ownKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0 // it has ended
  }
}

function field(pid: string, name: string): number {
  try {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .find((each) => each.startsWith(`${name}:`))
    return Number(line?.split(/\s+/)[1] ?? 0)
  } catch {
    return 0 // it has ended
  }
}

/** A process and its descendants with their current memory, in MB (Linux; shared pages are counted once). */
export function memoryOfTree(root: number): { pid: number; megabytes: number }[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) parents.set(Number(name), field(name, 'PPid'))
  const tree = new Set([root])
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid)
  }
  return [...tree].map((pid) => ({ pid, megabytes: ownKilobytes(pid) / 1_024 }))
}

/**
 * Monitors the total memory of a process and its descendants. @returns a function that stops and returns the peak, in
 * MB
 */
export function watchMemory(root: number): () => number {
  let highest = 0
  const look = () => {
    const sum = memoryOfTree(root).reduce((total, { megabytes }) => total + megabytes, 0)
    highest = Math.max(highest, sum)
  }
  const timer = setInterval(look, 250)
  return () => {
    look()
    clearInterval(timer)
    return highest
  }
}

/** A memory figure of a process from /proc, in MB. */
export function memoryMb(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1]) / 1_024
}
