export type ByteRange = { start: number; end: number }

/**
 * arses the single range of a `Range` header (RFC 9110, 14.2), both ends inclusive.
 * @returns null to send the whole (no range, several, or an unknown form), 'unsatisfiable' for 416
 */
export function readByteRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (parts === null || (parts[1] === '' && parts[2] === '')) return null
  if (parts[1] === '') {
    const last = Math.min(Number(parts[2]), bytes)
    return last === 0 ? 'unsatisfiable' : { start: bytes - last, end: bytes - 1 }
  }
  const start = Number(parts[1])
  const end = parts[2] === '' ? bytes - 1 : Math.min(Number(parts[2]), bytes - 1)
  if (parts[2] !== '' && Number(parts[2]) < start) return null
  return start >= bytes ? 'unsatisfiable' : { start, end }
}
