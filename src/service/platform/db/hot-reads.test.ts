import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKey, revokeKey } from '../../accounts/auth/keys.ts'
import { authorization } from '../../testing/ask-api.ts'
import { startTestService, type TestAccount, type TestService, testStart } from '../../testing/test-service.ts'
import { dataPaths } from '../data-directory.ts'
import { openDb } from './open.ts'

describe('the hot reads', () => {
  let kit: TestService
  let account: TestAccount
  let id: string
  const row = () => kit.platform.hotReads.fileOf(account.id, id, kit.platform.clock())
  const knownKey = (header: string) => kit.platform.hotReads.keyOf(header, 'live')

  beforeEach(async () => {
    kit = await startTestService()
    // A live order waits for staff: only the test changes it.
    account = await kit.account({ environment: 'live' })
    id = (await kit.order(account.key, await kit.tone(1))).id
  })
  afterEach(() => kit.close())

  test('follow every commit, of this process and of another', async () => {
    const { db, changes, clock, keyUse } = kit.platform
    const key = await knownKey(authorization(account.key))
    keyUse.note(key?.keyId ?? '', null, clock())
    await keyUse.write(db)
    expect((await knownKey(authorization(account.key)))?.lastUsedAt).toBe(testStart)
    const other = await openDb(dataPaths(kit.dataDir).database)
    try {
      for (const by of [db, other]) {
        // Without the version that other writers increment: nobody has to remember it.
        await by
          .updateTable('files')
          .set({ name: `renamed ${by === db}` })
          .where('id', '=', id)
          .execute()
        expect((await row())?.name).toBe(`renamed ${by === db}`)
        const { key: fresh, keyId } = await createKey(
          by,
          { id: account.id, environment: 'live' },
          { name: 'k', expiresAt: null },
          clock(),
        )
        expect((await knownKey(authorization(fresh)))?.keyId).toBe(keyId)
        expect(await revokeKey({ db: by, changes, clock }, { keyId })).toBe(true)
        expect(knownKey(authorization(fresh))).toBeUndefined()
      }
    } finally {
      await other.destroy()
    }
  })

  test('recognize a header with more spaces than the cache accepts', async () => {
    const header = authorization(account.key)
    const padded = header + ' '.repeat(10_000)
    expect((await knownKey(header))?.account.id).toBe(account.id)
    expect((await knownKey(padded))?.account.id).toBe(account.id)
    expect(knownKey(`${header}A`)).toBeUndefined()
    expect(await kit.platform.hotReads.keyOf(header, 'sandbox')).toBeUndefined()
  })
})
