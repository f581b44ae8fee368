import { open } from 'node:fs/promises'
import { wavHeader } from './wav-header.ts'

/** A WAV file with a sparse data section: reading it costs no disk I/O. */
export async function hollowWav(path: string, bytes: number, mark: number): Promise<string> {
  const file = await open(path, 'w')
  await file.write(wavHeader(bytes - 44))
  await file.truncate(bytes)
  await file.write(Buffer.from([mark % 256, mark >> 8]), 0, 2, bytes - 2)
  await file.close()
  return path
}
