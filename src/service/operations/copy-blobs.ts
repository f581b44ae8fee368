import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobPart, BlobStore } from '../platform/media/blob-store.ts'
import { isAbsent } from '../platform/media/file-errors.ts'
import { StartError } from '../platform/start-error.ts'

/** Regenerated on request. */
const leftParts = /^rendered\//

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}

async function listBlobParts(home: string): Promise<BlobPart[]> {
  try {
    const entries = await readdir(home, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return paths.map((path) => relative(home, path) as BlobPart).filter((part) => !leftParts.test(part))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/**
 * Copies the blobs of a file that the target lacks, then reads all back and compares their SHA-256.
 * @param home the directory of the file.
 * @returns its size in bytes
 * @throws StartError if they differ
 */
export async function copyBlobs(home: string, fileId: string, target: BlobStore): Promise<number> {
  let bytes = 0
  for (const part of await listBlobParts(home)) {
    const path = join(home, part)
    const { size } = await stat(path)
    if ((await target.size(fileId, part)) !== size) await target.write(fileId, part, createReadStream(path))
    const [own, there] = await Promise.all([hashOf(createReadStream(path)), hashOf(target.read(fileId, part))])
    if (own !== there) {
      await target.write(fileId, part, createReadStream(path))
      if ((await hashOf(target.read(fileId, part))) !== own)
        throw new StartError(`${part} of the file ${fileId} does not arrive in the bucket as it is here.`)
    }
    bytes += size
  }
  return bytes
}
