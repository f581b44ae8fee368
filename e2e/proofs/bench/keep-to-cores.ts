import { execFileSync } from 'node:child_process'

/** Lets a process, and all that it starts from now on, keep to cores. @param list as `taskset` takes it: `0`, `2-3` */
export function keepToCores(pid: number, list: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(pid)])
}
