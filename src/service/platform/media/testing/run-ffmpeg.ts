import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'

/**
 * Cached between runs: ffmpeg's synthetic output is the same each time, and takes most of some tests' time. In the
 * user's cache, so that CI's clean clones share it.
 */
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'parley-tests/ffmpeg')
let version: string | undefined

function encode(args: readonly string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * For tests: runs ffmpeg. Output of its synthetic sources only (`-f lavfi`) is cached, keyed by the command and the
 * version of ffmpeg.
 * @param args options and, last, the path of the output
 * @throws if ffmpeg fails, or is not installed
 */
export function runFfmpeg(...args: string[]): void {
  const [options, path = ''] = [args.slice(0, -1), args.at(-1)]
  const count = (word: string) => options.filter((one) => one === word).length
  if (count('-i') !== count('lavfi')) {
    encode(args)
    return
  }
  version ??= execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' })
  const key = createHash('sha256')
    .update(JSON.stringify([version, options, extname(path)]))
    .digest('hex')
  const kept = join(cache, key + extname(path))
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true })
    // Atomic: complete or absent, whichever of two tests creates it first.
    const made = join(cache, `${process.pid}-${key}${extname(path)}`)
    encode([...options, made])
    renameSync(made, kept)
  }
  copyFileSync(kept, path)
}
