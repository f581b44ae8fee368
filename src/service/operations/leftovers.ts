import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tryLockCommands } from '../platform/data-directory.ts'
import type { Platform } from '../platform/platform.ts'

/** Working directories of `backup` and `restore`, next to the data. */
const workName = /^(backup-\w+|restore-\d+)$/

/** Removes remains of a killed backup or restore, which contain recordings. The caller holds their lock. */
export async function removeWork(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  for (const name of await readdir(dataDir)) {
    if (workName.test(name)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** The same while commands may be running: whatever they need stays. */
export async function removeLeftWork({ config }: Pick<Platform, 'config'>): Promise<void> {
  const unlock = tryLockCommands(config.dataDir)
  if (unlock === null) return
  try {
    await removeWork(config.dataDir)
  } finally {
    unlock()
  }
}
