import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Readable } from 'node:stream'

/** Far above what any known recording needs (the worst bomb found took 87 MB). */
const mostMemoryBytes = 2 ** 31

let canLimit: boolean | null = null

/** Whether the system can limit a tool's resources: prlimit is part of util-linux, which macOS lacks. */
export function canLimitTools(): boolean {
  canLimit ??= spawnSync('prlimit', ['--version']).error === undefined
  return canLimit
}

type Options = { cpuSeconds: number; timeout?: number; signal?: AbortSignal | undefined; cwd?: string }

/**
 * Starts ffprobe or ffmpeg without a shell, at low priority, since requests come first. A recording may be malicious:
 * the system limits memory and processor time. A tool that is not installed is an ENOENT, or ends with `toolIsMissing`.
 */
export function spawnTool(
  tool: 'ffprobe' | 'ffmpeg',
  args: readonly string[],
  { cpuSeconds, ...options }: Options,
): ChildProcessByStdio<null, Readable, null> {
  const limits = canLimitTools() ? ['prlimit', `--as=${mostMemoryBytes}`, `--cpu=${cpuSeconds}`] : []
  const [command, ...rest] = [...limits, tool, ...args] as [string, ...string[]]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'ignore'], killSignal: 'SIGKILL', ...options })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}

/** The exit code of prlimit if there is no such tool. */
export const toolIsMissing = 127
