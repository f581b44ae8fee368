/** A time in milliseconds since 1970 as ISO 8601 in UTC. */
export function iso(time: number): string
export function iso(time: number | null): string | null
export function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
