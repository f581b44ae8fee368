import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../testing/test-service.ts'

let kit: TestService
beforeAll(async () => {
  // No job says in between that no speech model is there.
  kit = await startTestService({ role: 'api' })
})
afterAll(() => kit.close())

it('orders, lists, reads and deletes a recording', async () => {
  const { key, id: accountId } = await kit.account()
  const { id } = await kit.order(key, await kit.tone(61.5), '?transcript_type=Automated', { name: 'Call.wav' })
  expect(await (await kit.fetch(key, 'files')).json()).toEqual([{ id }])
  expect(await kit.metadata(key, id)).toMatchObject({
    name: 'Call',
    created: '2026-11-16T12:00:00.000Z',
    seconds: '61.500',
    cost: '0.10',
    total: 0.1,
    delay_reason: null,
    duplicates: null,
  })
  const text = await kit.fetch(key, `file/${id}`)
  expect(text.headers.get('content-disposition')).toBe(`attachment; filename="Call.txt"; filename*=UTF-8''Call.txt`)
  expect(await text.text()).toMatch(/^WORK IN PROGRESS\n/)
  const deleted = await kit.fetch(key, `file/${id}`, { method: 'DELETE' })
  expect([deleted.status, await deleted.text()]).toEqual([200, ''])
  expect((await kit.fetch(key, `file/${id}`)).status).toBe(404)
  const ledger = await kit.platform.db.selectFrom('ledger').selectAll().where('account_id', '=', accountId).execute()
  expect(ledger.map(({ kind, amount_cents }) => [kind, amount_cents])).toEqual([
    ['charge', 10],
    ['refund', -10],
  ])
})

it('continues with the same data after a restart', async () => {
  const { key } = await kit.account()
  const { id } = await kit.order(key, await kit.tone(1))
  await kit.restart()
  expect(await (await kit.fetch(key, 'files')).json()).toEqual([{ id }])
})
