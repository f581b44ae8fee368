import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountClient } from '../testing/account-client.ts'
import { type BlackBox, head, openBlackBox, readError, readMetadata } from '../testing/black-box.ts'

let box: BlackBox
beforeAll(async () => {
  box = await openBlackBox({ role: 'api' })
})
afterAll(() => box.close())

type LedgerLine = { kind: string; amount_cents: number; file_id: string; due: string; created: string; status: string }

async function ledger(key: string): Promise<LedgerLine[]> {
  const { entries } = await accountClient(box.kit.address, key).read<{ entries: LedgerLine[] }>('GET', 'ledger')
  return entries
}

async function deleteAt(progress: number) {
  const { key } = await box.account()
  const id = await box.sample(key, progress, { seconds: 600 })
  const { total } = await box.kit.metadata(key, id)
  const answer = await box.raw(head('DELETE', `file/${id}`, key))
  return { key, id, answer, totalCents: Math.round(total * 100) }
}

const below60 = [0, 1, 2, 10, 29, 30, 33, 45, 58, 59, 59.9]
const locked = [60, 60.5, 61, 75, 90, 98, 99, 99.9]

describe('3 Deletion depends on progress', () => {
  it.each(below60)(
    '3 and 4.5: DELETE at %d succeeds, with an empty body and a proportional refund',
    async (progress) => {
      const { key, id, answer, totalCents } = await deleteAt(progress)
      expect([answer.status, answer.body]).toEqual([200, ''])
      expect((await box.raw(head('GET', `file/${id}`, key))).status).toBe(404)
      const refund = (await ledger(key)).find(({ kind }) => kind === 'refund')
      const exact = (totalCents * (100 - Math.floor(progress))) / 100
      expect(-(refund?.amount_cents ?? 0)).toBe(Math.floor(exact + 0.5))
    },
  )

  it.each(locked)('3, 4.5 and 7: DELETE at %d is 409, and nothing changes', async (progress) => {
    const { key, id, answer } = await deleteAt(progress)
    expect(answer.status).toBe(409)
    expect(readError(answer.body)).toMatch(/100/)
    const still = await box.raw(head('HEAD', `file/${id}`, key), { isHead: true })
    expect([still.status, readMetadata(still).progress_percent]).toEqual([200, Math.floor(progress)])
    expect((await ledger(key)).map(({ kind }) => kind)).toEqual(['charge'])
  })

  it('3 and 4.5: DELETE at 100 succeeds, with an empty body and no refund', async () => {
    const { key, id, answer } = await deleteAt(100)
    expect([answer.status, answer.body]).toEqual([200, ''])
    expect((await box.raw(head('HEAD', `file/${id}`, key), { isHead: true })).status).toBe(404)
    expect((await ledger(key)).map(({ kind }) => kind)).toEqual(['charge'])
  })

  it('7: after a 409, DELETE succeeds once 100 is reached', async () => {
    const { key, id, answer } = await deleteAt(80)
    expect(answer.status).toBe(409)
    await box.setProgress(key, id, 100)
    expect((await box.raw(head('DELETE', `file/${id}`, key))).status).toBe(200)
  })

  it('3: a deleted file is 404 for GET, HEAD, DELETE and every format, and gone from the list', async () => {
    const { key, id } = await deleteAt(0)
    for (const ext of ['', '.txt', '.doc', '.pdf', '.odt', '.sbv', '.srt', '.json']) {
      expect((await box.raw(head('GET', `file/${id}${ext}`, key))).status, ext).toBe(404)
    }
    expect((await box.raw(head('HEAD', `file/${id}`, key), { isHead: true })).status).toBe(404)
    expect((await box.raw(head('DELETE', `file/${id}`, key))).status).toBe(404)
    expect((await box.raw(head('GET', 'files', key))).body).toBe('[]')
  })

  it('8: the refund is due one business day after deletion, and pending until then', async () => {
    const { key } = await deleteAt(20)
    const refund = (await ledger(key)).find(({ kind }) => kind === 'refund')
    const [created, due] = [Date.parse(refund?.created ?? ''), Date.parse(refund?.due ?? '')]
    expect(refund?.status).toBe('pending')
    const days = (due - created) / 86_400_000
    expect([1, 2, 3]).toContain(days)
    expect([0, 6]).not.toContain(new Date(due).getUTCDay())
  })

  it("3: another account's DELETE is 404 and changes nothing", async () => {
    const [{ key }, other] = [await box.account(), await box.account()]
    const id = await box.sample(key, 10)
    expect((await box.raw(head('DELETE', `file/${id}`, other.key))).status).toBe(404)
    expect((await box.raw(head('HEAD', `file/${id}`, key), { isHead: true })).status).toBe(200)
  })

  it('3: two concurrent DELETEs refund once', async () => {
    const { key } = await box.account()
    const id = await box.sample(key, 10)
    const answers = await Promise.all([1, 2, 3].map(() => box.raw(head('DELETE', `file/${id}`, key))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect((await ledger(key)).filter(({ kind }) => kind === 'refund')).toHaveLength(1)
  })

  it('4.5: a DELETE with an extension or a body deletes nothing by mistake', async () => {
    const { key } = await box.account()
    const id = await box.sample(key, 10)
    expect((await box.raw(head('DELETE', `file/${id}.txt`, key))).status).toBe(404)
    const withBody = `${head('DELETE', `file/${id}`, key, ['Content-Type: text/plain', 'Content-Length: 5'])}hello`
    expect((await box.raw(withBody)).status).toBe(200)
  })
})
