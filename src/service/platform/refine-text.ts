/** Text as it may be stored: without U+0000, which PostgreSQL refuses, and without lone surrogates. */
export function refineText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '') : wellFormed
}

/** The same for all texts in parsed JSON, names of members included; changes it in place. Its depth must be limited. */
export function refineJson(value: unknown): unknown {
  if (typeof value === 'string') return refineText(value)
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, unknown>
  for (const [name, member] of Object.entries(members)) {
    const refined = refineText(name)
    if (refined !== name) delete members[name]
    members[refined] = refineJson(member)
  }
  return value
}
