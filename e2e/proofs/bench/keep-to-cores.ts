import { execFileSync } from 'node:child_process'

/** Pins a process and its future children to cores. @param list in the form of `taskset`: `0`, `2-3` */
export function keepToCores(pid: number, list: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(pid)])
}
