import { queryOptions } from '@tanstack/react-query'
import { type NewCard, paymentMethod, paymentOverview } from '../../contract/account-payment.ts'
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

/** Saves a card in place of any other; its number is not kept. @throws ApiError 400 with what is wrong with it */
export async function saveCard(session: Session, card: NewCard): Promise<void> {
  await askAccount(session, 'payment', paymentMethod, { method: 'PUT', body: card })
}

/** Removes the card: orders are refused (402) until there is another. */
export async function removeCard(session: Session): Promise<void> {
  await sendToAccount(session, 'payment', { method: 'DELETE' })
}
