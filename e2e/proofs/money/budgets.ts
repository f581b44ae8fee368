import { comeBack, visitCardPage } from '../../../src/service/orders/money/payment/testing/enter-card.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import { insist, type Tally } from '../torture/rounds.ts'
import { pricesBetween, totals } from './prices.ts'
import type { World } from './world.ts'

/** Orders at once, of which the budget pays this many. */
const [orders, affordable] = [20, 10]

/** Twenty orders at once against a budget for ten, over all nodes: ten are taken, and ten refused in words. */
export async function exhaustBudget(
  world: World,
  { body, ms }: { body: Uint8Array; ms: number },
  tally: Tally,
): Promise<void> {
  const { key } = await world.account()
  const urls = world.nodes.map(({ url }) => url)
  const at = (index: number) => urls[index % urls.length] ?? new URL('http://none')
  const client = accountClient(at(0), key)
  await comeBack(client, await visitCardPage(client))
  const [cents = 0] = totals(pricesBetween(world.prices, world.now(), world.now()), false, ms, 0)
  await client.read('PATCH', 'balance', { budget_cents: affordable * cents, budget_per: 'all' })
  const post = (index: number) => askApi(at(index), key, 'files', { method: 'POST', body: fileForm(body) })
  const answers = await Promise.all(
    Array.from({ length: orders }, async (_, index) => (await insist(() => post(index), [201, 409])).status),
  )
  const taken = answers.filter((status) => status === 201).length
  const { charged_cents } = await client.read<{ charged_cents: number }>('GET', 'usage')
  tally.count(
    taken === affordable && charged_cents === affordable * cents,
    `${taken} orders were taken, for ${charged_cents} of ${affordable * cents} cents`,
  )
}
