import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, revokeKey } from '../../accounts/auth/keys.ts'
import { authorization } from '../../testing/ask-api.ts'
import { startTestService, type TestAccount, type TestService, testStart } from '../../testing/test-service.ts'

let kit: TestService
let account: TestAccount
beforeAll(async () => {
  kit = await startTestService()
  account = await kit.account()
})
afterAll(() => kit.close())

/** Not `fetch`: Node's sends `Sec-Fetch-Mode: cors`, like a script in a page. */
async function ask(
  headers: Record<string, string>,
  path = '/sandbox/v1/files',
  method: 'GET' | 'PUT' | 'POST' = 'GET',
) {
  const answer = await kit.app.inject({ method, url: path, headers })
  return { status: answer.statusCode, challenge: answer.headers['www-authenticate'], json: () => answer.json() }
}
function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

describe('spec 5: every request is authenticated', () => {
  it('accepts the key as user name with an empty password, the scheme case-insensitively', async () => {
    for (const scheme of ['Basic', 'basic', 'BASIC']) {
      const answer = await ask({ authorization: `${scheme} ${base64(`${account.key}:`)}` })
      expect(answer.status, scheme).toBe(200)
    }
  })

  it('answers 401 with a challenge and an error message to anything else', async () => {
    const { key } = account
    const wrong = {
      'no header': {},
      'empty header': { authorization: '' },
      'another scheme': { authorization: `Bearer ${key}` },
      'no base64': { authorization: 'Basic ???' },
      'the bare key': { authorization: `Basic ${key}` },
      'no colon': { authorization: `Basic ${base64(key)}` },
      'key as password': { authorization: `Basic ${base64(`:${key}`)}` },
      'a password beside the key': { authorization: `Basic ${base64(`${key}:x`)}` },
      'an unknown key': { authorization: authorization('parley_test_unknown') },
      'a key with blanks': { authorization: `Basic ${base64(` ${key} :`)}` },
      'a key in other letters': { authorization: `Basic ${base64(`${key.toUpperCase()}:`)}` },
    }
    for (const [what, headers] of Object.entries(wrong)) {
      const answer = await ask(headers as Record<string, string>)
      expect(answer.status, what).toBe(401)
      expect(answer.challenge, what).toMatch(/^Basic realm="/)
      expect(answer.json(), what).toEqual({ error: expect.stringMatching(/key/) })
    }
  })

  it('triggers no browser log-in dialog for requests by scripts', async () => {
    const answer = await ask({ 'sec-fetch-mode': 'cors' })
    expect(answer.challenge).toBe('ApiKey realm="Parley"')
  })

  it('checks the key before revealing anything else', async () => {
    for (const [path, method] of [
      ['/sandbox/v1/files', 'PUT'],
      ['/sandbox/v1/file/nothing', 'GET'],
      ['/sandbox/v1/nothing', 'GET'],
      ['/v1/files', 'POST'],
    ] as const) {
      expect((await ask({}, path, method)).status, `${method} ${path}`).toBe(401)
    }
  })

  it('knows a live key only on the live base address, and the reverse (spec 1, rule 4)', async () => {
    const live = await kit.account({ environment: 'live' })
    expect((await ask({ authorization: authorization(live.key) }, '/v1/files')).status).toBe(200)
    expect((await ask({ authorization: authorization(live.key) })).status).toBe(401)
    expect((await ask({ authorization: authorization(account.key) }, '/v1/files')).status).toBe(401)
  })

  it('rejects a revoked key from the next request, an expired one on time', async () => {
    const { db, changes, clock } = kit.platform
    const owner = { id: account.id, environment: account.environment }
    const { key } = await createKey(db, owner, { name: 'short', expiresAt: testStart + 1_000 }, testStart)
    const other = await createKey(db, owner, { name: 'other', expiresAt: null }, testStart)
    expect((await kit.fetch(key, 'files')).status).toBe(200)
    kit.advance(1_000)
    expect((await kit.fetch(key, 'files')).status).toBe(401)
    expect((await kit.fetch(other.key, 'files')).status).toBe(200)
    expect(await revokeKey({ db, changes, clock }, { keyId: other.keyId })).toBe(true)
    expect((await kit.fetch(other.key, 'files')).status).toBe(401)
    expect(await revokeKey({ db, changes, clock }, { keyId: other.keyId })).toBe(false)
  })
})
