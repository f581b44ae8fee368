/**
 * One frame of silence: MPEG-2.5 Layer III, 8 kbit/s, 8 kHz, mono, no CRC (ISO/IEC 11172-3, 2.4.2.3, and its 8 kHz
 * extension). 576 samples, so 72 ms in 72 bytes; side information and data are zero, which decodes to silence.
 */
const frame = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc4]), Buffer.alloc(68)])
const frameMs = 72
const framesAtOnce = 10_000

/** Yields a silent mp3, its length rounded up to whole frames, in chunks; a day of it is 86 MB. */
export function* silentMp3(lengthMs: number): Generator<Uint8Array> {
  const block = Buffer.concat(Array.from({ length: framesAtOnce }, () => frame))
  for (let left = Math.max(Math.round(lengthMs / frameMs), 1); left > 0; left -= framesAtOnce) {
    yield block.subarray(0, Math.min(left, framesAtOnce) * frame.length)
  }
}
