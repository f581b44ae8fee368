import { type CardBehaviour, cardSession, paymentMethod, paymentOverview } from '../../../contract/account/payment.ts'
import { accountQuery, askAccount, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Query of the saved payment method. */
export const payment = {
  overview: (session: Session) => accountQuery(session, ['payment'], 'payment', paymentOverview),
}

/** Makes a test card the payment method, if the service accepts test cards. */
export async function chooseTestCard(session: Session, behavior: CardBehaviour): Promise<void> {
  await askAccount(session, 'payment', paymentMethod, { method: 'PUT', body: { test_card: behavior } })
}

/** @returns the URL of the payment provider's page, which asks for a card and redirects back to the settings */
export async function openCardPage(session: Session): Promise<string> {
  return (await askAccount(session, 'payment/sessions', cardSession, { method: 'POST' })).url
}

/** Saves the card entered on the provider's page. @throws ApiError with a readable message if there is none */
export async function saveEnteredCard(session: Session, id: string): Promise<void> {
  await askAccount(session, `payment/sessions/${encodeURIComponent(id)}`, paymentMethod, { method: 'POST' })
}

/** Removes the card: orders are refused (402) until another is saved. */
export async function removeCard(session: Session): Promise<void> {
  await sendToAccount(session, 'payment', { method: 'DELETE' })
}
