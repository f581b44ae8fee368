const formats = new Map<string, Intl.NumberFormat>()

function formatFor(currency: string): Intl.NumberFormat | null {
  const known = formats.get(currency)
  if (known) return known
  try {
    const made = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    formats.set(currency, made)
    return made
  } catch {
    // Not an ISO 4217 code: shown as the service sent it.
    return null
  }
}

/** Formats an amount in whole cents: `12760`, `USD` gives `$127.60`. NaN (unknown) gives a dash. */
export function moneyText(cents: number, currency: string): string {
  if (!Number.isFinite(cents)) return '–'
  const text = formatFor(currency)?.format(cents / 100) ?? `${(cents / 100).toFixed(2)} ${currency}`.trim()
  return text.replace('-', '−')
}
