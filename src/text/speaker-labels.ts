/**
 * The parts of a name that make up its initials: letters with their marks, or a whole number. `Speaker 12` gives both.
 */
function nameParts(name: string): string[] {
  return name.match(/\p{N}+|(?:\p{L}\p{M}*)+/gu) ?? []
}

/**
 * Candidate abbreviations, best first: initials, then initials with ever more of the first part (`AB`, `AnB`, `AnnB`).
 * Empty if the name cannot be shortened.
 */
function shortForms(name: string): string[] {
  const [first, ...rest] = nameParts(name)
  if (first === undefined) return []
  const letters = (part: string) => part.match(/\p{L}\p{M}*/gu) ?? [part]
  const initial = (part: string) => (letters(part)[0] ?? part).toUpperCase()
  const tail = rest.map(initial).join('')
  const head = letters(first)
  const forms = head.map((_, index) => initial(first) + head.slice(1, index + 1).join('') + tail)
  return forms.filter((form) => form.length < name.length)
}

/**
 * The abbreviation of each name for its later mentions (spec 2.5): its initials, more of its first part if initials
 * collide, the full name if nothing shorter is unique. No abbreviation is another name or a form of one.
 */
export function speakerInitials(names: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)]
  const uses = new Map<string, number>()
  for (const name of distinct) {
    for (const form of new Set([name, ...shortForms(name)])) uses.set(form, (uses.get(form) ?? 0) + 1)
  }
  return new Map(distinct.map((name) => [name, shortForms(name).find((form) => uses.get(form) === 1) ?? name]))
}

/**
 * Maps each label of a text to the full name, for a reader that sees only the labels.
 * @param labels in the order of the text; a name comes before its abbreviation
 * @param known names known beforehand, so that `AB` can be a speaker alongside `Ann Baker`
 */
export function expandLabels(labels: Iterable<string>, known: readonly string[] = []): ReadonlyMap<string, string> {
  const distinct = new Set(labels)
  const forms = new Set<string>()
  const names: string[] = []
  for (const label of distinct) {
    if (forms.has(label) && !known.includes(label)) continue
    names.push(label)
    for (const form of shortForms(label)) forms.add(form)
  }
  const byInitials = new Map([...speakerInitials(names)].map(([name, initials]) => [initials, name]))
  return new Map(
    [...distinct].map((label) => [label, names.includes(label) ? label : (byInitials.get(label) ?? label)]),
  )
}
