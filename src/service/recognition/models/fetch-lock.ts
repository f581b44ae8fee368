import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const heartbeatMs = 5_000
/** A lock not refreshed for this long is stale, from a crash. */
const staleMs = 30_000

/**
 * Lets only one process at a time download into a folder.
 * @returns a function that releases the lock, or null if another process holds it
 */
export async function lockFetching(root: string): Promise<(() => Promise<void>) | null> {
  await mkdir(root, { recursive: true })
  const path = join(root, 'fetching.lock')
  for (const attempt of [1, 2]) {
    try {
      const file = await open(path, 'wx')
      await file.writeFile(`${hostname()} ${process.pid}`)
      await file.close()
      const heartbeat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), heartbeatMs)
      heartbeat.unref()
      return async () => {
        clearInterval(heartbeat)
        await rm(path, { force: true })
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      if (attempt === 2 || !(await isStale(path))) return null
      await rm(path, { force: true })
    }
  }
  return null
}

async function isStale(path: string): Promise<boolean> {
  const [found, owner] = await Promise.all([stat(path).catch(() => null), readFile(path, 'utf8').catch(() => '')])
  if (found === null) return true
  const [host, pid] = owner.split(' ')
  // A process on another machine sharing the folder cannot be checked any other way.
  return Date.now() - found.mtimeMs > staleMs || (host === hostname() && !isRunning(Number(pid)))
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true // just being written
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
