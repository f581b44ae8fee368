const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Names in the order of the reader's language, digits by their value, case and accents aside. Each is given once. */
export function sortNames(names: Iterable<string>): string[] {
  return [...names].sort((one, two) => collator.compare(one, two))
}
