function sizeField(bytes: number): number {
  return Math.min(bytes, 0xffff_ffff)
}

/**
 * Header (44 bytes) of a WAV of 16 bits a sample, by default stereo at 44.1 kHz. Beyond 4 GB its sizes mean "as long as
 * the file".
 */
export function wavHeader(dataBytes: number, { rate = 44_100, channels = 2 } = {}): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(sizeField(dataBytes + 36), 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(2 * channels * rate, 28)
  header.writeUInt16LE(2 * channels, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(sizeField(dataBytes), 40)
  return header
}
