/*
 * The form of a ZIP (APPNOTE 6.3), as bytes of which each is known before the first is sent: packages that write ZIPs
 * stream them, and nobody could go on in the middle. With ZIP64, as recordings have up to 10 GB and an account any number.
 */

/** One entry. Sizes in bytes; `offset`: of its header in the archive. */
export type ZipEntry = {
  name: string
  method: 'stored' | 'deflated'
  crc: number
  bytes: number
  packedBytes: number
  offset: number
  /** milliseconds since 1970 */
  changedAt: number
}

const most32 = 0xffff_ffff
const most16 = 0xffff
/** names are UTF-8 */
const flags = 0x800
const madeOnUnix = 3 << 8
const zip64Tag = 1
/** of a plain file, readable by its owner and others */
const mode = 0o100_644 * 0x1_0000

/** Date and time of MS-DOS, in UTC, to two seconds. */
function dosTime(ms: number): number {
  const at = new Date(Math.max(ms, Date.UTC(1980)))
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return date * 0x1_0000 + time
}

/** Values that need 64 bits, as ZIP64's extra field; empty if there are none. */
function wideField(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(zip64Tag, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  return field
}

const narrow = (value: number) => Math.min(value, most32)

/** What local and central headers have in common, from the version to the size. */
function writeCommon(header: Buffer, at: number, { method, crc, bytes, packedBytes, changedAt }: ZipEntry): void {
  header.writeUInt16LE(45, at)
  header.writeUInt16LE(flags, at + 2)
  header.writeUInt16LE(method === 'stored' ? 0 : 8, at + 4)
  header.writeUInt32LE(dosTime(changedAt), at + 6)
  header.writeUInt32LE(crc, at + 10)
  header.writeUInt32LE(narrow(packedBytes), at + 14)
  header.writeUInt32LE(narrow(bytes), at + 18)
}

/** The header before an entry's bytes. */
export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name)
  const isWide = entry.bytes >= most32 || entry.packedBytes >= most32
  // Both sizes are there if one is.
  const wide = wideField(isWide ? [entry.bytes, entry.packedBytes] : [])
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  writeCommon(header, 4, isWide ? { ...entry, bytes: most32, packedBytes: most32 } : entry)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(wide.length, 28)
  return Buffer.concat([header, name, wide])
}

function centralHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name)
  const wide = wideField([entry.bytes, entry.packedBytes, entry.offset].filter((value) => value >= most32))
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x0201_4b50, 0)
  header.writeUInt16LE(madeOnUnix | 45, 4)
  writeCommon(header, 6, entry)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(wide.length, 30)
  header.writeUInt32LE(mode, 38)
  header.writeUInt32LE(narrow(entry.offset), 42)
  return Buffer.concat([header, name, wide])
}

/** What ends an archive: its directory, and where that is. @param start of the directory, in bytes */
export function* directoryOf(entries: readonly ZipEntry[], start: number): Generator<Buffer> {
  let bytes = 0
  for (const entry of entries) {
    const header = centralHeader(entry)
    bytes += header.length
    yield header
  }
  const end64 = Buffer.alloc(56 + 20)
  end64.writeUInt32LE(0x0606_4b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(madeOnUnix | 45, 12)
  end64.writeUInt16LE(45, 14)
  for (const at of [24, 32]) end64.writeBigUInt64LE(BigInt(entries.length), at)
  end64.writeBigUInt64LE(BigInt(bytes), 40)
  end64.writeBigUInt64LE(BigInt(start), 48)
  end64.writeUInt32LE(0x0706_4b50, 56)
  end64.writeBigUInt64LE(BigInt(start + bytes), 64)
  end64.writeUInt32LE(1, 72)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  for (const at of [8, 10]) end.writeUInt16LE(Math.min(entries.length, most16), at)
  end.writeUInt32LE(narrow(bytes), 12)
  end.writeUInt32LE(narrow(start), 16)
  yield entries.length >= most16 || start + bytes >= most32 ? Buffer.concat([end64, end]) : end
}
