import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tryLockCommands } from '../platform/data-directory.ts'
import type { Platform } from '../platform/platform.ts'

/** What `backup` and `restore` unpack and link beside the data while they work. */
const workName = /^(backup-\w+|restore-\d+)$/

/** Removes what a backup or a restore that was killed has left, which holds recordings. The caller holds their lock. */
export async function removeWork(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  for (const name of await readdir(dataDir)) {
    if (workName.test(name)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** The same beside commands that may be at work just now: what they need stays. */
export async function removeLeftWork({ config }: Pick<Platform, 'config'>): Promise<void> {
  const unlock = tryLockCommands(config.dataDir)
  if (unlock === null) return
  try {
    await removeWork(config.dataDir)
  } finally {
    unlock()
  }
}
