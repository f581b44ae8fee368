import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** A smaller file fits into the same packet as its headers. */
const minBytes = 1_000
/** Already compressed files, such as woff2 fonts, gain nothing. */
const worthIt = 0.9

/** By the suffix of the copy, at their best levels; brotli's default is its best, 11. */
const encoders = {
  '.br': promisify(brotliCompress),
  '.gz': (content: Buffer) => promisify(gzip)(content, { level: 9 }),
}

/** Writes a precompressed copy per encoding next to every file of a folder that benefits, for the service to send. */
export async function compressAssets(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const compress = async (path: string) => {
    const content = await readFile(path)
    if (content.length < minBytes) return
    for (const [suffix, encode] of Object.entries(encoders)) {
      const copy = await encode(content)
      if (copy.length < content.length * worthIt) await writeFile(path + suffix, copy)
    }
  }
  await Promise.all(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => compress(join(parentPath, name))),
  )
}
