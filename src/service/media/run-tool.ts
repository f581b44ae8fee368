import { spawn } from 'node:child_process'
import { ServiceError } from '../service-error.ts'

/** ffprobe or ffmpeg failed: with an exit code, out of time, or with too much output. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

type Limits = { timeoutMs: number; maxOutputBytes: number; signal?: AbortSignal | undefined }

/**
 * Runs ffprobe or ffmpeg without a shell.
 * @returns what it printed
 * @throws ToolError where it failed, took too long or printed too much; ServiceError 503 where it is not installed
 */
export function runTool(tool: 'ffprobe' | 'ffmpeg', args: readonly string[], limits: Limits): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: limits.timeoutMs,
      killSignal: 'SIGKILL',
      signal: limits.signal,
    })
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes > limits.maxOutputBytes) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('error', (error) => reject(asToolFailure(error)))
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(new ToolError(`${tool} ended with ${code ?? signal}`))
    })
  })
}

function asToolFailure(error: Error): Error {
  if (!('code' in error) || error.code !== 'ENOENT') return error
  return new ServiceError(
    503,
    'The service cannot read recordings at present: ffmpeg with ffprobe is not installed where it runs (Debian and Ubuntu: apt-get install ffmpeg; Fedora: dnf install ffmpeg-free; macOS: brew install ffmpeg). Nothing was charged.',
    {},
    { cause: error },
  )
}
