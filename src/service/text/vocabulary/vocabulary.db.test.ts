import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CorrectionChange, Patch } from '../../../contract/account/corrections.ts'
import { correctionVersions, keptCorrections } from '../../../contract/account/corrections.ts'
import { type FileVocabulary, fileVocabulary, maxVocabulary, vocabulary } from '../../../contract/account/vocabulary.ts'
import { endsTurn, type WordRecord, wordRecords } from '../../../contract/interface/words.ts'
import { TextFingerprint } from '../../../text/text-fingerprint.ts'
import { finishRecognition } from '../../orders/file/progress.ts'
import { type FakeRecognizer, startFakeRecognizer } from '../../recognition/testing/fake-recognizer.ts'
import { makeSpokenPieces } from '../../recognition/testing/made-speech.ts'
import { type AccountClient, accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { openEvents } from '../../testing/event-stream.ts'
import { startTestService, type TestAccount, type TestService } from '../../testing/test-service.ts'
import { findReplacement } from './proposals.ts'

const room = accountRoom()

const word = (written: string, heard: string[] = [], preset: string | null = null) => ({ written, heard, preset })
const add = (client: AccountClient, ...entries: unknown[]) => client.ask('POST', 'vocabulary', { entries })
const read = async (client: AccountClient) => vocabulary.parse(await client.read('GET', 'vocabulary'))
const wordsIn = async (client: AccountClient) =>
  (await read(client)).entries.map(({ written, heard, preset }) => ({ written, heard, preset }))

async function refusal(answer: Response): Promise<[number, string]> {
  return [answer.status, ((await answer.json()) as { error: string }).error]
}

type Sample = { id: string; words: WordRecord[]; fingerprint: string }

async function sample(): Promise<Sample> {
  const made = { seconds: 60, progress_percent: 100, name: 'Corrected' }
  const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', made)
  const words = wordRecords.parse(await (await room.service.fetch(room.account.key, `file/${id}.json`)).json())
  const fingerprint = new TextFingerprint()
  for (const one of words) fingerprint.add(`${one.word}${endsTurn(one) ? '\n' : ' '}`, [one.start])
  return { id, words, fingerprint: fingerprint.toString() }
}

/** A typed replacement of a word; `old` is the replaced text that it states. */
function typed(at: number, old: string, text: string): Patch {
  return {
    from: at,
    to: at + 1,
    startSeconds: 1,
    old: [old],
    before: ['and'],
    after: [],
    words: [{ text, start: 1, end: 2, conf: 1, endsTurn: false, speaker: -1, old: -1 }],
  }
}

async function correct(
  service: TestService,
  key: string,
  file: { id: string; fingerprint: string },
  revision: number,
  change: Partial<CorrectionChange>,
): Promise<void> {
  const { id, fingerprint } = file
  const answer = await fetch(`${service.address}/sandbox/account/files/${id}/corrections`, {
    method: 'POST',
    headers: {
      authorization: authorization(key),
      'content-type': 'application/json',
      'if-match': `"${revision}"`,
    },
    body: JSON.stringify({ fingerprint, baseNames: [], names: [], remove: [], put: [], label: 'Typing', ...change }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

describe('the words of an account', () => {
  test('are added, changed and removed, newest first', async () => {
    const { client } = room
    expect((await add(client, word('Nordwind', ['north wind', 'North Wind', 'Nordwind']))).status).toBe(204)
    expect((await add(client, word('Sluzhba'), word('Quay', ['key'], 'Harbour'))).status).toBe(204)
    expect(await wordsIn(client)).toEqual([
      word('Quay', ['key'], 'Harbour'),
      word('Sluzhba'),
      word('Nordwind', ['north wind']),
    ])
    const [quay] = (await read(client)).entries
    expect(quay).toMatchObject({ saved: 0, key: expect.any(String) })
    expect((await client.ask('PATCH', `vocabulary/${quay?.id}`, word('Quays', ['keys']))).status).toBe(204)
    expect((await wordsIn(client))[0]).toEqual(word('Quays', ['keys']))
    expect((await client.ask('DELETE', `vocabulary/${quay?.id}`)).status).toBe(204)
    expect(await refusal(await client.ask('DELETE', `vocabulary/${quay?.id}`))).toEqual([
      404,
      'The vocabulary has no such word. It may have been removed.',
    ])
  })

  test('merge the forms of an existing word', async () => {
    const { client } = room
    await add(client, word('Nordwind', ['north wind']))
    await add(client, word('Nordwind', ['nord wind', 'NORTH WIND']))
    expect(await wordsIn(client)).toEqual([word('Nordwind', ['north wind', 'nord wind'])])
  })

  test('are cleaned like names', async () => {
    const { client } = room
    await add(client, word(' Nord\u202ewind\t AG\n', ['north\u0000  wind']))
    expect(await wordsIn(client)).toEqual([word('Nordwind AG', ['north wind'])])
  })

  test('are refused with a reason if they are invalid, too long or too many, and none of them is kept', async () => {
    const { client } = room
    const bad = [word(''), word('…'), word('x'.repeat(81)), word('A', ['a b c d e f g']), word('A', ['\u202e'])]
    for (const one of bad) expect((await add(client, word('Good'), one)).status).toBe(400)
    expect((await add(client, word('A', Array(21).fill('b')))).status).toBe(400)
    expect((await add(client, word('A', [], ' '))).status).toBe(400)
    expect((await add(client, { written: 'A' })).status).toBe(400)
    expect(await refusal(await add(client, word('North', ['wind']), word('South', ['Wind'])))).toEqual([
      409,
      '“Wind” is written “North” already.',
    ])
    expect(await wordsIn(client)).toEqual([])
    // For orders of another preset it may be another word.
    expect((await add(client, word('North', ['wind']), word('South', ['Wind'], 'Harbour'))).status).toBe(204)
    const many = Array.from({ length: maxVocabulary }, (_, index) => word(`Word ${index}`))
    expect((await add(client, ...many)).status).toBe(409)
    expect((await add(client, ...many.slice(2))).status).toBe(204)
    expect((await read(client)).entries).toHaveLength(maxVocabulary)
    const [one, other] = (await read(client)).entries
    expect((await client.ask('PATCH', `vocabulary/${one?.id}`, word(other?.written ?? ''))).status).toBe(409)
  })

  test('stay with a renamed preset', async () => {
    const { client } = room
    await add(client, word('Quay', ['key'], 'Harbour'), word('Sluzhba'), word('Mole', [], 'Port'))
    const rename = (preset: string, name: string) => client.ask('PATCH', 'vocabulary', { preset, name })
    expect((await rename('Harbour', 'Häfen')).status).toBe(204)
    expect(await wordsIn(client)).toEqual([word('Mole', [], 'Port'), word('Sluzhba'), word('Quay', ['key'], 'Häfen')])
    await add(client, word('Quay', [], 'Port'))
    expect((await rename('Häfen', 'Port')).status).toBe(409)
    expect(await wordsIn(client)).toContainEqual(word('Quay', ['key'], 'Häfen'))
  })

  test('notify other dashboards of changes', async () => {
    const { client } = room
    const stream = await openEvents(room.service.address, room.account.key)
    await add(client, word('Nordwind'))
    expect(await stream.nextOf('account')).toMatchObject({ data: {} })
    stream.close()
  })
})

describe('repeated corrections', () => {
  const proposal = { heard: 'northwind', written: 'Nordwind', places: 3 }

  test('are proposed from the third place on, in the file and for the account', async () => {
    const { client, service, account } = room
    const [one, two] = [await sample(), await sample()]
    const put = [typed(2, 'northwind,', 'Nordwind,'), typed(8, 'Northwind', 'Nordwind')]
    await correct(service, account.key, one, 0, { put })
    expect((await read(client)).proposals).toEqual([])
    await correct(service, account.key, two, 0, { put: [typed(4, "northwind's", "Nordwind's"), typed(6, 'to', 'two')] })
    expect((await read(client)).proposals).toEqual([proposal])
    const of = async ({ id }: Sample) => fileVocabulary.parse(await client.read('GET', `files/${id}/vocabulary`))
    expect((await of(two)).proposals).toEqual([proposal])
    expect((await of(await sample())).proposals).toEqual([])
    // Removed in one place, there are no longer three.
    await correct(service, account.key, one, 1, { remove: [[2, 3]] })
    expect((await read(client)).proposals).toEqual([])
  })

  test('are no longer proposed once accepted or dismissed, or if their file is gone', async () => {
    const { client, service, account } = room
    const put = [2, 4, 6].map((at) => typed(at, 'northwind', 'Nordwind'))
    const also = [12, 14, 16].map((at) => typed(at, 'sloosh', 'Sluzhba'))
    const file = await sample()
    await correct(service, account.key, file, 0, { put: [...put, ...also] })
    expect((await read(client)).proposals).toHaveLength(2)
    expect((await client.ask('POST', 'vocabulary/dismissed', { heard: 'sloosh', written: 'Sluzhba' })).status).toBe(204)
    expect((await read(client)).proposals).toEqual([proposal])
    await add(client, word('Nordwind', ['Northwind']))
    expect((await read(client)).proposals).toEqual([])
    const [entry] = (await read(client)).entries
    await client.ask('DELETE', `vocabulary/${entry?.id}`)
    expect((await read(client)).proposals).toEqual([proposal])
    await service.fetch(account.key, `file/${file.id}`, { method: 'DELETE' })
    expect((await read(client)).proposals).toEqual([])
  })

  test('count as a replacement only if they say something about the next time', () => {
    const of = (old: string[], texts: string[], before = ['and']) => {
      const patch = { ...typed(0, '', ''), old, before }
      return findReplacement({ ...patch, words: texts.flatMap((text) => typed(0, '', text).words) })
    }
    expect(of(['North', 'wind.'], ['Nordwind.'])).toEqual({ heard: 'north wind', written: 'Nordwind' })
    expect(of(['nordwind'], ['Nordwind'])).toEqual({ heard: 'nordwind', written: 'Nordwind' })
    // Frequent words, beginnings of sentences, punctuation, omissions, insertions, and long replacements.
    expect(of(['their'], ['there'])).toBeNull()
    expect(of(['boats'], ['Boats'], ['end.'])).toBeNull()
    expect(of(['boats'], ['Boats'], [])).toBeNull()
    expect(of(['boats'], ['boats.'])).toBeNull()
    expect(of(['wind', 'the'], ['wind.', 'The'])).toBeNull()
    expect(of(['boats'], [])).toBeNull()
    expect(of([], ['boats'])).toBeNull()
    expect(of(['a', 'boat', 'at', 'sea'], ['boats'])).toBeNull()
  })
})

describe('an automated transcript', () => {
  let recognizer: FakeRecognizer
  let service: TestService
  beforeAll(async () => {
    recognizer = await startFakeRecognizer()
    service = await startTestService({ recognizer: 'http', recognizerUrl: recognizer.url })
  })
  afterAll(async () => {
    await service.close()
    await recognizer.close()
  })

  async function ordered(
    account: TestAccount,
    headers: Record<string, string> = {},
    type = 'automated',
  ): Promise<string> {
    const form = new FormData()
    form.append('file', new Blob([makeSpokenPieces(1)], { type: 'audio/wav' }), 'Tone.wav')
    const answer = await fetch(`${service.address}/sandbox/v1/files?transcript_type=${type}`, {
      method: 'POST',
      headers: { authorization: authorization(account.key), ...headers },
      body: form,
    })
    const { id } = (await answer.json()) as { id: string }
    return id
  }

  async function ready(account: TestAccount, id: string): Promise<void> {
    const percent = async () => (await service.metadata(account.key, id)).progress_percent
    await expect.poll(percent, { timeout: 60_000 }).toBe(100)
  }

  const client = ({ key }: TestAccount) => accountClient(service.address, key)
  const keptOf = async (account: TestAccount, id: string) =>
    keptCorrections.parse(await client(account).read('GET', `files/${id}/corrections`))
  const about = async (account: TestAccount, id: string): Promise<FileVocabulary> =>
    fileVocabulary.parse(await client(account).read('GET', `files/${id}/vocabulary`))

  test('gets vocabulary replacements as corrections, which can be undone and are counted', async () => {
    const account = await service.account()
    await add(client(account), word('Nordwind', ['heard']))
    const id = await ordered(account)
    await ready(account, id)
    // API clients get the recognized text, people the corrected one.
    expect(await (await service.fetch(account.key, `file/${id}`)).text()).toContain('Heard')
    const corrected = await client(account).ask('GET', `files/${id}/corrected/txt`)
    expect(await corrected.text()).toContain('Nordwind')
    const { revision, set } = await keptOf(account, id)
    expect(revision).toBe(1)
    expect(set?.patches).toMatchObject([{ from: 0, to: 1, old: ['Heard'], words: [{ text: 'Nordwind' }] }])
    const { versions } = correctionVersions.parse(await client(account).read('GET', `files/${id}/corrections/versions`))
    expect(versions).toMatchObject([{ key: 'Vocabulary', corrections: 1 }])
    expect(await about(account, id)).toMatchObject({ places: [{ from: 0, to: 1, text: 'Nordwind' }] })
    expect(await read(client(account))).toMatchObject({
      saved: { places: 1, transcripts: 1 },
      entries: [{ written: 'Nordwind', saved: 1 }],
      proposals: [],
    })
    // A node that lost its lease, and finishes late with the same result.
    await finishRecognition(service.platform, id, () => Promise.reject(new Error('It is complete already.')))
    const file = { id, fingerprint: set?.fingerprint ?? '' }
    const names = { baseNames: set?.baseNames ?? [], names: set?.names ?? [] }
    await correct(service, account.key, file, 1, { ...names, remove: [[0, 1]] })
    expect(await about(account, id)).toMatchObject({ places: [] })
    expect((await read(client(account))).saved).toEqual({ places: 0, transcripts: 0 })
    // Redone, and merged with an adjacent correction, it counts again.
    const [patch] = set?.patches ?? []
    if (patch === undefined) throw new Error('There is no patch.')
    const beside = patch.words.map((one) => ({ ...one, text: 'sails' }))
    const joined = { ...patch, to: 2, old: [...patch.old, 'x'], words: [...patch.words, ...beside] }
    await correct(service, account.key, file, 2, { ...names, put: [joined] })
    expect((await read(client(account))).saved).toEqual({ places: 1, transcripts: 1 })
    await service.fetch(account.key, `file/${id}`, { method: 'DELETE' })
    expect((await read(client(account))).saved).toEqual({ places: 0, transcripts: 0 })
  })

  test('adds no forms beyond those that a change takes', async () => {
    const account = await service.account()
    const forms = (from: number, count: number) => Array.from({ length: count }, (_, index) => `form${from + index}`)
    expect((await add(client(account), word('Sluzhba', forms(0, 20)))).status).toBeLessThan(300)
    expect(await refusal(await add(client(account), word('Sluzhba', forms(20, 1))))).toEqual([
      409,
      expect.stringContaining('at most 20'),
    ])
    const [entry] = (await read(client(account))).entries
    const { id, written, heard, preset } = entry ?? {}
    expect((await client(account).ask('PATCH', `vocabulary/${id}`, { written, heard, preset })).status).toBeLessThan(
      300,
    )
  })

  test('passes words to its recognizer, those of its preset only alongside those for all, and not those of others', async () => {
    const account = await service.account()
    await add(client(account), word('Sluzhba'), word('Nordwind', ['heard'], 'Häfen'), word('Other', ['heard'], 'Other'))
    const before = recognizer.prompts.length
    const plain = await ordered(account)
    await ready(account, plain)
    expect(recognizer.prompts.slice(before)).toEqual(['Sluzhba'])
    expect((await keptOf(account, plain)).set).toBeNull()
    const preset = await ordered(account, { 'order-preset': encodeURIComponent('Häfen') })
    await ready(account, preset)
    expect(recognizer.prompts.at(-1)).toBe('Nordwind, Sluzhba')
    expect((await keptOf(account, preset)).set?.patches).toHaveLength(1)
    expect(await about(account, preset)).toMatchObject({ preset: 'Häfen', words: ['Nordwind', 'Sluzhba'] })
    expect((await client(account).ask('GET', 'vocabulary')).status).toBe(200)
  })

  test('is left to typists with its words if it is a manual order', async () => {
    const account = await service.account()
    await add(client(account), word('Nordwind', ['heard']))
    const id = await ordered(account, {}, 'manual')
    await expect
      .poll(
        async () => {
          service.advance(60_000)
          return (await service.metadata(account.key, id)).progress_percent
        },
        { timeout: 60_000 },
      )
      .toBe(100)
    expect((await keptOf(account, id)).set).toBeNull()
    expect(await about(account, id)).toMatchObject({ words: ['Nordwind'], places: [] })
  })
})
