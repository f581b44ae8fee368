import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CardSession, PaymentMethod, PaymentOverview } from '../../../contract/account/payment.ts'
import { chosenTestCard } from '../../../contract/account/payment.ts'
import { beginCardVisit, saveEnteredCard } from '../../orders/money/payment/card-visits.ts'
import { chooseTestCard, removeCard, savedCardOf, shownCard } from '../../orders/money/payment/saved-card.ts'
import type { Platform } from '../../platform/platform.ts'
import { readBody } from '../http/read-request.ts'

/** Where the provider's page leads back to, but for the id of the visit. Another site's origin has been refused before. */
function returnUrl({ publicUrl, tls }: Platform['config'], { headers, caller }: FastifyRequest): string {
  const own = headers.origin ?? `${tls === null ? 'http' : 'https'}://${headers.host}`
  return `${publicUrl?.origin ?? own}/${caller.account.environment}/settings?card=`
}

/** `payment`: the saved card. A new one replaces it; without one orders are refused (spec 1, rule 1). */
export async function paymentRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.get('payment', async ({ caller: { account } }): Promise<PaymentOverview> => {
    const card = await savedCardOf(platform, account)
    const test_cards = platform.payment[account.environment].cardPage === null
    return { payment_method: card && shownCard(card), test_cards }
  })

  app.put('payment', async (request): Promise<PaymentMethod> => {
    const { test_card } = readBody(chosenTestCard, request)
    return await chooseTestCard(platform, request.caller.account, test_card)
  })

  app.post('payment/sessions', async (request, reply): Promise<CardSession> => {
    const url = await beginCardVisit(platform, request.caller.account, returnUrl(platform.config, request))
    reply.code(201)
    return { url }
  })

  app.post<{ Params: { id: string } }>('payment/sessions/:id', async ({ caller, params }): Promise<PaymentMethod> => {
    return shownCard(await saveEnteredCard(platform, caller.account, params.id))
  })

  app.delete('payment', async ({ caller }, reply) => {
    await removeCard(platform, caller.account.id)
    return reply.code(204).send()
  })
}
