/** One figure of a bench, with its goal, if any. */
export type Measurement = {
  what: string
  value: number
  unit: string
  goal?: { atLeast: number } | { atMost: number }
}

/** A bench that `npm run bench` runs by name. Options come as `--name value`. */
export type Bench = (options: Readonly<Record<string, string | undefined>>) => Promise<Measurement[]>

export function isMet({ value, goal }: Measurement): boolean {
  if (goal === undefined) return true
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

/** `0.62`, `34 ms`: four digits, and the unit, if any. */
export function valueText({ value, unit }: Measurement): string {
  return `${Number(value.toPrecision(4))} ${unit}`.trimEnd()
}

/** `at least 0.5`, with `: MISSED` if it is; empty without a goal. */
export function goalText(measurement: Measurement): string {
  const { goal } = measurement
  if (goal === undefined) return ''
  const wanted = 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`
  return isMet(measurement) ? wanted : `${wanted}: MISSED`
}

/** `HEAD of a bare route: 0.62   (goal at least 0.5)` */
export function describe(measurement: Measurement): string {
  const figure = `${measurement.what}: ${valueText(measurement)}`
  const goal = goalText(measurement)
  return goal === '' ? figure : `${figure}   (goal ${goal})`
}

/** The middle of an odd number of runs. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The value that this share of the values does not exceed: `percentile(times, 0.95)`. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
