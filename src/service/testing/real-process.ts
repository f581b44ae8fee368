import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** the program */
export const main = join(import.meta.dirname, '../parley.ts')

/**
 * Node's flags. A small young generation: V8's next minor collection, instead of a major one, frees data read from
 * sockets. Uploads then take less memory and less time (docs/figures/performance.md, upload-s3).
 */
export const nodeFlags = ['--max-semi-space-size=2']

/** For tests: the service in a separate process, as an operator starts it. */
export type RealProcess = {
  child: ChildProcess
  url: URL
  /** its output, until it was ready and since */
  lines: string[]
  /** @returns the exit code; null if the signal killed it */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the program on any free port and waits for its line of readiness. No engine recognizes anything. */
export async function serveProcess(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<RealProcess> {
  const usual = { ...process.env, RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [...nodeFlags, main, 'serve', '--port', '0', '--data', dataDir], {
    env: { ...usual, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  const ready = Promise.withResolvers<URL>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    const address = /^Parley is ready at (http\S+)$/.exec(line)?.[1]
    if (address !== undefined) ready.resolve(new URL(address))
  })
  exited.then(() => ready.reject(new Error(lines.join('\n'))))
  return {
    child,
    url: await ready.promise,
    lines,
    async end(signal) {
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}

/** The key printed by the very first start. */
export function firstKey({ lines }: RealProcess, environment: 'live' | 'sandbox'): string {
  const kind = environment === 'live' ? 'live' : 'test'
  return new RegExp(`parley_${kind}_[0-9a-f]{40}`).exec(lines.join('\n'))?.[0] ?? ''
}

/** For tests: a command that exits. */
export async function runParley(
  dataDir: string,
  ...args: string[]
): Promise<{ code: number; out: string; error: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      ...nodeFlags,
      main,
      ...args,
      '--data',
      dataDir,
    ])
    return { code: 0, out: stdout.trim(), error: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout.trim(), error: stderr.trim() }
  }
}
