import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { revokeKey } from '../auth/keys.ts'
import { dataPaths } from '../data-directory.ts'
import { changeFile } from '../orders/change-file.ts'
import { authorization } from '../testing/ask-api.ts'
import { startTestService, type TestAccount, type TestService, testStart } from '../testing/test-service.ts'
import { openDb } from './open.ts'

/** Longer than a commit of another process may go unseen. */
const unseenMs = 40

describe('what is read thousands of times', () => {
  let kit: TestService
  let account: TestAccount
  let id: string
  const row = () => kit.platform.hotReads.fileOf(account.id, id, kit.platform.clock())
  const knownKey = (header: string) => kit.platform.hotReads.keyOf(header, 'live')

  beforeEach(async () => {
    kit = await startTestService()
    // A live order waits for people: nothing but the test moves it.
    account = await kit.account({ environment: 'live' })
    id = (await kit.order(account.key, await kit.tone(1))).id
  })
  afterEach(() => kit.close())

  test('is kept while commits change no file, and not beyond the commit that does', async () => {
    const { db, keyUse, clock } = kit.platform
    const kept = row()
    const key = knownKey(authorization(account.key))
    expect(row()).toBe(kept)
    keyUse.note(key?.keyId ?? '', null, clock())
    await keyUse.write(db)
    expect(knownKey(authorization(account.key))?.lastUsedAt).toBe(testStart)
    expect(row(), 'the same row, not read again').toBe(kept)
    await changeFile(kit.platform, id, () => ({ name: 'renamed.wav' }))
    expect(row()?.name).toBe('renamed.wav')
  })

  test('follows what another process commits', async () => {
    const other = await openDb(dataPaths(kit.dataDir).database)
    try {
      const { changes, clock } = kit.platform
      expect(row()?.delay_reason).not.toBe('told elsewhere')
      await changeFile({ db: other, changes, clock }, id, () => ({ delay_reason: 'told elsewhere' }))
      await sleep(unseenMs)
      expect(row()?.delay_reason).toBe('told elsewhere')
      const key = knownKey(authorization(account.key))
      expect(await revokeKey({ db: other, changes, clock }, { keyId: key?.keyId ?? '' })).toBe(true)
      await sleep(unseenMs)
      expect(knownKey(authorization(account.key))).toBeUndefined()
    } finally {
      await other.destroy()
    }
  })

  test('knows a header with more spaces than anybody would keep', () => {
    const header = authorization(account.key)
    const padded = header + ' '.repeat(10_000)
    expect(knownKey(header)?.account.id).toBe(account.id)
    expect(knownKey(padded)?.account.id).toBe(account.id)
    expect(knownKey(`${header}A`)).toBeUndefined()
    expect(kit.platform.hotReads.keyOf(header, 'sandbox')).toBeUndefined()
  })
})
