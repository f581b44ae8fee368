import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startTestService } from '../../testing/test-service.ts'

it('a full database is 507, leaves nothing of the order, and recovers', async () => {
  const kit = await startTestService()
  const { key } = await kit.account({ environment: 'live' })
  const { db, blobs } = kit.platform
  const long = `?instructions=${'x'.repeat(3_000)}`
  try {
    const pages = await sql<{ page_count: number }>`pragma page_count`.execute(db)
    await sql`pragma max_page_count = ${sql.raw(String(pages.rows[0]?.page_count))}`.execute(db)
    // Some fit into the free space of the last pages.
    const statuses: number[] = []
    for (let tries = 0; tries < 30 && statuses.at(-1) !== 507; tries += 1) {
      const answer = await kit.post(key, await kit.tone(0.1), long)
      statuses.push(answer.status)
      if (answer.status === 507)
        expect(await answer.json()).toEqual({ error: expect.stringMatching(/Nothing was charged/) })
    }
    expect(statuses.at(-1)).toBe(507)
    const orders = statuses.filter((status) => status === 201).length
    expect(await (await kit.fetch(key, 'files')).json()).toHaveLength(orders)
    const kept: string[] = []
    for await (const id of blobs.ids()) kept.push(id)
    expect(kept).toHaveLength(orders)
    expect(await db.selectFrom('ledger').select('id').execute()).toHaveLength(orders)

    await sql`pragma max_page_count = 1000000`.execute(db)
    expect((await kit.post(key, await kit.tone(0.1), long)).status).toBe(201)
  } finally {
    await kit.close()
  }
})
