import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffAdd, staffList, staffRevoke } from '../start/cli/staff.ts'
import { authorization } from '../testing/ask-api.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'

let kit: TestService
beforeAll(async () => {
  kit = await startTestService()
})
afterAll(() => kit.close())

const ask = (path: string, key?: string) =>
  fetch(kit.address + path, { headers: key === undefined ? {} : { authorization: authorization(key) } })

test('a key of staff opens the work interface and nothing else; keys of accounts do not open it', async () => {
  const added = (await staffAdd(kit.platform.db, 'Ann', 'typist', 'http://127.0.0.1:4600')) as {
    staff: string
    key: string
  }
  const { key } = await kit.account({ environment: 'live' })
  const opened = await ask('/work/api/', added.key)
  expect(await opened.json()).toMatchObject({ id: added.staff, name: 'Ann', role: 'typist', held: [] })
  for (const path of ['/v1/files', '/account/', '/sandbox/v1/files', '/sandbox/account/']) {
    expect((await ask(path, added.key)).status, path).toBe(401)
  }
  for (const path of ['/work/api/', '/work/api/queue']) {
    expect((await ask(path, key)).status, path).toBe(401)
    expect((await ask(path)).status, path).toBe(401)
  }
  expect((await ask('/work/api/nothing')).status).toBe(404)
  const stored = await kit.platform.db.selectFrom('staff').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(stored)).not.toContain(added.key)
  await staffRevoke(kit.platform.db, added.staff)
  expect((await ask('/work/api/', added.key)).status).toBe(401)
  expect(await staffList(kit.platform.db)).toEqual([
    expect.objectContaining({ name: 'Ann', last_four: added.key.slice(-4), revoked: expect.any(String) }),
  ])
})

test('the commands refuse impossible requests with a message', async () => {
  const { db } = kit.platform
  await expect(staffAdd(db, 'Ann', 'chief', 'http://127.0.0.1:4600')).rejects.toThrow(
    '--role is one of typist, reviewer, manager.',
  )
  await expect(staffAdd(db, '', 'typist', 'http://127.0.0.1:4600')).rejects.toThrow('1 to 100')
  await expect(staffRevoke(db, 'nobody')).rejects.toThrow('Nobody of the staff')
})
