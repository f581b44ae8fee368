/** One figure of a bench, with the goal it is held against where there is one. */
export type Measurement = {
  what: string
  value: number
  unit: string
  goal?: { atLeast: number } | { atMost: number }
}

/** What `npm run bench` can run by name. Options come as `--name value`. */
export type Bench = (options: Readonly<Record<string, string | undefined>>) => Promise<Measurement[]>

export function isMet({ value, goal }: Measurement): boolean {
  if (goal === undefined) return true
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

/** `HEAD 0.62 of a bare route   goal at least 0.5   met` */
export function describe(measurement: Measurement): string {
  const { what, value, unit, goal } = measurement
  const figure = `${what}: ${Number(value.toPrecision(4))} ${unit}`.trimEnd()
  if (goal === undefined) return figure
  const wanted = 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`
  return `${figure}   (goal ${wanted}: ${isMet(measurement) ? 'met' : 'MISSED'})`
}

/** The middle of an odd number of runs. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
