const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Formats `9400000000` as `9.4 GB`: decimal units, like the service's limits. NaN (unknown) gives a dash. */
export function sizeText(bytes: number): string {
  if (!Number.isFinite(bytes)) return '–'
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${units[unit]}`
}

/** Created lazily: constructing one takes milliseconds. */
let countFormat: Intl.NumberFormat | null = null

/** Formats `3204` as `3,204`. */
export function countText(count: number): string {
  countFormat ??= new Intl.NumberFormat('en')
  return countFormat.format(count)
}

/** `1 file`, `3 files`. @param plural for irregular plurals */
export function formatCount(count: number, one: string, plural = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : plural}`
}
