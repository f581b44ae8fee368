import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Claim, DeskPart, PartPlayback, QueuePage } from '../../contract/work/parts.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { hire, type, typedOrder, type Worker, withClaim } from './testing/work-room.ts'

let kit: TestService
let typist: Worker
let other: Worker
beforeAll(async () => {
  kit = await startTestService()
  typist = await hire(kit, 'typist', 'Typist')
  other = await hire(kit, 'typist', 'Other')
})
afterAll(() => kit.close())

/** All response headers and bytes sent to a typist. */
const seen: string[] = []

async function record(answer: Response): Promise<{ status: number; body: string }> {
  const body = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  seen.push(JSON.stringify([...answer.headers]), body)
  return { status: answer.status, body }
}

async function ask(method: string, path: string, body?: unknown, claim?: Pick<Claim, 'claim'>) {
  return await record(await typist.ask(method, path, body, claim && withClaim(claim)))
}

/** Claims a part, or the next one, reads and plays all of it, types in it, and ends it in one of two ways. */
async function workOn(wanted: string | null, end: 'return' | 'submit'): Promise<DeskPart> {
  const claim: Claim = JSON.parse((await ask('POST', 'claims', { part: wanted })).body)
  const own = async (method: string, path: string, status: number, body?: unknown) => {
    const answer = await ask(method, `parts/${claim.part}${path}`, body, claim)
    expect(answer.status, path).toBe(status)
    return answer.body
  }
  const desk: DeskPart = JSON.parse(await own('GET', '', 200))
  const { part, sheet } = desk
  expect(desk.words.every(({ start }) => start < part.end)).toBe(true)
  await own('GET', '/corrections', 200)
  if (end === 'submit') expect((await record(await type(typist, claim, 0, 1, ['Typed']))).status).toBe(200)
  await own('POST', '/hold', 200, { heard: [[part.start, part.end]] })
  await own('GET', '/unheard', 200)
  const { url }: PartPlayback = JSON.parse(await own('POST', '/playback', 200, {}))
  const media = (headers: Record<string, string> = {}) => fetch(kit.address + url, { headers })
  expect((await record(await media({ range: 'bytes=0-4095' }))).status).toBe(206)
  await own('GET', '/peaks', 200)
  if (end === 'return') await own('POST', '/return', 204, { reason: 'other' })
  else await own('POST', '/submit', 204, { revision: 1, ticked: sheet.map(({ id }) => id) })
  expect((await record(await media())).status, 'after the hold').toBe(404)
  await own('GET', '', 409)
  return desk
}

test('no byte sent to a typist names the customer, a price, another part or another file', async () => {
  const account = await kit.account({ environment: 'live' })
  const { db, blobs } = kit.platform
  await db.updateTable('accounts').set({ name: 'Secret Customer' }).where('id', '=', account.id).execute()
  const id = await typedOrder(kit, account, 900)
  const second = await typedOrder(kit, account, 60)
  for (const file of [id, second]) await kit.until(async () => (await blobs.size(file, 'peaks')) !== null)
  const { total, transaction_id, name } = await kit.metadata(account.key, id)
  const queued = await ask('GET', 'queue')
  expect(queued.status).toBe(200)
  const queue: QueuePage = JSON.parse(queued.body)
  const [first, next] = queue.parts
  const taken = await other.take(next?.id)
  expect((await ask('GET', '')).status).toBe(200)
  const given = await workOn(first?.id ?? '', 'return')
  const desk = await workOn(first?.id ?? '', 'submit')
  expect([given.part.id, desk.part.id]).toEqual([first?.id, first?.id])
  // Error responses reveal no more.
  for (const [path, body] of [
    ['claims', { part: taken.part }],
    ['claims', { part: desk.part.id }],
    ['claims', { part: id }],
    [`parts/${taken.part}/hold`, { heard: [] }],
    [`parts/${taken.part}/reopen`, { reasons: ['mistakes'], note: '' }],
    [`parts/${taken.part}/assign`, { staff: typist.id }],
    [`files/${id}/refund`, { reason: 'x' }],
  ] as const) {
    expect((await ask('POST', path, body, taken)).status, path).toBeGreaterThan(399)
  }
  for (const path of ['files', 'staff', `files/${id}`, `parts/${taken.part}`, `parts/${taken.part}/peaks`]) {
    expect((await ask('GET', path, undefined, taken)).status, path).toBeGreaterThan(399)
  }
  const bytes = seen.join('\n')
  expect(bytes).toContain('Word0')
  expect(bytes).toContain('RIFF')
  const others = desk.words.length
  const secrets = ['Secret', account.id, account.key, id, second, transaction_id, name, other.id, other.key]
  for (const word of [...secrets, String(total), `Word${others + 10}`, 'Word299', 'Word449']) {
    expect(bytes, word).not.toContain(word)
  }
})
