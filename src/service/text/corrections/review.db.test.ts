import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { FileChanges, FilePage } from '../../../contract/account/file-pages.ts'
import type { CreatedApiKey } from '../../../contract/account/keys.ts'
import { maxRanges, review } from '../../../contract/account/review.ts'
import type { WordRecord } from '../../../contract/interface/words.ts'
import { changeFile } from '../../orders/file/change-file.ts'
import { isPostgres } from '../../platform/db/leases.ts'
import { storedPath } from '../../platform/media/testing/stored-path.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { openEvents } from '../../testing/event-stream.ts'
import {
  fingerprintWords,
  makeChange,
  makeSample,
  postChange,
  refusal,
  type Sample,
  typed,
} from './testing/sample-to-correct.ts'

const room = accountRoom()
type Ranges = [number, number][]

const read = async (id: string) => review.parse(await room.client.read('GET', `files/${id}/review`))

const check = ({ id, fingerprint }: Sample, add: Ranges, remove: Ranges = [], key = room.account.key) =>
  postChange(room, `${id}/review/checks`, null, { fingerprint, add, remove }, key)

const correct = (file: Sample, revision: number, at: number) =>
  postChange(room, `${file.id}/corrections`, revision, makeChange(file, [typed(file, at, `word${at}`)]))

const move = (id: string, revision: number | string | null, body: unknown, key = room.account.key) =>
  postChange(room, `${id}/review`, revision, body, key)

/** Approves a transcript with its current corrections. @returns the revision of its review */
async function approve({ id }: Sample, corrections: number, key = room.account.key): Promise<number> {
  const before = await read(id)
  const sent = review.parse(await (await move(id, before.revision, { state: 'in_review' }, key)).json())
  const approved = await move(id, sent.revision, { state: 'approved', corrections }, key)
  expect([approved.status, approved.headers.get('etag')]).toEqual([200, `"${sent.revision + 1}"`])
  return sent.revision + 1
}

/** Redelivers the transcript, with another first word. */
async function rework(file: Sample): Promise<Sample> {
  room.service.advance(60_000)
  const { blobs, clock } = room.service.platform
  const stored = await readFile(storedPath(blobs, file.id, 'words.json'), 'utf8')
  await blobs.write(file.id, 'words.json', Readable.from([stored.replace(/"word":"[^"]+"/, '"word":"Reworked"')]))
  await changeFile(room.service.platform, file.id, () => ({ ready_at: clock() }))
  const words = [{ ...file.words[0], word: 'Reworked' } as WordRecord, ...file.words.slice(1)]
  return { ...file, words, fingerprint: fingerprintWords(words) }
}

describe('checked words', () => {
  test('of two devices are merged, and can be removed word by word', async () => {
    const file = await makeSample(room)
    expect(await read(file.id)).toEqual({ revision: 0, state: 'draft', checked: [], steps: [] })
    const other = await room.client.read<CreatedApiKey>('POST', 'keys', { name: 'Colleague' })
    await Promise.all([check(file, [[0, 9]]), check(file, [[20, 30]], [], other.key), check(file, [[9, 12]])])
    expect(await read(file.id)).toMatchObject({
      revision: 3,
      checked: [
        [0, 12],
        [20, 30],
      ],
    })
    const answer = await check(file, [[40, 41]], [[5, 25]])
    expect(answer.headers.get('etag')).toBe('"4"')
    expect(review.parse(await answer.json()).checked).toEqual([
      [0, 5],
      [25, 30],
      [40, 41],
    ])
  })

  test('stay checked when they are corrected, and notify the account’s other dashboards', async () => {
    const file = await makeSample(room)
    const stream = await openEvents(room.service.address, room.account.key)
    await stream.nextOf('hello')
    await check(file, [[0, 9]])
    expect((await stream.nextOf('review')).data).toEqual({ id: file.id, revision: 1 })
    stream.close()
    await correct(file, 0, 5)
    expect((await read(file.id)).checked).toEqual([[0, 9]])
  })

  test('that do not fit are refused with a reason, all or nothing', async () => {
    const file = await makeSample(room)
    await check(file, [[0, 9]])
    const before = await read(file.id)
    const count = file.words.length
    const many = Array.from({ length: maxRanges + 1 }, (_, index) => [index, index + 1])
    const asked: [unknown, number, string][] = [
      [{ fingerprint: 'another', add: [[1, 2]], remove: [] }, 409, 'Load it again'],
      [
        {
          fingerprint: file.fingerprint,
          add: [
            [10, 12],
            [3, count + 1],
          ],
          remove: [],
        },
        409,
        `has ${count} words`,
      ],
      [{ fingerprint: file.fingerprint, add: [], remove: [[9, 9]] }, 409, 'There are no words 9 to 9'],
      [{ fingerprint: file.fingerprint, add: [[-1, 2]], remove: [] }, 400, 'add.0.0'],
      [{ fingerprint: file.fingerprint, add: [[1.5, 2]], remove: [] }, 400, 'add.0.0'],
      [{ fingerprint: file.fingerprint, add: 'all', remove: [] }, 400, '"add"'],
      [{ fingerprint: file.fingerprint, add: many, remove: [] }, 400, `maximum is ${maxRanges}`],
      [{ add: [], remove: [] }, 400, '"fingerprint"'],
      ['{"add"', 400, ''],
    ]
    for (const [body, status, words] of asked) {
      const answer = await postChange(room, `${file.id}/review/checks`, null, body)
      expect(await refusal(answer)).toEqual([status, expect.stringContaining(words)])
    }
    expect(await read(file.id)).toEqual(before)
  })

  test('belong to their text: a newer one has none', async () => {
    const file = await makeSample(room)
    await check(file, [[0, 9]])
    const newer = await rework(file)
    expect((await read(file.id)).checked).toEqual([])
    expect(await refusal(await check(file, [[1, 2]]))).toEqual([409, expect.stringContaining('Load it again')])
    await check(newer, [[1, 2]])
    expect((await read(file.id)).checked).toEqual([[1, 2]])
  })
})

describe('the state of a review', () => {
  test('moves from draft to review to approved, each step with author and time, and lists show it', async () => {
    const file = await makeSample(room)
    const other = await room.client.read<CreatedApiKey>('POST', 'keys', { name: 'Desk editor' })
    const { version } = await room.client.read<FilePage>('GET', 'files')
    await correct(file, 0, 5)
    await approve(file, 1, other.key)
    const time = new Date(room.service.platform.clock()).toISOString()
    const step = { key: 'Desk editor', time, is_of_earlier_text: false }
    expect((await read(file.id)).steps).toEqual([
      { ...step, state: 'in_review', corrections: null },
      { ...step, state: 'approved', corrections: 1 },
    ])
    const { files } = await room.client.read<FileChanges>('GET', `files?since=${version}`)
    expect(files).toMatchObject([{ id: file.id, corrections: 1, review: 'approved' }])
    const versions = await room.client.read('GET', `files/${file.id}/corrections/versions`)
    expect(versions).toMatchObject({ versions: [{ revision: 1, name: 'Approved' }] })
  })

  test('approved locks the text, for corrections and checks, until somebody reopens it', async () => {
    const file = await makeSample(room)
    await correct(file, 0, 5)
    const revision = await approve(file, 1)
    const locked = [
      409,
      expect.stringMatching(/^“First key” approved this transcript on [-\d]+ [:\d]+ UTC\. Reopen it/),
    ]
    expect(await refusal(await correct(file, 1, 7))).toEqual(locked)
    expect(await refusal(await check(file, [[0, 9]]))).toEqual(locked)
    expect(await read(file.id)).toMatchObject({ revision, checked: [] })
    expect(await room.client.read('GET', `files/${file.id}/corrections`)).toMatchObject({ revision: 1 })
    expect((await move(file.id, revision, { state: 'draft' })).status).toBe(200)
    expect((await correct(file, 1, 7)).status).toBe(200)
    expect((await read(file.id)).steps.map(({ state }) => state)).toEqual(['in_review', 'approved', 'draft'])
  })

  test('of two concurrent changes, the second is rejected (optimistic locking)', async () => {
    const file = await makeSample(room)
    const answers = await Promise.all([1, 2, 3].map(() => move(file.id, 0, { state: 'in_review' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    expect(answers.find(({ status }) => status === 412)?.headers.get('etag')).toBe('"1"')
    expect((await read(file.id)).steps).toHaveLength(1)
  })

  test('is not changed by bad requests, which are refused with a reason', async () => {
    const file = await makeSample(room)
    await correct(file, 0, 5)
    const asked: [number | string | null, unknown, number, string][] = [
      [0, { state: 'approved', corrections: 1 }, 409, 'draft cannot become approved, only in_review'],
      [0, { state: 'draft' }, 409, 'draft cannot become draft'],
      [0, { state: 'perfect' }, 400, '"state" must be one of: draft, in_review, approved'],
      [0, { state: 'in_review', by: 'me' }, 400, 'Unknown field "by"'],
      [1, { state: 'in_review' }, 412, 'Somebody else'],
      [null, { state: 'in_review' }, 428, 'If-Match'],
      ['*', { state: 'in_review' }, 400, 'If-Match must be the ETag of the review'],
    ]
    for (const [revision, body, status, words] of asked) {
      expect(await refusal(await move(file.id, revision, body))).toEqual([status, expect.stringContaining(words)])
    }
    await move(file.id, 0, { state: 'in_review' })
    for (const corrections of [0, 2, undefined]) {
      const stale = await move(file.id, 1, { state: 'approved', corrections })
      expect(await refusal(stale)).toEqual([409, expect.stringContaining('The corrections are at revision 1')])
    }
    expect(await read(file.id)).toMatchObject({ revision: 1, state: 'in_review' })
  })

  test('is a draft again when the service delivers another text', async () => {
    const file = await makeSample(room)
    await correct(file, 0, 5)
    await approve(file, 1)
    const newer = await rework(file)
    const after = await read(file.id)
    expect(after.state).toBe('draft')
    expect(after.steps.at(-1)).toMatchObject({ state: 'approved', is_of_earlier_text: true })
    const sent = review.parse(await (await move(file.id, after.revision, { state: 'in_review' })).json())
    const mixed = await move(file.id, sent.revision, { state: 'approved', corrections: 1 })
    expect(await refusal(mixed)).toEqual([409, expect.stringContaining('newer than its corrections')])
    const anew = makeChange(newer, [typed(newer, 7, 'seven')], { anew: true })
    expect((await postChange(room, `${file.id}/corrections`, 1, anew)).status).toBe(200)
  })

  test('is private: a key of another account can neither read nor change it', async () => {
    const file = await makeSample(room)
    await check(file, [[0, 9]])
    const before = await read(file.id)
    const { key } = await room.service.account()
    const answers = await Promise.all([
      accountClient(room.service.address, key).ask('GET', `files/${file.id}/review`),
      check(file, [[9, 12]], [], key),
      move(file.id, before.revision, { state: 'in_review' }, key),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await read(file.id)).toEqual(before)
  })

  test('does not exist for a transcript that is not ready', async () => {
    const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 80 })
    expect(await refusal(await room.client.ask('GET', `files/${id}/review`))).toEqual([
      409,
      'The transcript is not ready yet.',
    ])
  })

  test('is deleted with its file: no row, and in the embedded database no byte of it stays', async () => {
    const file = await makeSample(room)
    const other = await room.client.read<CreatedApiKey>('POST', 'keys', { name: 'Unforgettable' })
    await check(file, [[0, 9]])
    await approve(file, 0, other.key)
    await room.client.ask('DELETE', `keys/${other.entry.id}`)
    const { db, config } = room.service.platform
    await db.deleteFrom('api_keys').where('id', '=', other.entry.id).execute()
    await room.service.fetch(room.account.key, `file/${file.id}`, { method: 'DELETE' })
    expect((await room.client.ask('GET', `files/${file.id}/review`)).status).toBe(404)
    for (const table of ['reviews', 'review_steps'] as const) {
      expect(await db.selectFrom(table).select('file_id').where('file_id', '=', file.id).execute()).toEqual([])
    }
    if (isPostgres(db)) return
    // The audit log keeps the names of keys for a year.
    await db.deleteFrom('account_log').execute()
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    for (const name of ['parley.db', 'parley.db-wal']) {
      const bytes = await readFile(join(config.dataDir, name)).catch(() => Buffer.alloc(0))
      expect(bytes.includes('Unforgettable')).toBe(false)
    }
  })
})
