import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountOverview } from '../../contract/account/account.ts'
import { putOff } from '../orders/file/delays.ts'
import { readConfig } from '../start/cli/read-config.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { addStaff } from './staff.ts'

let kit: TestService
beforeAll(async () => {
  kit = await startTestService({ manualOrders: readConfig({}, { MANUAL_ORDERS: 'off' }).manualOrders })
})
afterAll(() => kit.close())

test.each(['live', 'sandbox'] as const)(
  '%s: manual orders are refused before anything is charged',
  async (environment) => {
    const { key, id } = await kit.account({ environment })
    const recording = await kit.tone(1)
    const refused = await kit.post(key, recording)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('takes no manual orders')])
    expect(await kit.platform.db.selectFrom('ledger').select('id').where('account_id', '=', id).execute()).toEqual([])
    expect((await kit.post(key, recording, '?transcript_type=automated')).status).toBe(201)
    const { features } = await accountClient(kit.address, key).read<AccountOverview>('GET', '')
    expect(features.manual_typing).toBe('off')
  },
)

test('customers learn whether live orders are typed before they order', async () => {
  const open = await startTestService()
  try {
    const { key } = await open.account({ environment: 'live' })
    const typing = async () =>
      (await accountClient(open.address, key).read<AccountOverview>('GET', '')).features.manual_typing
    expect(await typing()).toBe('none')
    const { id } = await open.order(key, await open.tone(1))
    expect(await open.metadata(key, id)).toMatchObject({ delay_reason: expect.stringContaining('no typists') })
    const { id: delayed } = await open.order(key, await open.tone(2))
    await putOff(open.platform, delayed, 'queue')
    await addStaff(open.platform.db, { name: 'Ann', role: 'typist' }, 0)
    expect(await typing()).toBe('staff')
    await open.doChores()
    expect(await open.metadata(key, id)).toMatchObject({ delay_reason: null })
    const jobs = open.platform.db.selectFrom('jobs').select('kind').where('file_id', '=', delayed)
    expect(await jobs.execute(), 'one that an operator put off is begun, too').toContainEqual({ kind: 'speech' })
  } finally {
    await open.close()
  }
  expect(() => readConfig({}, { MANUAL_ORDERS: 'no' })).toThrow('on or off')
})
