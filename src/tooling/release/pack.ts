import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, createReadStream, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/* Packing so that the same tree gives the same bytes, whoever packs it, and when. */

/** Runs a program. @throws Error with its last words */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
}

/** Gives all files of a tree one time and plain rights: executable for all or for none, writable by the owner. */
export function settleTree(folder: string, epochSeconds: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { mode } = lstatSync(path)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    else if (entry.isFile()) chmodSync(path, (mode & 0o111) === 0 ? 0o644 : 0o755)
    lutimesSync(path, epochSeconds, epochSeconds)
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, epochSeconds, epochSeconds)
}

/** Options of GNU tar for one order, one time, one owner. */
const tarOptions = (epochSeconds: number) => [
  '--sort=name',
  '--format=gnu',
  `--mtime=@${epochSeconds}`,
  '--owner=0',
  '--group=0',
  '--numeric-owner',
]

/** Writes `folder/name` as a compressed tar. */
export function packTar(target: string, folder: string, name: string, epochSeconds: number): void {
  const program = 'gzip -n -6' // without its name and time
  run('tar', [...tarOptions(epochSeconds), '-I', program, '-cf', target, '-C', folder, name])
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
