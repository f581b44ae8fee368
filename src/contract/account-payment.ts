import * as z from 'zod/mini'

/** The saved payment method; its number is never stored. */
export const paymentMethod = z.object({
  brand: z.string(),
  last_four: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
})
export type PaymentMethod = z.infer<typeof paymentMethod>

/** How a test card behaves when it is charged. */
export const cardBehaviours = ['succeeds', 'declines', 'fails_late'] as const
export type CardBehaviour = (typeof cardBehaviours)[number]

/** Answer of `GET payment`. `test_cards` is null where a real provider charges. */
export const paymentOverview = z.object({
  payment_method: z.nullable(paymentMethod),
  test_cards: z.nullable(
    z.array(z.object({ number: z.string(), brand: z.string(), behaviour: z.enum(cardBehaviours) })),
  ),
})
export type PaymentOverview = z.infer<typeof paymentOverview>

/** Body of `PUT payment`; the answer is the `paymentMethod`. `DELETE payment` removes it: orders are then 402. */
export const newCard = z.strictObject({
  /** digits; spaces and dashes are dropped */
  number: z.string().check(z.maxLength(40)),
  exp_month: z.int(),
  /** four digits */
  exp_year: z.int(),
})
export type NewCard = z.infer<typeof newCard>

/** The digits of a card number as typed: spaces and dashes dropped. */
export function cardDigits(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '')
}

/** Check digit of ISO/IEC 7812-1, Annex B (the Luhn formula). */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/**
 * What is wrong with a card, in words, or null. The card is good to the end of its month, UTC.
 * @param now milliseconds since 1970
 */
export function cardProblem(card: NewCard, now: number): string | null {
  const digits = cardDigits(card.number)
  if (!/^\d{12,19}$/.test(digits)) return 'A card number has 12 to 19 digits.'
  if (!passesLuhn(digits)) return 'This card number has a wrong digit. Check it against the card.'
  if (card.exp_month < 1 || card.exp_month > 12) return 'The month of expiry is a number from 1 to 12.'
  if (card.exp_year < 2000 || card.exp_year > 2099) return 'The year of expiry has four digits, such as 2029.'
  if (Date.UTC(card.exp_year, card.exp_month, 1) <= now) return 'This card has expired. Use another one.'
  return null
}

/** The brand that a number's first digits stand for (issuer ranges of ISO/IEC 7812), or `Card`. */
export function cardBrand(digits: string): string {
  if (/^4/.test(digits)) return 'Visa'
  if (/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/.test(digits)) return 'Mastercard'
  if (/^3[47]/.test(digits)) return 'American Express'
  if (/^(6011|65|64[4-9])/.test(digits)) return 'Discover'
  return 'Card'
}
