import type { QueuePlace } from '../../../contract/account/queue.ts'
import { countText, formatCount } from './sizes.ts'

/** `6128` gives `1:42:08`, `2791` `46:31`, `9` `0:09`: hours only if there are any. NaN (unknown) gives a dash. */
export function clockText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–'
  const whole = Math.max(0, Math.round(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** An approximate length in words: `45 s`, `3 min`, `2 h 10 min`, `94 h`. */
export function roughLength(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–'
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours >= 24 || minutes % 60 === 0
    ? `${countText(Math.round(minutes / 60))} h`
    : `${hours} h ${minutes % 60} min`
}

/** `about 12 min, 3 orders before yours` */
export function queueWords({ about_seconds: seconds, orders_before: orders }: NonNullable<QueuePlace>): string {
  return `about ${roughLength(seconds)}, ${orders === 0 ? 'no order' : formatCount(orders, 'order')} before yours`
}
