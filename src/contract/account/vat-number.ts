/** Forms of VAT numbers behind their country's two letters, as the countries publish them. */
const forms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CH: /^E\d{9}(MWST|TVA|IVA)?$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}(MVA)?$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{10}01$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
}
/** Member states of the European Union, by how their VAT numbers begin. */
const inUnion = new Set('AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '))
/** Codes that are no country's (ISO 3166 leaves them to users), and that of Greece, whose VAT numbers begin with EL. */
const notCountries = /^(AA|GR|Q[M-Z]|X[A-HJ-Z]|ZZ)$/
/** Of other countries: letters and digits, mostly digits. */
const otherForm = /^(?=.*\d{4})[A-Z0-9]{5,15}$/

/**
 * A VAT number without blanks, dots and dashes, in capitals. Its form is checked, not whether it was ever given out.
 * @returns null if it is none
 */
export function readVatNumber(typed: string): string | null {
  const text = typed.replaceAll(/[\s.\-/]/g, '').toUpperCase()
  const country = text.slice(0, 2)
  if (!/^[A-Z]{2}$/.test(country) || notCountries.test(country)) return null
  return (forms[country] ?? otherForm).test(text.slice(2)) ? text : null
}

/** What a VAT number begins with where one is refused for its country: a sentence after a blank, or ''. */
export const hintOfVatNumber = (typed: string): string =>
  /^\s*GR/i.test(typed) ? ' VAT numbers of Greece begin with EL.' : ''

/**
 * Why reverse charge is not for a customer: it needs one in another country of the European Union than the seller.
 * @param vatNumber of the customer, as `readVatNumber` gives it
 * @param seller VAT number of the seller; null: none is set, and it charges no VAT that others could account for
 * @returns a sentence; null if it is for them
 */
export function refuseReverseCharge(vatNumber: string, seller: string | null): string | null {
  const country = vatNumber.slice(0, 2)
  const rule = 'Reverse charge is for companies of another EU country than the seller'
  if (!inUnion.has(country)) return `${rule}, and ${country} is none.`
  if (seller === null) return `${rule}, which has no VAT number here.`
  return readVatNumber(seller)?.slice(0, 2) === country ? `${rule}, which is in ${country}, too.` : null
}
