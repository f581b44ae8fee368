import { beforeAll, describe, expect, test } from 'vitest'
import type { FilePage } from '../../../contract/account/file-pages.ts'
import { type KeyRight, keyRights } from '../../../contract/account/key-limits.ts'
import type { ApiKeyEntry, CreatedApiKey } from '../../../contract/account/keys.ts'
import { noLimits } from '../../../contract/account/keys.ts'
import type { Project } from '../../../contract/account/projects.ts'
import { createKey } from '../../accounts/auth/keys.ts'
import { writeFile } from '../../orders/file/change-file.ts'
import { giveUpIn } from '../../orders/file/progress.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { fileForm, testStart } from '../../testing/test-service.ts'
import { toOperations } from '../http/operation.ts'
import { UploadClient, usualMetadata } from '../uploads/testing/upload-client.ts'
import { uploadResources } from '../uploads/upload-routes.ts'
import { v1Resources } from '../v1/v1-routes.ts'
import { accountResources } from './account-routes.ts'

/* The limits of keys (decision 127). The matrix is made from the rows that are registered and documented. */

const room = accountRoom({ role: 'api' })
let tone: Uint8Array
beforeAll(async () => {
  tone = await room.service.tone(60)
})

const operations = [
  ...toOperations('/sandbox/v1', v1Resources),
  ...toOperations('/sandbox/account', accountResources),
  ...toOperations('/sandbox/uploads', uploadResources),
].filter(({ authenticated }) => authenticated !== false)

async function ask(key: string, method: string, path: string, headers: Record<string, string> = {}, body?: FormData) {
  const sent = { authorization: authorization(key), 'tus-resumable': '1.0.0', ...headers }
  const answer = await fetch(room.service.address + path, {
    method,
    headers: sent,
    ...(body !== undefined && { body }),
  })
  const text = path.endsWith('/events') ? '' : await answer.text()
  if (path.endsWith('/events')) await answer.body?.cancel()
  return { status: answer.status, text, headers: answer.headers }
}

/** A key for one route: rate limits are not under test here. */
async function keyWith(limits: Partial<typeof noLimits>): Promise<string> {
  const wanted = { name: 'Limited', expiresAt: null, limits: { ...noLimits, ...limits } }
  return (await createKey(room.service.platform.db, room.account, wanted, testStart)).key
}

/** The address with an id in the place of every parameter. */
const withId = (path: string, id: string) => path.replaceAll('{ext}', 'txt').replaceAll(/\{\w+\}/g, id)

describe('every operation of the interface', () => {
  test('says which right it needs, and more than “read” if it changes something', () => {
    const changing = operations.filter(
      ({ method, right }) => !['get', 'head', 'options'].includes(method) && right === 'read',
    )
    expect(operations.filter(({ right }) => right === undefined)).toEqual([])
    // What they make is derived from what the key may read.
    expect(changing.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'post /sandbox/account/files/{id}/playback',
      'post /sandbox/account/files/{id}/captioned-video',
      'delete /sandbox/account/files/{id}/captioned-video/{video}',
      'post /sandbox/account/files/{id}/picture',
    ])
  })

  test.each(keyRights)('is refused a key without the right “%s” if it needs that, and no other', async (right) => {
    const wrong: string[] = []
    for (const { method, path, right: needed } of operations) {
      const key = await keyWith({ rights: keyRights.filter((each) => each !== right) })
      const { status, text } = await ask(key, method.toUpperCase(), withId(path, 'none'))
      const isRefused = status === 403
      if (isRefused !== (needed === right)) wrong.push(`${method} ${path}: ${status}`)
      if (isRefused && method !== 'head' && !path.endsWith('/events') && !text.includes(`lacks the right “${right}”`))
        wrong.push(`${path}: ${text}`)
    }
    expect(wrong).toEqual([])
  })

  test('reaches nothing of other projects with a key that is limited to one', async () => {
    const { id: mine } = await room.client.read<Project>('POST', 'projects', { name: 'Mine' })
    const { id: other } = await room.client.read<Project>('POST', 'projects', { name: 'Other' })
    const file = await ordered({ 'order-project': other })
    // Its refund names it.
    const refunded = await ordered({ 'order-project': other }, 'secret-board.wav')
    expect((await ask(room.account.key, 'DELETE', `/sandbox/v1/file/${refunded}`)).status).toBe(200)
    const upload = await new UploadClient(room.service, room.account.key).created(10, {
      ...usualMetadata,
      project: other,
    })
    const rights = keyRights.filter((right) => right !== 'manage')
    const wrong: string[] = []
    for (const { method, path } of operations) {
      for (const id of [file, other, upload.split('/').at(-1) ?? '']) {
        const key = await keyWith({ rights, projects: [mine] })
        const { status, text } = await ask(key, method.toUpperCase(), withId(path, id))
        const isShown = path.includes('{') && status < 400
        if (isShown || [file, other, 'secret-board'].some((secret) => text.includes(secret)))
          wrong.push(`${method} ${path} ${id}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
    expect((await room.service.metadata(room.account.key, file)).name).toBe('recording')
    // Saved views and presets name projects.
    const client = accountClient(room.service.address, await keyWith({ rights, projects: [mine] }))
    expect((await client.ask('GET', 'settings')).status).toBe(403)
  })
})

async function order(key: string, headers: Record<string, string> = {}, name = 'recording.wav') {
  return await ask(key, 'POST', '/sandbox/v1/files', headers, fileForm(tone, { name }))
}

async function ordered(headers: Record<string, string>, name?: string): Promise<string> {
  const { status, text } = await order(room.account.key, headers, name)
  expect(status).toBe(201)
  return JSON.parse(text).id
}

test('a key that is limited to projects orders into these, and sees what is in them', async () => {
  const { id: mine } = await room.client.read<Project>('POST', 'projects', { name: 'Mine' })
  const { id: second } = await room.client.read<Project>('POST', 'projects', { name: 'Second' })
  const foreign = await ordered({})
  const key = await keyWith({ rights: ['read', 'order'], projects: [mine] })
  expect((await order(key, { 'order-project': second })).status).toBe(403)
  const made = await order(key)
  expect(made.headers.get('order-project')).toBe(mine)
  const { id } = JSON.parse(made.text)
  // The recording is on the account already, beyond what the key reaches.
  expect((await room.service.metadata(room.account.key, id)).duplicates).toContain(foreign)
  expect((await room.service.metadata(key, id)).duplicates).toBeNull()
  for (const path of ['files', `files/${id}`])
    expect((await ask(key, 'GET', `/sandbox/account/${path}`)).text).not.toContain(foreign)
  const client = accountClient(room.service.address, key)
  expect(await (await room.service.fetch(key, 'files')).json()).toEqual([{ id }])
  expect(await client.read<FilePage>('GET', 'files')).toMatchObject({ total: 1, files: [{ id, project: mine }] })
  expect(await client.read('GET', 'projects')).toMatchObject({ projects: [{ id: mine }] })
  expect((await client.ask('GET', `files/${foreign}`)).status).toBe(404)
  // What orders are paid from concerns whoever orders.
  expect(await client.read('GET', '')).toHaveProperty('balance')
  const reader = await keyWith({ rights: ['read'], projects: [mine] })
  const overview = await accountClient(room.service.address, reader).read('GET', '')
  expect(overview).toMatchObject({ payment_method: null })
  expect(overview).not.toHaveProperty('balance')
  // With two, nothing chooses for it.
  const both = await keyWith({ rights: ['order'], projects: [mine, second] })
  expect((await order(both)).text).toContain('name one of them in Order-Project')
})

test('a key may spend so much in all, whatever the month, and refunds free it', async () => {
  const price = Math.round(Number((await room.service.metadata(room.account.key, await ordered({}))).total) * 100)
  const key = await keyWith({ rights: ['order', 'read'], total_limit_cents: price })
  const first = await order(key)
  expect(first.status).toBe(201)
  expect((await order(key)).text).toMatch(/“Limited” may spend in all: .* are spent. Nothing was charged./)
  const overview = await accountClient(room.service.address, key).read('GET', '')
  expect(overview).toMatchObject({ key_limits: { total_limit_cents: price, total_spent_cents: price } })
  const { entries } = await room.client.read<{ entries: { file_id: string }[] }>('GET', 'ledger')
  const { db, clock } = room.service.platform
  await writeFile(db, entries[0]?.file_id ?? '', (trx, file) => giveUpIn(trx, file, 'Damaged.', clock()))
  expect((await order(key)).status).toBe(201)
  room.service.advance(31 * 24 * 60 * 60_000)
  expect((await order(key)).status).toBe(409)
})

test('orders at once cannot cost more in a month than their key may spend, and refused ones cost nothing', async () => {
  const { id } = await room.client.read<Project>('POST', 'projects', { name: 'P' })
  const price = Math.round(Number((await room.service.metadata(room.account.key, await ordered({}))).total) * 100)
  const key = await keyWith({ rights: ['order', 'read'], month_limit_cents: 2 * price, projects: [id] })
  const statuses = (await Promise.all(Array.from({ length: 4 }, () => order(key)))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(2)
  expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  const { text } = await order(key)
  expect(text).toMatch(
    /The order of .* would exceed what the key “Limited” may spend a month: .* are spent. Nothing was charged./,
  )
  const { entries } = await room.client.read<{ entries: { kind: string }[] }>('GET', 'ledger')
  expect(entries).toHaveLength(3)
  const overview = await accountClient(room.service.address, key).read('GET', '')
  expect(overview).toMatchObject({ key_limits: { month_limit_cents: 2 * price, month_spent_cents: 2 * price } })
  // By the other door, too: the bytes stay, and the order follows under a higher limit.
  const upload = new UploadClient(room.service, key)
  const at = await upload.created(tone.length)
  expect((await upload.patch(at, 0, Uint8Array.from(tone))).status).toBe(409)
  const { keys } = await room.client.read<{ keys: ApiKeyEntry[] }>('GET', 'keys')
  const limited = keys.find(({ name }) => name === 'Limited')
  expect(limited).toMatchObject({ month_spent_cents: 2 * price })
  await room.client.read('PATCH', `keys/${limited?.id}`, { month_limit_cents: 3 * price })
  expect((await ask(key, 'POST', `${at}/order`)).status).toBe(201)
})

test('a key gives only rights that it has, and the last one that manages keeps that', async () => {
  const make = (rights: KeyRight[], more = {}) => ({ name: 'Given', rights, ...more })
  const manager = await room.client.read<CreatedApiKey>('POST', 'keys', make(['read', 'manage']))
  const client = accountClient(room.service.address, manager.key)
  expect((await client.ask('POST', 'keys', make(['read', 'order']))).status).toBe(403)
  expect((await client.ask('POST', 'keys', { name: 'All' })).status).toBe(403)
  expect((await client.ask('PATCH', `keys/${manager.entry.id}`, { rights: ['manage', 'delete'] })).status).toBe(403)
  expect((await client.ask('POST', 'keys', make(['read']))).status).toBe(201)
  expect((await client.ask('POST', 'keys', make(['manage'], { month_limit_cents: 5 }))).status).toBe(400)
  expect((await client.ask('POST', 'keys', make(['read'], { projects: ['none'] }))).status).toBe(404)
  const { keys } = await room.client.read<{ keys: ApiKeyEntry[] }>('GET', 'keys')
  const first = keys.find(({ current }) => current)?.id
  await room.client.read('PATCH', `keys/${manager.entry.id}`, { rights: ['read'] })
  expect((await client.ask('GET', 'keys')).status).toBe(403)
  expect((await room.client.ask('PATCH', `keys/${first}`, { rights: ['read'] })).status).toBe(409)
  const { entries } = await room.client.read<{ entries: { detail: string }[] }>('GET', 'log?action=key')
  expect(entries.map(({ detail }) => detail)).toEqual([
    'changed “Given” (read)',
    'made “Given” (read)',
    'made “Given” (read, manage)',
  ])
})
