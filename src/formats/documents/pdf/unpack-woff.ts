import { unzlibSync } from 'fflate'

/**
 * Unpacks WOFF 1.0 to TrueType: fontkit reads both, but decompresses a whole table for each glyph of a WOFF.
 * @throws if it is not WOFF 1.0
 */
export function unpackWoff(woff: Uint8Array): Uint8Array {
  const view = new DataView(woff.buffer, woff.byteOffset, woff.byteLength)
  if (view.getUint32(0) !== 0x774f4646) throw new Error('This is no WOFF font.')
  const count = view.getUint16(12)
  const unpacked = new Uint8Array(view.getUint32(16))
  const out = new DataView(unpacked.buffer)
  out.setUint32(0, view.getUint32(4))
  out.setUint16(4, count)
  let at = 12 + count * 16
  for (let index = 0; index < count; index++) {
    const [entry, place] = [44 + index * 20, 12 + index * 16]
    const [offset, packed, length] = [4, 8, 12].map((field) => view.getUint32(entry + field)) as [
      number,
      number,
      number,
    ]
    const table = woff.subarray(offset, offset + packed)
    unpacked.set(packed < length ? unzlibSync(table) : table, at)
    out.setUint32(place, view.getUint32(entry))
    out.setUint32(place + 4, view.getUint32(entry + 16))
    out.setUint32(place + 8, at)
    out.setUint32(place + 12, length)
    at += Math.ceil(length / 4) * 4
  }
  return unpacked
}
