import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { dataPaths, findScratchDir } from '../data-directory.ts'
import type { BlobStore, RecordingsPlace } from './blob-store.ts'
import { isAbsent } from './file-errors.ts'
import { openFsBlobStore } from './fs-blob-store.ts'

/** Blob storage; nothing is written there before `open`, which waits until the database is known to match. */
export type OpenedPlace = { place: RecordingsPlace; open(): Promise<BlobStore> }

/** Loads S3 code lazily, only if it is used. @throws StartError as `openS3` */
export async function findBlobs(config: Config): Promise<OpenedPlace> {
  if (config.s3 !== null) return await (await import('./s3/open-s3.ts')).openS3(config.s3, findScratchDir(config))
  const { blobs } = dataPaths(config.dataDir)
  return { place: directoryPlace(config.dataDir, blobs), open: () => openFsBlobStore(blobs) }
}

async function unlessAbsent<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** A data directory that nodes share. @param blobs path of its blobs */
function directoryPlace(dataDir: string, blobs: string): RecordingsPlace {
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
