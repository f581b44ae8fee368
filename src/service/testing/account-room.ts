import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Config } from '../platform/config.ts'
import type { AccountClient } from './account-client.ts'
import { accountClient } from './account-client.ts'
import type { TestAccount, TestService } from './test-service.ts'
import { startTestService } from './test-service.ts'

/**
 * For tests of the account's routes: one service per test file, and a fresh sandbox account with its client for each
 * test.
 */
export type AccountRoom = { service: TestService; account: TestAccount; client: AccountClient }

/** Sets the room up; read it inside tests only. @param overrides as of `startTestService` */
export function accountRoom(overrides: Partial<Config> = {}): AccountRoom {
  const room = {} as AccountRoom
  beforeAll(async () => {
    room.service = await startTestService(overrides)
  })
  beforeEach(async () => {
    room.account = await room.service.account()
    room.client = accountClient(room.service.address, room.account.key)
  })
  afterAll(() => room.service.close())
  return room
}
