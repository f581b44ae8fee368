import { queryOptions } from '@tanstack/react-query'
import { type CardBehaviour, cardSession, paymentMethod, paymentOverview } from '../../../contract/account/payment.ts'
import { account } from './account.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Query of the saved payment method. */
export const payment = {
  overview: (session: Session) =>
    queryOptions({
      queryKey: [...account.all(session), 'payment'] as const,
      queryFn: ({ signal }) => askAccount(session, 'payment', paymentOverview, { signal }),
    }),
}

/** Has a test card pay from now on, where test cards do. */
export async function chooseTestCard(session: Session, behaviour: CardBehaviour): Promise<void> {
  await askAccount(session, 'payment', paymentMethod, { method: 'PUT', body: { test_card: behaviour } })
}

/** @returns the address of the payment provider's page, which asks for a card and leads back to the settings */
export async function openCardPage(session: Session): Promise<string> {
  return (await askAccount(session, 'payment/sessions', cardSession, { method: 'POST' })).url
}

/** Saves the card that was entered on the provider's page. @throws ApiError in words if there is none */
export async function saveEnteredCard(session: Session, id: string): Promise<void> {
  await askAccount(session, `payment/sessions/${encodeURIComponent(id)}`, paymentMethod, { method: 'POST' })
}

/** Removes the card: orders are refused (402) until there is another. */
export async function removeCard(session: Session): Promise<void> {
  await sendToAccount(session, 'payment', { method: 'DELETE' })
}
