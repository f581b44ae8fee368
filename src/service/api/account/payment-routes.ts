import type { FastifyRequest } from 'fastify'
import { cardSession, chosenTestCard, paymentMethod, paymentOverview } from '../../../contract/account/payment.ts'
import { beginCardVisit, saveEnteredCard } from '../../orders/money/payment/card-visits.ts'
import { chooseTestCard, readSavedCard, removeCard, shownCard } from '../../orders/money/payment/saved-card.ts'
import type { Platform } from '../../platform/platform.ts'
import { route } from '../http/account-route.ts'
import { answer, nothing, providerSilent } from '../http/operation.ts'
import { getOwnOrigin } from '../http/require-key.ts'

/** The provider's return URL, without the visit's ID. */
function returnUrl(config: Platform['config'], request: FastifyRequest): string {
  return `${getOwnOrigin(request, config)}/${request.caller.account.environment}/settings?card=`
}

/** `payment`: the saved card. A new one replaces it; without one, orders are refused (spec 1, rule 1). */
export const paymentRoutes = [
  route('get /payment', 'The saved card', { 200: paymentOverview }, async ({ platform, caller: { account } }) => {
    const card = await readSavedCard(platform, account)
    const test_cards = platform.payment[account.environment].cardPage === null
    return { payment_method: card && shownCard(card), test_cards }
  }),
  route(
    'put /payment',
    'Choose a test card',
    { body: chosenTestCard, 200: paymentMethod, 409: 'Real cards pay here.' },
    ({ platform, caller, body }) => chooseTestCard(platform, caller.account, body.test_card),
  ),
  route(
    'post /payment/sessions',
    "The payment provider's page that asks for a card",
    {
      201: answer(cardSession, 'It leads back to the settings with `?card=<id>`.'),
      409: 'Test cards pay here.',
      502: providerSilent,
    },
    async ({ platform, caller, request }) => ({
      url: await beginCardVisit(platform, caller.account, returnUrl(platform.config, request)),
    }),
  ),
  route(
    'post /payment/sessions/{id}',
    'Save the card that was entered there',
    {
      200: paymentMethod,
      404: 'Not begun by this account, used, or over an hour old.',
      409: 'No card was entered.',
      502: providerSilent,
    },
    async ({ platform, caller, params }) => shownCard(await saveEnteredCard(platform, caller.account, params.id)),
  ),
  route('delete /payment', 'Remove the card; orders then return 402', { 204: nothing }, ({ platform, caller }) =>
    removeCard(platform, caller.account),
  ),
]
