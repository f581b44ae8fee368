/** Created lazily: constructing one takes milliseconds. */
let collator: Intl.Collator | null = null

/** Sorts names in the user's locale: numeric, ignoring case and accents. */
export function sortNames(names: Iterable<string>): string[] {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const { compare } = collator
  return [...names].sort(compare)
}
