import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BlackBox, filePart, head, openBlackBox, postForm, readError } from '../testing/black-box.ts'

let box: BlackBox
let key: string
let liveKey: string
let id: string
beforeAll(async () => {
  box = await openBlackBox({ role: 'api' })
  key = (await box.account()).key
  liveKey = (await box.kit.account({ environment: 'live' })).key
  id = await box.sample(key, 20)
})
afterAll(() => box.close())

const withHeader = (line: string, path = 'files') => box.raw(head('GET', path, null, [line]))
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('5 Authentication', () => {
  it.each(['Basic', 'basic', 'BASIC', 'bAsIc'])(
    '5.1 and 5.6: the key as user name, an empty password, scheme %s',
    async (scheme) => {
      expect((await withHeader(`Authorization: ${scheme} ${base64(`${key}:`)}`)).status).toBe(200)
    },
  )

  const requests: [string, string][] = [
    ['GET', 'files'],
    ['HEAD', 'files'],
    ['POST', 'files'],
    ['PUT', 'files'],
    ['GET', 'file/x'],
    ['HEAD', 'file/x'],
    ['DELETE', 'file/x'],
    ['POST', 'file/x'],
    ['GET', 'nothing'],
  ]
  it.each(requests)('5.3 and 5.4: %s %s without a key is 401', async (method, path) => {
    const answer = await box.raw(head(method, path, null), { isHead: method === 'HEAD' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    if (method !== 'HEAD') expect(readError(answer.body)).toMatch(/API key/)
  })

  it.each(requests)('5.3 and 5.4: %s %s with an unknown key is 401', async (method, path) => {
    const unknown = `parley_test_${'0'.repeat(40)}`
    const answer = await box.raw(head(method, path, unknown), { isHead: method === 'HEAD' })
    expect(answer.status).toBe(401)
  })

  it.each([
    ['no credentials', () => 'Authorization: Basic'],
    ['empty credentials', () => 'Authorization: Basic '],
    ['an empty user name', () => `Authorization: Basic ${base64(':')}`],
    ['the key in the password field', () => `Authorization: Basic ${base64(`:${key}`)}`],
    ['the key in both fields', () => `Authorization: Basic ${base64(`${key}:${key}`)}`],
    ['a password beside the key', () => `Authorization: Basic ${base64(`${key}:x`)}`],
    ['no colon', () => `Authorization: Basic ${base64(key)}`],
    ['no base64', () => `Authorization: Basic ${key}:`],
    ['broken base64', () => `Authorization: Basic ${base64(`${key}:`).slice(0, -3)}`],
    ['half of the key', () => `Authorization: Basic ${base64(`${key.slice(0, 30)}:`)}`],
    ['the key in capitals', () => `Authorization: Basic ${base64(`${key.toUpperCase()}:`)}`],
    ['a blank after the key', () => `Authorization: Basic ${base64(`${key} :`)}`],
    ['another scheme', () => `Authorization: Bearer ${key}`],
    ['Digest', () => `Authorization: Digest username="${key}"`],
    ['the key bare', () => `Authorization: ${key}`],
    ['another header', () => `X-Api-Key: ${key}`],
    ['a key with a NUL', () => `Authorization: Basic ${base64(`${key}\0:`)}`],
    ['a very long key', () => `Authorization: Basic ${base64(`${'k'.repeat(4_000)}:`)}`],
  ])('5.4 %s is 401', async (_, line) => {
    const answer = await withHeader(line())
    expect(answer.status).toBe(401)
    expect(readError(answer.body)).toMatch(/API key/)
  })

  it('5.4 the key in the query string is 401', async () => {
    expect((await box.raw(head('GET', `files?api_key=${key}`, null))).status).toBe(401)
  })

  it('1.4 and 5: a live key is unknown in the sandbox, and the reverse', async () => {
    expect((await box.raw(head('GET', '/sandbox/v1/files', liveKey))).status).toBe(401)
    expect((await box.raw(head('GET', '/v1/files', key))).status).toBe(401)
    expect((await box.raw(head('GET', '/v1/files', liveKey))).status).toBe(200)
  })

  it('5.3 authentication comes before any account data: a known id without key is 401', async () => {
    expect((await box.raw(head('GET', `file/${id}`, null))).status).toBe(401)
    expect((await box.raw(head('DELETE', `file/${id}`, null))).status).toBe(401)
    expect((await box.raw(head('HEAD', `file/${id}`, key), { isHead: true })).status).toBe(200)
  })

  it('5.4 a revoked key is 401 with the next request', async () => {
    const { key: own } = await box.account()
    const authorization = `Basic ${base64(`${own}:`)}`
    const made = await fetch(`${box.kit.address}/sandbox/account/keys`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'second' }),
    })
    const { key: second, entry } = (await made.json()) as { key: string; entry: { id: string } }
    expect((await box.raw(head('GET', 'files', second))).status).toBe(200)
    await fetch(`${box.kit.address}/sandbox/account/keys/${entry.id}`, { method: 'DELETE', headers: { authorization } })
    expect((await box.raw(head('GET', 'files', second))).status).toBe(401)
  })

  it('5.5 no response contains the key', async () => {
    for (const path of ['files', `file/${id}`, 'file/none', 'nothing']) {
      const answer = await box.raw(head('GET', path, key))
      expect(`${[...answer.headers].join()}${answer.body}`).not.toContain(key)
    }
  })

  it('5.5 and decision 14: a key has 160 bits, and cannot be read from the disk', async () => {
    const { key: secret } = await box.account()
    expect((await box.raw(head('GET', 'files', secret))).status).toBe(200)
    expect(secret).toMatch(/^parley_test_[0-9a-f]{40}$/)
    const { config, db } = box.kit.platform
    const files = readdirSync(box.kit.dataDir).filter((name) => name.startsWith('parley.db'))
    const kept =
      config.postgres === null
        ? files.map((name) => readFileSync(join(box.kit.dataDir, name)))
        : [Buffer.from(JSON.stringify(await db.selectFrom('api_keys').selectAll().execute()))]
    expect(kept).not.toEqual([])
    for (const bytes of kept) {
      expect(bytes.includes(secret.slice('parley_test_'.length))).toBe(false)
      expect(bytes.includes(Buffer.from(secret.slice('parley_test_'.length), 'hex'))).toBe(false)
    }
  })

  it('decision 5: a script of a page gets a scheme that opens no prompt', async () => {
    const answer = await box.raw(head('GET', 'files', null, ['Sec-Fetch-Mode: cors']))
    expect(answer.headers.get('www-authenticate')).toMatch(/^ApiKey/)
  })

  it.each([['Sec-Fetch-Site: cross-site'], ['Origin: https://evil.example']])(
    'decision 5: POST and DELETE with %s are 403',
    async (line) => {
      const tone = await box.kit.tone(0.2)
      const posted = await box.raw(postForm(key, [filePart(tone)], { lines: [line] }))
      const deleted = await box.raw(head('DELETE', `file/${id}`, key, [line]))
      expect([posted.status, deleted.status]).toEqual([403, 403])
      readError(posted.body)
    },
  )
})
