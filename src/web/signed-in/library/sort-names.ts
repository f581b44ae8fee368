/** Made when it is first used, as making one takes the browser milliseconds. */
let collator: Intl.Collator | null = null

/** Sorts names in the order of the reader's language, digits by their value, whatever their case and accents. */
export function sortNames(names: Iterable<string>): string[] {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const { compare } = collator
  return [...names].sort(compare)
}
