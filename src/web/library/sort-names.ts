/** Made when it is first used, as making one takes the browser milliseconds. */
let collator: Intl.Collator | null = null

/** Names in the order of the reader's language, digits by their value, case and accents aside. Each is given once. */
export function sortNames(names: Iterable<string>): string[] {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const { compare } = collator
  return [...names].sort(compare)
}
