import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../accounts/auth/keys.ts'
import { accountClient } from '../../testing/account-client.ts'
import { authorization } from '../../testing/ask-api.ts'
import type { TestAccount, TestService } from '../../testing/test-service.ts'
import { startTestService, testStart } from '../../testing/test-service.ts'
import { toOperations } from '../http/operation.ts'
import { uploadResources } from '../uploads/upload-routes.ts'
import { v1Resources } from '../v1/v1-routes.ts'
import { accountResources } from './account-routes.ts'

let service: TestService
let owner: TestAccount
let stranger: TestAccount
/** IDs of everything that the owner has, by kind */
const owned = { file: '', key: '', delivery: '', upload: '', transaction: '', word: '', project: '' }

/** Valid bodies for routes that parse one before looking up the ID. */
const bodies: Record<string, unknown> = {
  'PATCH /sandbox/account/keys/{id}': { name: 'Taken' },
  'PATCH /sandbox/account/projects/{id}': { name: 'Taken' },
  'PATCH /sandbox/account/vocabulary/{id}': { written: 'Taken', heard: [], preset: null },
}

/** Every method and path of the sandbox: the rows that are registered and documented, and HEAD of each GET. */
const routes = [
  ...toOperations('/sandbox/v1', v1Resources),
  ...toOperations('/sandbox/account', accountResources),
  ...toOperations('/sandbox/uploads', uploadResources),
].flatMap(({ method, path }) => {
  const methods = method === 'get' && !path.endsWith('/events') ? ['GET', 'HEAD'] : [method.toUpperCase()]
  return methods.map((each) => ({ method: each, path }))
})

/** The address with an ID in the place of its first parameter, and something good for the others. */
function withId(path: string, id: string): string {
  return path
    .replace(/\{\w+\}/, id)
    .replace('{revision}', '1')
    .replace(/\{\w+\}/, 'txt')
}

/** What the router of the service has for the sandbox, as `GET /sandbox/v1/files`. */
function listRegistered(): string[] {
  const tree = service.app.printRoutes({ commonPrefix: false })
  const stack: string[] = []
  return tree.split('\n').flatMap((line) => {
    const node = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line)
    if (node === null) return []
    const [, indent = '', part = '', methods = ''] = node
    stack.length = indent.length / 4
    stack.push(part)
    const path = stack.join('')
    if (!path.startsWith('/sandbox/') || methods === '') return []
    return methods.split(', ').map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  })
}

async function ask(key: string, method: string, path: string, body?: unknown): Promise<Response> {
  return await fetch(service.address + path, {
    method,
    headers: {
      authorization: authorization(key),
      'tus-resumable': '1.0.0',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

beforeAll(async () => {
  service = await startTestService({ allowTargets: ['127.0.0.1:9'] })
  owner = await service.account()
  stranger = await service.account()
  const client = accountClient(service.address, owner.key)
  const file = { seconds: 30, progress_percent: 40, name: 'Owned recording' }
  owned.file = (await client.read<{ id: string }>('POST', 'tools/files', file)).id
  owned.key = (await client.read<{ entry: { id: string } }>('POST', 'keys', { name: 'Owned key' })).entry.id
  await client.read('PUT', 'webhook', { url: 'http://127.0.0.1:9/owned' })
  owned.delivery = (await client.read<{ id: string }>('POST', 'webhook/test')).id
  await accountClient(service.address, stranger.key).read('PUT', 'webhook', { url: 'http://127.0.0.1:9/strange' })
  const upload = await fetch(`${service.address}/sandbox/uploads/`, {
    method: 'POST',
    headers: {
      authorization: authorization(owner.key),
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filetype ${Buffer.from('audio/wav').toString('base64')}`,
    },
  })
  owned.upload = upload.headers.get('location')?.split('/').at(-1) ?? ''
  await client.read('POST', 'vocabulary', { entries: [{ written: 'Owned word', heard: ['own word'], preset: null }] })
  owned.word = (await client.read<{ entries: { id: string }[] }>('GET', 'vocabulary')).entries[0]?.id ?? ''
  owned.project = (await client.read<{ id: string }>('POST', 'projects', { name: 'Owned project' })).id
  const [entry] = (await client.read<{ entries: { transaction_id: string }[] }>('GET', 'ledger')).entries
  owned.transaction = entry?.transaction_id ?? ''
})
afterAll(() => service.close())

describe('a second account reaches nothing of the first', () => {
  test('as no route is registered but the rows tried here', () => {
    const rows = routes.map(({ method, path }) => `${method} ${path.replace('{file_id}', '{target}')}`)
    // The base of the interface only refuses.
    const isBase = (route: string) => route.endsWith(' /sandbox/v1')
    expect(listRegistered().filter((route) => !rows.includes(route) && !isBase(route))).toEqual([])
  })

  test('by any route with an ID', async () => {
    for (const id of Object.values(owned)) expect(id).not.toBe('')
    const answers: string[] = []
    for (const { method, path } of routes.filter(({ path }) => path.includes('{'))) {
      // A key per route: rate limits are not under test here.
      const { key } = await createKey(service.platform.db, stranger, { name: path, expiresAt: null }, testStart)
      for (const id of Object.values(owned)) {
        const answer = await ask(key, method, withId(path, id), bodies[`${method} ${path}`])
        if (answer.status !== 404) answers.push(`${method} ${path} with ${id}: ${answer.status}`)
        await answer.body?.cancel()
      }
    }
    expect(answers).toEqual([])
    expect(await service.metadata(owner.key, owned.file)).toMatchObject({ progress_percent: 40, delay_reason: null })
  })

  test('by any route that lists or shows', async () => {
    const lists = routes.filter(
      ({ method, path }) => method === 'GET' && !path.includes('{') && !path.endsWith('/events'),
    )
    expect(lists.map(({ path }) => path)).toContain('/sandbox/v1/files')
    for (const { path } of lists) {
      const text = await (await ask(stranger.key, 'GET', path)).text()
      for (const secret of [...Object.values(owned), owner.id, 'Owned', '/owned']) {
        expect(text, path).not.toContain(secret)
      }
    }
  })

  test('by queries with an ID', async () => {
    const client = accountClient(service.address, stranger.key)
    expect(await client.read('GET', `deliveries?file=${owned.file}`)).toMatchObject({ deliveries: [] })
    expect(await client.read('GET', `ledger?search=${owned.transaction}`)).toMatchObject({ total: 0 })
    expect(await client.read('GET', 'files?since=0')).toMatchObject({ files: [], deleted: [] })
  })

  test('without a key nothing answers but the demo, the page, the signed recordings and exports', async () => {
    const open = []
    for (const { method, path } of routes) {
      const answer = await fetch(service.address + withId(path, owned.file), { method })
      if (answer.status !== 401) open.push(`${method} ${path}: ${answer.status}`)
      await answer.body?.cancel()
    }
    expect(open.sort()).toEqual([
      'GET /sandbox/account/exported/{token}: 404',
      'GET /sandbox/account/media/{token}: 404',
      'HEAD /sandbox/account/exported/{token}: 404',
      'HEAD /sandbox/account/media/{token}: 404',
      'POST /sandbox/account/demo: 201',
    ])
  })
})

/** Measures several valid requests in sequence, in milliseconds each. */
async function timesOf(key: string, count: number): Promise<number[]> {
  const timesMs: number[] = []
  for (let asked = 0; asked < count; asked += 1) {
    const askedMs = performance.now()
    const answer = await ask(key, 'GET', '/sandbox/account/files')
    expect(answer.status).toBe(200)
    await answer.json()
    timesMs.push(performance.now() - askedMs)
  }
  return timesMs.sort((a, b) => a - b)
}

test('bad requests with one key, as fast as they come, do not slow another', async () => {
  let answered = 0
  let isOver = false
  const noise = async () => {
    for (const bad of ['files?limit=-1', 'ledger?kind=gift', 'deliveries/none', 'files?cursor=x']) {
      const answer = await ask(owner.key, 'GET', `/sandbox/account/${bad}`)
      expect([400, 404, 429]).toContain(answer.status)
      await answer.body?.cancel()
      answered += 1
    }
    if (!isOver) await noise()
  }
  const median = (timesMs: readonly number[]) => timesMs[Math.floor(timesMs.length / 2)] ?? Number.NaN
  const quietMs = median(await timesOf(stranger.key, 100))
  const noises = [noise(), noise()]
  const noisyMs = median(await timesOf(stranger.key, 300))
  isOver = true
  await Promise.all(noises)
  expect(answered).toBeGreaterThan(300)
  // Three share the processor then: no more than that, and no queue behind the bad ones. Compared on the same machine
  // within the same minute, as it may be busy otherwise.
  expect(noisyMs).toBeLessThan(10 * quietMs + 20)
})
