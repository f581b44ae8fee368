import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbsent } from './file-errors.ts'
import type { RecordingsPlace } from './recordings-place.ts'

async function unlessAbsent<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** A data directory that nodes share. @param blobs path of its blobs */
export function directoryPlace(dataDir: string, blobs: string): RecordingsPlace {
  const path = join(dataDir, 'recordings-of')
  return {
    name: dataDir,
    readMark: () => unlessAbsent(readFile(path, 'utf8')),
    hasRecordings: async () => ((await unlessAbsent(readdir(join(blobs, 'files')))) ?? []).length > 0,
    async writeMark(value) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await writeFile(path, value, { mode: 0o600 })
    },
  }
}
