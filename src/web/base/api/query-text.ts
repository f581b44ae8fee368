/** A query of an address, `?from=2026&kind=charge`; what is empty is left out. */
export function queryText(filter: Partial<Record<string, string | null>>): string {
  const given = Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
