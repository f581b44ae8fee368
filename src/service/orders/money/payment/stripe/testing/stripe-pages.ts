import { fieldText, parseForm } from './stripe-form.ts'
import type { StripeState } from './stripe-state.ts'

/** A page that the stand-in shows, or where it leads. */
type Page = { html: string } | { to: string } | null

const page = (title: string, main: string) => ({
  html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title>
<main><h1>${title}</h1>${main}</main></html>`,
})

function cardPage(state: StripeState, id: string, form: string | null): Page {
  const session = state.sessions.get(id)
  if (session === undefined) return null
  if (form !== null) {
    const fields = parseForm(form)
    const [month = '12', year = '30'] = (fieldText(fields, 'expires') ?? '12/30').split('/')
    const number = (fieldText(fields, 'number') ?? '').replaceAll(/\D/g, '')
    const card = state.addCard(number, session.customer, { month: Number(month), year: 2_000 + Number(year) })
    if (card !== null) {
      session.card = card.id
      return { to: session.success_url }
    }
  }
  const wrong = form === null ? '' : '<p role="alert">Your card number is invalid.</p>'
  return page(
    'Your card',
    `${wrong}<form method="post"><label>Card number <input name="number" autocomplete="cc-number"></label>
<label>Expiration <input name="expires" value="12/30"></label><button>Save the card</button></form>
<a href="${session.cancel_url}">Turn back</a>`,
  )
}

function bankPage(state: StripeState, id: string, form: string | null): Page {
  const intent = state.intent(id)
  if (intent === undefined) return null
  if (form === null) {
    const sum = `${(intent.amount / 100).toFixed(2)} ${intent.currency.toUpperCase()}`
    const buttons =
      '<button name="verdict" value="yes">Confirm</button><button name="verdict" value="no">Refuse</button>'
    return page('Your bank asks', `<p>Pay ${sum}?</p><form method="post">${buttons}</form>`)
  }
  if (intent.status === 'requires_action') {
    if (fieldText(parseForm(form), 'verdict') === 'yes') {
      state.confirm(intent, intent.card ?? '', { offSession: false, isAsked: true, declines: false })
    } else {
      intent.status = 'requires_payment_method'
      const message = 'We are unable to authenticate your payment method. Please choose a different payment method.'
      intent.error = { code: 'payment_intent_authentication_failure', message }
    }
  }
  const back = new URL(intent.returnUrl ?? 'about:blank')
  back.searchParams.set('payment_intent', id)
  return { to: back.href }
}

/** The hosted pages: for a card, and of the bank. @param form what was sent; null: it is opened */
export function hostedPage(state: StripeState, path: string, form: string | null): Page {
  const [, kind, id = ''] = path.split('/')
  if (kind === 'pay') return cardPage(state, id, form)
  return kind === '3ds' ? bankPage(state, id, form) : null
}
