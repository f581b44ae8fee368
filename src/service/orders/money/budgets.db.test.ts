import { expect, test } from 'vitest'
import type { AccountOverview } from '../../../contract/account/account.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { fileForm } from '../../testing/test-service.ts'

const room = accountRoom({ role: 'api' })

/** An automated order of a minute: $0.10. */
async function order(headers: Record<string, string> = {}, key = room.account.key): Promise<Response> {
  const body = fileForm(await room.service.tone(60))
  return await room.service.fetch(key, 'files?transcript_type=automated', { method: 'POST', headers, body })
}
const errorOf = async (answer: Response) => ((await answer.json()) as { error: string }).error
const budget = async () => (await room.client.read<AccountOverview>('GET', '')).balance?.budget
const topUps = () => room.service.platform.db.selectFrom('top_ups').selectAll().execute()

test('twenty orders at once never exceed the budget of the account, and those refused cost nothing', async () => {
  await room.client.read('PATCH', 'balance', { budget_cents: 105 })
  const sample = { seconds: 60, progress_percent: 0, transcript_type: 'automated' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => room.client.ask('POST', 'tools/files', sample)))
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 409))
  expect(await errorOf(refused.at(-1) as Response)).toMatch(
    /^The order of 0\.10 USD would exceed the budget of this account a month: 1\.00 USD of 1\.05 USD are spent\. Nothing was charged/,
  )
  expect(await budget()).toEqual({ budget_cents: 105, budget_per: 'month', spent_cents: 100 })
  const before = (await topUps()).length
  expect((await order()).status).toBe(409)
  expect(await topUps()).toHaveLength(before)
  room.service.advance(31 * dayMs)
  expect((await order()).status).toBe(201)
  expect(await budget()).toMatchObject({ spent_cents: 10 })
  await room.client.read('PATCH', 'balance', { budget_per: 'all' })
  expect((await order()).status).toBe(409)
  expect(await budget()).toMatchObject({ spent_cents: 110 })
  await room.client.read('PATCH', 'balance', { budget_cents: null })
  expect((await order()).status).toBe(201)
  expect(await budget()).toBeUndefined()
})

test('a budget of a project counts a month or all, and only a key that manages may exceed it', async () => {
  const { id } = await room.client.read<{ id: string }>('POST', 'projects', { name: 'Study' })
  await room.client.read('PATCH', `projects/${id}`, { budget_cents: 15, budget_per: 'month' })
  const into = { 'order-project': id }
  expect((await order(into)).status).toBe(201)
  expect(await errorOf(await order(into))).toMatch(/budget of the project “Study” a month: 0\.10 USD of 0\.15 USD/)
  const made = await room.client.read<{ key: string }>('POST', 'keys', { name: 'Orders', rights: ['read', 'order'] })
  const limited = await order({ ...into, 'over-budget': 'yes' }, made.key)
  expect([limited.status, await errorOf(limited)]).toEqual([409, expect.stringContaining('lacks the right “manage”')])
  expect((await order({ ...into, 'over-budget': 'yes' })).status).toBe(201)
  room.service.advance(31 * dayMs)
  expect((await order(into)).status).toBe(201)
  expect(await room.client.read('GET', 'projects')).toMatchObject({
    projects: [{ budget_per: 'month', spent_cents: 10 }],
  })
  await room.client.read('PATCH', `projects/${id}`, { budget_cents: 35, budget_per: 'all' })
  expect((await order(into)).status).toBe(409)
})
