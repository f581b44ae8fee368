import { open } from 'node:fs/promises'

/** A WAV file whose sound is a hole in the file: its reading costs the disk nothing. */
export async function hollowWav(path: string, bytes: number, mark: number): Promise<string> {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(bytes - 8, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(2, 22)
  header.writeUInt32LE(44_100, 24)
  header.writeUInt32LE(176_400, 28)
  header.writeUInt16LE(4, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes - 44, 40)
  const file = await open(path, 'w')
  await file.write(header)
  await file.truncate(bytes)
  await file.write(Buffer.from([mark % 256, mark >> 8]), 0, 2, bytes - 2)
  await file.close()
  return path
}
