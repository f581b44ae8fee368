import { Bytes, roundUp } from './bytes.ts'

/*
 * Writer of the compound file of [MS-CFB], version 3: 512-byte sectors, here in the order header, DIFAT, FAT,
 * directory, streams. Streams under 4,096 bytes would need a second allocation table for the mini stream; they are
 * padded instead.
 */
const sectorBytes = 512
const entriesPerSector = sectorBytes / 4
const headerDifatEntries = 109
const free = 0xffffffff
const endOfChain = 0xfffffffe
const fatSector = 0xfffffffd
const difatSector = 0xfffffffc
const none = 0xffffffff
/** A shorter stream would have to be in the mini stream. */
export const smallestStreamBytes = 4_096

/** A stream whose length is known before its bytes. `length` is at least `smallestStreamBytes`. */
export type CompoundStream = { name: string; length: number; content: Iterable<Uint8Array> }

type Layout = { difat: number; fat: number; directory: number; streams: number[] }

/** Computes the sectors of each part; the FAT lists itself, so it grows until it holds all. */
function layOut(streams: readonly CompoundStream[]): Layout {
  const streamSectors = streams.map(({ length }) => Math.ceil(length / sectorBytes))
  const directory = Math.ceil((streams.length + 1) / 4)
  const fixed = streamSectors.reduce((sum, count) => sum + count, directory)
  for (let fat = 1; ; fat++) {
    const difat = Math.ceil(Math.max(0, fat - headerDifatEntries) / (entriesPerSector - 1))
    if (fixed + fat + difat <= fat * entriesPerSector) return { difat, fat, directory, streams: streamSectors }
  }
}

function header({ difat, fat }: Layout): Uint8Array {
  const bytes = new Bytes().u32(0xe011cfd0, 0xe11ab1a1).padTo(24)
  bytes.u16(0x3e, 3, 0xfffe, 9, 6).padTo(44)
  bytes.u32(fat, difat + fat, 0, smallestStreamBytes, endOfChain, 0)
  bytes.u32(difat === 0 ? endOfChain : 0, difat)
  for (let index = 0; index < headerDifatEntries; index++) bytes.u32(index < fat ? difat + index : free)
  return bytes.toUint8Array()
}

/** The positions of FAT sectors beyond the header's 109; the last entry of each sector points to the next one. */
function difatSectors({ difat, fat }: Layout): Uint8Array {
  const bytes = new Bytes()
  let next = headerDifatEntries
  for (let sector = 0; sector < difat; sector++) {
    for (let entry = 0; entry < entriesPerSector - 1; entry++, next++) bytes.u32(next < fat ? difat + next : free)
    bytes.u32(sector === difat - 1 ? endOfChain : sector + 1)
  }
  return bytes.toUint8Array()
}

function fatSectors({ difat, fat, directory, streams }: Layout): Uint8Array {
  const bytes = new Bytes()
  for (let index = 0; index < difat; index++) bytes.u32(difatSector)
  for (let index = 0; index < fat; index++) bytes.u32(fatSector)
  let sector = difat + fat
  for (const count of [directory, ...streams]) {
    for (let index = 1; index < count; index++) bytes.u32(sector + index)
    bytes.u32(endOfChain)
    sector += count
  }
  while (bytes.length < fat * sectorBytes) bytes.u32(free)
  return bytes.toUint8Array()
}

type Entry = { name: string; type: 0 | 2 | 5; left: number; child: number; start: number; length: number }

function directoryEntry(bytes: Bytes, { name, type, left, child, start, length }: Entry): void {
  const from = bytes.length
  bytes
    .utf16(name)
    .padTo(from + 64)
    .u16(type === 0 ? 0 : (name.length + 1) * 2)
    .u8(type, 1)
  bytes.u32(left, none, child)
  // The class id of a Word 97 document, only on the root.
  if (type === 5) bytes.u32(0x00020906, 0, 0x000000c0, 0x46000000)
  bytes.padTo(from + 116).u32(start, length, 0)
}

/**
 * Root, then the streams as a tree degenerated to a chain of left children. Names must be in the order of [MS-CFB]
 * 2.6.4, shorter first.
 */
function directorySectors(streams: readonly CompoundStream[], layout: Layout): Uint8Array {
  const bytes = new Bytes()
  directoryEntry(bytes, {
    name: 'Root Entry',
    type: 5,
    left: none,
    child: streams.length,
    start: endOfChain,
    length: 0,
  })
  let start = layout.difat + layout.fat + layout.directory
  for (const [index, { name, length }] of streams.entries()) {
    directoryEntry(bytes, { name, type: 2, left: index === 0 ? none : index, child: none, start, length })
    start += layout.streams[index] ?? 0
  }
  while (bytes.length < layout.directory * sectorBytes) {
    directoryEntry(bytes, { name: '', type: 0, left: none, child: none, start: 0, length: 0 })
  }
  return bytes.toUint8Array()
}

/** A compound file of the streams, shorter names first, in chunks. @throws if a stream's length is not as declared */
export function* compoundFile(streams: readonly CompoundStream[]): Generator<Uint8Array> {
  const layout = layOut(streams)
  yield header(layout)
  yield difatSectors(layout)
  yield fatSectors(layout)
  yield directorySectors(streams, layout)
  for (const { name, length, content } of streams) {
    let written = 0
    for (const chunk of content) {
      written += chunk.length
      yield chunk
    }
    if (written !== length || length < smallestStreamBytes) throw new Error(`stream ${name} has ${written} bytes`)
    yield new Uint8Array(roundUp(length, sectorBytes) - length)
  }
}
