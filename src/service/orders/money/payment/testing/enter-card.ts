import type { CardSession } from '../../../../../contract/account/payment.ts'
import type { AccountClient } from '../../../../testing/account-client.ts'

/** For tests: visits the card page of a `LocalStripe` and enters a card. @returns the URL that it returns to */
export async function visitCardPage(
  client: AccountClient,
  number = '4242424242424242',
  expires = '12/30',
): Promise<URL> {
  const { url } = await client.read<CardSession>('POST', 'payment/sessions')
  const body = new URLSearchParams({ number, expires })
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}

/** The service's response after returning from the card page. */
export async function comeBack(client: AccountClient, back: URL): Promise<Response> {
  return await client.ask('POST', `payment/sessions/${back.searchParams.get('card')}`)
}
