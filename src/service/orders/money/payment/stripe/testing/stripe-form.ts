/** What a form body or query says: Stripe nests names as `metadata[key]` and `expand[0]`. */
export type Fields = { [name: string]: string | Fields }

/** Parses `a[b][0]=c` as the API does. */
export function parseForm(text: string): Fields {
  const root: Fields = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split(/\]?\[|\]$/).filter((part) => part !== '')
    let at = root
    let last = first
    for (const part of rest) {
      const next = at[last]
      const child: Fields = typeof next === 'object' ? next : {}
      at[last] = child
      at = child
      last = part
    }
    at[last] = value
  }
  return root
}

export const fieldText = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

export const fieldMap = (fields: Fields, name: string): Record<string, string> => {
  const value = fields[name]
  return typeof value === 'object' ? (value as Record<string, string>) : {}
}
