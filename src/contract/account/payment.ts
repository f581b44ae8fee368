import * as z from 'zod/mini'

/** Display fields of the saved card. Its number never reaches this service. */
export const paymentMethod = z.object({
  brand: z.string().check(z.minLength(1), z.maxLength(40)),
  last_four: z.string().check(z.regex(/^\d{4}$/)),
  exp_month: z.int().check(z.minimum(1), z.maximum(12)),
  exp_year: z.int().check(z.minimum(2000), z.maximum(2199)),
})
export type PaymentMethod = z.infer<typeof paymentMethod>

/** How long before the end of its month an account is told that its card expires. */
export const toldBeforeExpiryMs = 31 * 86_400_000

/** When a card stops paying: the end of its month, UTC. */
export function expiryOf({ exp_month, exp_year }: Pick<PaymentMethod, 'exp_month' | 'exp_year'>): number {
  return Date.UTC(exp_year, exp_month)
}

/** How a test card behaves when it is charged. */
export const cardBehaviours = ['succeeds', 'declines', 'fails_late'] as const
export type CardBehaviour = (typeof cardBehaviours)[number]

/** The test cards by behavior. They have names and no numbers: there is nothing to type. */
export const testCards: Readonly<Record<CardBehaviour, PaymentMethod>> = {
  succeeds: { brand: 'Test card that pays', last_four: '4242', exp_month: 12, exp_year: 2099 },
  declines: { brand: 'Test card that is declined', last_four: '0002', exp_month: 12, exp_year: 2099 },
  fails_late: { brand: 'Test card that pays, then fails', last_four: '0341', exp_month: 12, exp_year: 2099 },
}

/** Response of `GET payment`. `test_cards`: true if they pay and no money moves; false: a provider has a card page. */
export const paymentOverview = z.object({
  payment_method: z.nullable(paymentMethod),
  /** whether test cards can be chosen; otherwise cards are entered on the page of the payment provider */
  test_cards: z.boolean(),
})
export type PaymentOverview = z.infer<typeof paymentOverview>

/**
 * Body of `PUT payment`, 409 if real cards pay; the response is the `paymentMethod`. `DELETE payment` removes the card:
 * orders are then 402.
 */
export const chosenTestCard = z.strictObject({
  /** one of the test cards by its name */
  test_card: z.enum(cardBehaviours),
})

/**
 * Response of `POST payment/sessions` (201; 409 if test cards pay): the payment provider's page for entering the card.
 * It redirects to the settings with `?card=<id>`; `POST payment/sessions/<id>` then saves the card, once, within an
 * hour, for the account that started the session, and responds with the `paymentMethod`.
 */
export const cardSession = z.object({ url: z.string().check(z.regex(/^https?:\/\/./)) })
export type CardSession = z.infer<typeof cardSession>
