import { availableParallelism } from 'node:os'
import { ServiceError } from '../service-error.ts'
import { spawnTool, toolIsMissing } from './tool-process.ts'

/** ffprobe or ffmpeg failed: with an exit code, out of time, or with too much output. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

type Limits = { timeoutMs: number; maxOutputBytes: number; signal?: AbortSignal | undefined; cwd?: string }
/** `onOutput` is given the output of a run of minutes as it is printed. */
type LongLimits = Omit<Limits, 'maxOutputBytes'> & { onOutput(text: string): void }

const mostAtOnce = availableParallelism()
let running = 0
const waiting: (() => void)[] = []

/**
 * Runs ffprobe or ffmpeg, limiting concurrency to the number of cores.
 * @returns its output
 * @throws ToolError if it failed, took too long or printed too much; ServiceError 503 if it is not installed
 */
export async function runTool(tool: 'ffprobe' | 'ffmpeg', args: readonly string[], limits: Limits): Promise<string> {
  if (running < mostAtOnce) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await runNow(tool, args, limits)
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

/**
 * The same for runs of minutes, alongside the short ones that others wait for; jobs limit their number.
 * @throws ToolError, AbortError on `limits.signal`, ServiceError 503
 */
export async function runLongTool(
  tool: 'ffmpeg',
  args: readonly string[],
  { onOutput, ...limits }: LongLimits,
): Promise<void> {
  await runNow(tool, args, { ...limits, maxOutputBytes: Number.POSITIVE_INFINITY }, onOutput)
}

function runNow(
  tool: 'ffprobe' | 'ffmpeg',
  args: readonly string[],
  limits: Limits,
  onOutput?: LongLimits['onOutput'],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, signal, cwd } = limits
    const times = { cpuSeconds: Math.ceil(timeoutMs / 1_000), timeout: timeoutMs }
    const child = spawnTool(tool, args, { ...times, signal, ...(cwd !== undefined && { cwd }) })
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      if (onOutput !== undefined) return onOutput(chunk.toString())
      bytes += chunk.byteLength
      if (bytes > limits.maxOutputBytes) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('error', (error) => reject('code' in error && error.code === 'ENOENT' ? notInstalled(error) : error))
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else if (code === toolIsMissing) reject(notInstalled())
      else reject(new ToolError(`${tool} ended with ${code ?? signal}`))
    })
  })
}

function notInstalled(cause?: Error): ServiceError {
  return new ServiceError(
    503,
    'The service cannot read recordings: ffmpeg with ffprobe is not installed where it runs (Debian and Ubuntu: apt-get install ffmpeg; Fedora: dnf install ffmpeg-free; macOS: brew install ffmpeg). Nothing was charged.',
    {},
    { cause },
  )
}
