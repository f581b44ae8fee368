import { readFile } from 'node:fs/promises'
import type { MediaSource } from '../media-source.ts'

/** For tests: all bytes that ffmpeg would read. */
export async function readContent(source: MediaSource): Promise<Buffer> {
  return typeof source === 'string' ? readFile(source) : Buffer.from(await (await fetch(source.url)).arrayBuffer())
}
