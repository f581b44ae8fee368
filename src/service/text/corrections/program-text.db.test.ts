import { describe, expect, test } from 'vitest'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { ProgramText } from '../../../contract/account/settings.ts'
import { servedFormats } from '../../../contract/interface/transcript-formats.ts'
import { type WordRecord, wordRecords } from '../../../contract/interface/words.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { makeChange, makeSample, postChange, refusal, type Sample, typed } from './testing/sample-to-correct.ts'

const room = accountRoom()

const choose = (program_text: ProgramText) => room.client.read('PUT', 'program-text', { program_text })

const get = ({ id }: Sample, format: string, headers: Record<string, string> = {}, method = 'GET') =>
  room.service.fetch(room.account.key, `file/${id}.${format}`, { method, headers })

const versionOf = (answer: Response) => answer.headers.get('transcript-version')

async function correct(file: Sample, revision: number, at: number, text: string): Promise<void> {
  const change = makeChange(file, [typed(file, at, text)])
  expect((await postChange(room, `${file.id}/corrections`, revision, change)).status).toBe(200)
}

const move = (file: Sample, revision: number, body: unknown) => postChange(room, `${file.id}/review`, revision, body)

async function approve(file: Sample, corrections: number): Promise<void> {
  await move(file, 0, { state: 'in_review' })
  expect((await move(file, 1, { state: 'approved', corrections })).status).toBe(200)
}

async function wordsOf(answer: Response): Promise<string[]> {
  return wordRecords.parse(await answer.json()).map(({ word }: WordRecord) => word)
}

/** Everything that a program sees of a response, except its date and the id of its request. */
async function wholeOf(answer: Response) {
  const { date: _, 'request-id': __, ...headers } = Object.fromEntries(answer.headers)
  return [answer.status, headers, Buffer.from(await answer.arrayBuffer()).toString('base64')]
}

describe('the text for API clients', () => {
  test('is the service’s own by default, to the byte, whatever people correct and approve', async () => {
    const file = await makeSample(room)
    const before = await Promise.all(servedFormats.map(async (format) => await wholeOf(await get(file, format))))
    await correct(file, 0, 5, 'Corrected')
    await approve(file, 1)
    const after = await Promise.all(servedFormats.map(async (format) => await wholeOf(await get(file, format))))
    expect(after).toEqual(before)
    expect(versionOf(await get(file, 'txt'))).toBeNull()
  })

  test('approved: is the last approved one in all formats, even while it is corrected further', async () => {
    const file = await makeSample(room)
    const own = new Map(
      await Promise.all(servedFormats.map(async (format) => [format, await (await get(file, format)).text()] as const)),
    )
    await choose('approved')
    await correct(file, 0, 5, 'Approved')
    expect(versionOf(await get(file, 'txt'))).toBe('original')
    expect(await (await get(file, 'txt')).text()).toBe(own.get('txt'))
    await approve(file, 1)
    await move(file, 2, { state: 'draft' })
    await correct(file, 1, 7, 'Unapproved')
    for (const format of servedFormats) {
      const answer = await get(file, format)
      expect([answer.status, versionOf(answer)]).toEqual([200, 'approved; revision=1'])
      expect(await answer.text()).not.toBe(own.get(format))
      const head = await get(file, format, {}, 'HEAD')
      expect([versionOf(head), head.headers.get('etag')]).toEqual(['approved; revision=1', answer.headers.get('etag')])
    }
    const words = await wordsOf(await get(file, 'json'))
    expect(words).toContain('Approved')
    expect(words).not.toContain('Unapproved')
    await choose('original')
    expect(await (await get(file, 'txt')).text()).toBe(own.get('txt'))
  })

  test('corrected: is the current one, or the service’s own if nothing is corrected', async () => {
    const file = await makeSample(room)
    await choose('corrected')
    expect(versionOf(await get(file, 'json'))).toBe('original')
    await correct(file, 0, 5, 'Newest')
    const first = await get(file, 'json')
    expect(versionOf(first)).toBe('corrected; revision=1')
    expect(await wordsOf(first)).toContain('Newest')
    await correct(file, 1, 7, 'Newer')
    expect(await wordsOf(await get(file, 'json'))).toEqual(expect.arrayContaining(['Newest', 'Newer']))
    const back = makeChange(file, [], {
      remove: [
        [5, 6],
        [7, 8],
      ],
    })
    await postChange(room, `${file.id}/corrections`, 2, back)
    expect(versionOf(await get(file, 'json'))).toBe('original')
  })

  test('is another one if a request asks for it, whatever the account has chosen', async () => {
    const file = await makeSample(room)
    await choose('original')
    await correct(file, 0, 5, 'Newest')
    const corrected = await get(file, 'json?version=corrected')
    expect([versionOf(corrected), await wordsOf(corrected)]).toEqual([
      'corrected; revision=1',
      expect.arrayContaining(['Newest']),
    ])
    await choose('corrected')
    const own = await get(file, 'json?version=original')
    expect([versionOf(own), await wordsOf(own)]).toEqual(['original', expect.not.arrayContaining(['Newest'])])
    expect(versionOf(await get(file, 'json?version=approved', {}, 'HEAD'))).toBe('original')
    expect(await (await get(file, 'txt?version=newest')).text()).toContain('one of: original, approved, corrected')
    await choose('original')
  })

  test('has its own ETag per version, which revalidates without a body', async () => {
    const file = await makeSample(room)
    await choose('corrected')
    const own = await get(file, 'txt', { 'accept-encoding': 'identity' })
    await correct(file, 0, 5, 'Newest')
    const known = own.headers.get('etag') ?? ''
    const changed = await get(file, 'txt', { 'if-none-match': known })
    expect([changed.status, changed.headers.get('vary')]).toEqual([
      200,
      expect.stringMatching(/Transcript-Version, Accept-Encoding$/),
    ])
    const tag = changed.headers.get('etag') ?? ''
    expect(tag).not.toBe(known)
    for (const encoding of ['identity', 'gzip', 'zstd']) {
      const again = await get(file, 'txt', { 'if-none-match': tag, 'accept-encoding': encoding })
      expect([again.status, versionOf(again), await again.text()]).toEqual([304, 'corrected; revision=1', ''])
    }
    await correct(file, 1, 7, 'Newer')
    expect((await get(file, 'txt', { 'if-none-match': tag })).status).toBe(200)
  })

  test('is the service’s own for clients that request it, as the dashboard does', async () => {
    const file = await makeSample(room)
    await choose('corrected')
    await correct(file, 0, 5, 'Newest')
    const asked = await get(file, 'json', { 'transcript-version': 'original' })
    expect(versionOf(asked)).toBe('original')
    expect(await wordsOf(asked)).toEqual(file.words.map(({ word }) => word))
  })

  test('is none but these three, and chosen per account', async () => {
    const other = await room.service.account()
    await choose('approved')
    const refused = await room.client.ask('PUT', 'program-text', { program_text: 'newest' })
    expect(await refusal(refused)).toEqual([400, '"program_text" must be one of: original, approved, corrected.'])
    expect(await room.client.read('GET', '')).toMatchObject({ program_text: 'approved' })
    const { program_text } = await accountClient(room.service.address, other.key).read<AccountOverview>('GET', '')
    expect(program_text).toBe('original')
  })
})
