import type { FastifyRequest } from 'fastify'
import { cardSession, chosenTestCard, paymentMethod, paymentOverview } from '../../../contract/account/payment.ts'
import { beginCardVisit, saveEnteredCard } from '../../orders/money/payment/card-visits.ts'
import { chooseTestCard, removeCard, savedCardOf, shownCard } from '../../orders/money/payment/saved-card.ts'
import type { Platform } from '../../platform/platform.ts'
import { answer, nothing } from '../http/operation.ts'
import { route } from '../http/route.ts'

/** The provider's return URL, without the visit's ID. Requests from other origins have been refused earlier. */
function returnUrl({ publicUrl, tls }: Platform['config'], { headers, caller }: FastifyRequest): string {
  const own = headers.origin ?? `${tls === null ? 'http' : 'https'}://${headers.host}`
  return `${publicUrl?.origin ?? own}/${caller.account.environment}/settings?card=`
}

/** `payment`: the saved card. A new one replaces it; without one, orders are refused (spec 1, rule 1). */
export const paymentRoutes = [
  route({
    call: 'get /payment',
    summary: 'The saved card',
    answers: { 200: paymentOverview },
    handler: async ({ platform, caller: { account } }) => {
      const card = await savedCardOf(platform, account)
      const test_cards = platform.payment[account.environment].cardPage === null
      return { payment_method: card && shownCard(card), test_cards }
    },
  }),
  route({
    call: 'put /payment',
    summary: 'Choose a test card',
    answers: { 200: paymentMethod, 409: 'Real cards pay here.' },
    body: chosenTestCard,
    handler: ({ platform, caller, body }) => chooseTestCard(platform, caller.account, body.test_card),
  }),
  route({
    call: 'post /payment/sessions',
    summary: "The payment provider's page that asks for a card",
    answers: {
      201: answer(cardSession, 'It leads back to the settings with `?card=<id>`.'),
      409: 'Test cards pay here.',
    },
    handler: async ({ platform, caller, request }) => ({
      url: await beginCardVisit(platform, caller.account, returnUrl(platform.config, request)),
    }),
  }),
  route({
    call: 'post /payment/sessions/{id}',
    summary: 'Save the card that was entered there',
    answers: {
      200: paymentMethod,
      404: 'Not begun by this account, used, or over an hour old.',
      409: 'No card was entered.',
    },
    handler: async ({ platform, caller, params }) =>
      shownCard(await saveEnteredCard(platform, caller.account, params.id)),
  }),
  route({
    call: 'delete /payment',
    summary: 'Remove the card; orders then return 402',
    answers: { 204: nothing },
    handler: ({ platform, caller }) => removeCard(platform, caller.account.id),
  }),
]
