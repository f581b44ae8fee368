/** A sum as it is typed: grouped in thousands or not, with one or two decimals or none. */
const forms = [/^\d{1,3}(,\d{3})+(\.\d{1,2})?$/, /^\d{1,3}(\.\d{3})+,\d{1,2}$/, /^\d+([.,]\d{1,2})?$/]

/** `20`, `7.50`, `7,50`, `10,000.00` or `10.000,00` in cents; NaN if it is no sum, or 10,000,000 or more. */
export function readCents(typed: string): number {
  const text = typed.trim()
  if (!forms.some((form) => form.test(text))) return Number.NaN
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  const cents = Number(whole.replaceAll(/\D/g, '')) * 100 + Number(decimals.padEnd(2, '0'))
  return cents < 1_000_000_000 ? cents : Number.NaN
}
