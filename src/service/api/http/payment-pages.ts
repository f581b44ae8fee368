import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { escapeXml } from '../../../text/plain-text.ts'
import { hearProvider } from '../../orders/money/hear-provider.ts'
import { confirmTopUp } from '../../orders/money/waiting-top-ups.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { builtFrame, frameDocument, listOwnPages, ownPagePolicy } from './own-pages.ts'

/*
 * What reaches the service from outside when a card pays: events of the payment provider, and people who return from
 * their bank's page, perhaps on a device without a key. The address that they return to is random, and says only what
 * became of that payment.
 */

type Page = { title: string; words: string }

async function pageFor(platform: Platform, id: string): Promise<Page> {
  const found = await confirmTopUp(platform, id)
  if (found === null) {
    return { title: 'This payment has ended', words: 'It was confirmed, refused or given up. The balance says which.' }
  }
  const { row, state } = found
  const sum = `${centsToDecimal(row.amount_cents)} ${row.currency}`
  if (state.state === 'paid') {
    const words = `${sum} are in your balance. An order that waits in another tab goes on by itself; else order again.`
    return { title: 'Payment confirmed', words }
  }
  if (state.state === 'waits') return { title: 'Not confirmed yet', words: `Your bank has not confirmed ${sum} yet.` }
  const reason = state.declined ?? 'The payment was canceled.'
  return { title: 'Not paid', words: `${reason} Nothing was charged.` }
}

/** `POST /payments/events` and `GET /payments/confirmed/{id}`. */
export function paymentPages(platform: Platform) {
  return async (app: FastifyInstance): Promise<void> => {
    const frame = existsSync(builtFrame) ? readFileSync(builtFrame, 'utf8') : null
    // The signature is of the bytes as they came.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post('/payments/events', async ({ body, headers }) => {
      const signature = headers['stripe-signature']
      if (!Buffer.isBuffer(body)) throw new ServiceError(400, 'This event is not taken: it is empty.')
      await hearProvider(platform, body, typeof signature === 'string' ? signature : undefined)
      return {}
    })
    app.get<{ Params: { id: string } }>('/payments/confirmed/:id', async ({ params }, reply) => {
      const { title, words } = await pageFor(platform, params.id)
      const html = `<h1>${title}</h1>\n<p>${escapeXml(words)}</p>\n<p><a href="/live/">Go back to Parley</a></p>`
      return reply
        .header('cache-control', 'no-store')
        .header('content-security-policy', ownPagePolicy)
        .type('text/html; charset=utf-8')
        .send(frameDocument(frame, title, html, listOwnPages(platform.config)))
    })
  }
}
