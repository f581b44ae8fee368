import { sizeText } from '../../../base/ui/sizes.ts'

/** `6.1 of 9.4 GB`, or `900 kB of 9.4 GB` where the units differ. */
export function sentText(sentBytes: number, totalBytes: number): string {
  const total = sizeText(totalBytes)
  const sent = sizeText(sentBytes)
  const [value, unit] = sent.split(' ')
  return total.endsWith(` ${unit}`) ? `${value} of ${total}` : `${sent} of ${total}`
}

/** `48 MB/s`; null before any measurement. */
export function speedText(bytesPerSecond: number | null): string | null {
  return bytesPerSecond === null ? null : `${sizeText(Math.round(bytesPerSecond))}/s`
}

/** Time left in words that do not flicker: seconds in steps of five, minutes, then hours and minutes. */
export function timeLeftText(seconds: number): string {
  if (seconds < 5) return 'a few seconds left'
  if (seconds < 55) return `${Math.ceil(seconds / 5) * 5} s left`
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}
