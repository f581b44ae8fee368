import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  correctionRevision,
  correctionVersions,
  type KeptCorrections,
  keptCorrections,
  maxChangeBytes,
  type Patch,
} from '../../../contract/account/corrections.ts'
import type { FileChanges, FilePage } from '../../../contract/account/file-pages.ts'
import type { CreatedApiKey } from '../../../contract/account/keys.ts'
import { transcriptFormats } from '../../../contract/interface/transcript-formats.ts'
import { type WordRecord, wordRecords } from '../../../contract/interface/words.ts'
import { changeFile } from '../../orders/file/change-file.ts'
import { isPostgres } from '../../platform/db/leases.ts'
import { storedPath } from '../../platform/media/testing/stored-path.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { openEvents } from '../../testing/event-stream.ts'
import { fingerprintWords, makeChange, makeSample, postChange, refusal, typed } from './testing/sample-to-correct.ts'

const room = accountRoom()

const sample = () => makeSample(room)
const send = (id: string, revision: number | string | null, change: unknown, key = room.account.key) =>
  postChange(room, `${id}/corrections`, revision, change, key)

const read = async (id: string): Promise<KeptCorrections> =>
  keptCorrections.parse(await room.client.read('GET', `files/${id}/corrections`))

describe('corrections', () => {
  test('are stored in order, and read as one set with its revision', async () => {
    const file = await sample()
    expect(await read(file.id)).toEqual({ revision: 0, set: null })
    const first = await send(file.id, 0, makeChange(file, [typed(file, 5, 'five')]))
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"'])
    expect(correctionRevision.parse(await first.json())).toEqual({ revision: 1 })
    const renamed = { names: ['Ann', 'Speaker 2'], put: [typed(file, 2, 'two')] }
    await send(file.id, 1, makeChange(file, [], renamed))
    await send(file.id, 2, makeChange(file, [typed(file, 5, 'FIVE')], { names: renamed.names, remove: [[5, 6]] }))
    const { revision, set } = await read(file.id)
    expect(revision).toBe(3)
    expect(set).toEqual({
      fingerprint: file.fingerprint,
      baseNames: file.names,
      names: ['Ann', 'Speaker 2'],
      patches: [typed(file, 2, 'two'), typed(file, 5, 'FIVE')],
    })
    const known = { authorization: authorization(room.account.key), 'if-none-match': '"3"' }
    const again = await fetch(`${room.service.address}/sandbox/account/files/${file.id}/corrections`, {
      headers: known,
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('set captions: in every caption format, following the caption rules, and in no text', async () => {
    const file = await sample()
    const path = (format: string) => `files/${file.id}/corrected/${format}`
    const kept = typed(file, 2, file.words[2]?.word ?? '')
    const start = Math.round((file.words[2]?.start ?? 0) * 1_000 + 40) / 1_000
    const put = (cue: unknown) => ({ ...kept, words: [{ ...kept.words[0], old: 0, cue }] }) as Patch
    expect((await send(file.id, 0, makeChange(file, [put({ start: -1 })]))).status).toBe(400)
    expect((await send(file.id, 0, makeChange(file, [put({ start: 1e12 })]))).status).toBe(400)
    const edited = put({ start, top: true })
    expect((await send(file.id, 0, makeChange(file, [edited], { label: 'Split caption' }))).status).toBe(200)
    expect((await read(file.id)).set?.patches).toEqual([edited])
    const time = start.toFixed(3)
    for (const [format, begin] of [
      ['srt', `\n00:00:0${time.replace('.', ',')} --> `],
      ['sbv', `\n0:00:0${time},`],
    ] as const) {
      expect(await (await room.client.ask('GET', path(format))).text()).toContain(begin)
    }
    const plain = await (await room.client.ask('GET', path('json'))).json()
    expect(wordRecords.parse(plain).map(({ word }) => word)).toEqual(file.words.map(({ word }) => word))
    expect(JSON.stringify(plain)).not.toContain('cue')
  })

  test('appear in every format: words, turns and names as corrected, the rest unchanged', async () => {
    const file = await sample()
    const path = (format: string) => `files/${file.id}/corrected/${format}`
    expect((await room.client.ask('GET', path('txt'))).status).toBe(404)
    const [first, last] = [typed(file, 0, 'Corrected'), typed(file, file.words.length - 1, 'end.')]
    const gone = { ...typed(file, 3, ''), words: [] }
    const split = {
      ...typed(file, 5, 'here.'),
      words: [{ ...typed(file, 5, 'here.').words[0], endsTurn: true }],
    } as Patch
    const names = ['Ann', 'Speaker 2']
    await send(file.id, 0, makeChange(file, [first, gone, split, last], { names }))
    const words = wordRecords.parse(await room.client.read('GET', path('json')))
    const expected = file.words.map(({ word }) => word)
    expected.splice(0, 1, 'Corrected')
    expected.splice(-1, 1, 'end.')
    expected.splice(5, 1, 'here.')
    expected.splice(3, 1)
    expect(words.map(({ word }) => word)).toEqual(expected)
    expect(words[4]).toMatchObject({ word: 'here.', turn: true })
    const text = await (await room.client.ask('GET', path('txt'))).text()
    expect(text).toContain('Ann: Corrected ')
    for (const format of transcriptFormats) {
      const answer = await room.client.ask('GET', path(format))
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"1.${format}"`])
      expect(answer.headers.get('content-disposition')).toContain(`"Corrected corrected.${format}"`)
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
    expect((await room.client.ask('GET', path('exe'))).status).toBe(415)
  })

  test('are counted in the pages of files, which show whether a file is corrected', async () => {
    const file = await sample()
    const { version } = await room.client.read<FilePage>('GET', 'files')
    const entry = async (since: number) => (await room.client.read<FileChanges>('GET', `files?since=${since}`)).files[0]
    await send(file.id, 0, makeChange(file, [typed(file, 5, 'five')]))
    const corrected = await entry(version)
    expect(corrected).toMatchObject({ id: file.id, corrections: 1 })
    await send(file.id, 1, makeChange(file, [typed(file, 7, 'seven')]))
    expect(await entry(corrected?.version ?? 0)).toBeUndefined()
    await send(
      file.id,
      2,
      makeChange(file, [], {
        remove: [
          [5, 6],
          [7, 8],
        ],
      }),
    )
    expect(await entry(corrected?.version ?? 0)).toMatchObject({ id: file.id, corrections: 0 })
  })

  test('notify the account’s other dashboards', async () => {
    const file = await sample()
    const stream = await openEvents(room.service.address, room.account.key)
    await stream.nextOf('hello')
    await send(file.id, 0, makeChange(file, [typed(file, 5, 'five')]))
    expect((await stream.nextOf('corrections')).data).toEqual({ id: file.id, revision: 1 })
    stream.close()
  })

  test('of two changes to the same revision, the second is rejected (optimistic locking)', async () => {
    const file = await sample()
    const answers = await Promise.all(
      [1, 2, 3, 4].map((at) => send(file.id, 0, makeChange(file, [typed(file, at, `word${at}`)]))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    expect(answers.find(({ status }) => status === 412)?.headers.get('etag')).toBe('"1"')
    const { revision, set } = await read(file.id)
    expect([revision, set?.patches.length]).toEqual([1, 1])
  })

  test('start over when the service has another text, and are refused for an obsolete text', async () => {
    const file = await sample()
    await send(file.id, 0, makeChange(file, [typed(file, 5, 'five')]))
    // Reworked: other words, delivered later.
    room.service.advance(60_000)
    const { blobs } = room.service.platform
    const stored = await readFile(storedPath(blobs, file.id, 'words.json'), 'utf8')
    await blobs.write(file.id, 'words.json', Readable.from([stored.replace(/"word":"[^"]+"/, '"word":"Reworked"')]))
    await changeFile(room.service.platform, file.id, () => ({ ready_at: room.service.platform.clock() }))
    const old = await send(file.id, 1, makeChange(file, [typed(file, 7, 'seven')]))
    expect(await refusal(old)).toEqual([409, expect.stringContaining('Load it again')])
    const words = [{ ...file.words[0], word: 'Reworked' } as WordRecord, ...file.words.slice(1)]
    const newer = { ...file, words, fingerprint: fingerprintWords(words) }
    const mixed = await send(file.id, 1, makeChange(newer, [typed(newer, 7, 'seven')]))
    expect(await refusal(mixed)).toEqual([409, 'The corrections are of an earlier text; a change must begin anew.'])
    expect((await send(file.id, 1, makeChange(newer, [typed(newer, 7, 'seven')], { anew: true }))).status).toBe(200)
    expect((await read(file.id)).set?.patches).toEqual([typed(newer, 7, 'seven')])
  })

  test('that do not fit are refused with a reason, all or nothing', async () => {
    const file = await sample()
    await send(file.id, 0, makeChange(file, [typed(file, 5, 'five')]))
    const before = await read(file.id)
    const good = typed(file, 9, 'nine')
    const [noText, twice] = [{ ...good, words: [{ ...good.words[0], text: ' \n' }] }, typed(file, 5, 'again')]
    const beyond = { ...good, from: 9_999, to: 10_000 }
    const asked: [number | string | null, unknown, number, string][] = [
      [null, makeChange(file, [good]), 428, 'If-Match'],
      ['*', makeChange(file, [good]), 400, 'If-Match must be the ETag'],
      ['W/"1"', makeChange(file, [good]), 400, 'If-Match must be the ETag'],
      [0, makeChange(file, [good]), 412, 'Somebody else'],
      [2, makeChange(file, [good]), 412, 'Somebody else'],
      [1, makeChange({ ...file, fingerprint: 'another' }, [good]), 409, 'Load it again'],
      [1, makeChange(file, [good, twice]), 409, 'overlap at word 5'],
      [1, makeChange(file, [good], { remove: [[6, 7]] }), 409, 'is not there'],
      [1, makeChange(file, [good, beyond]), 409, 'The transcript has no word 10000'],
      [1, makeChange(file, [{ ...good, words: [{ ...good.words[0], speaker: 7 }] } as Patch]), 409, 'no speaker 7'],
      [1, { ...makeChange(file, []), put: [noText] }, 400, 'put.0.words.0.text'],
      [1, { ...makeChange(file, []), put: [{ ...good, from: -1 }] }, 400, 'put.0.from'],
      [1, { ...makeChange(file, []), put: 'all' }, 400, '"put"'],
      [1, '{"put"', 400, ''],
      [1, `"${'x'.repeat(maxChangeBytes)}"`, 413, ''],
    ]
    for (const [revision, change, status, words] of asked) {
      expect(await refusal(await send(file.id, revision, change))).toEqual([status, expect.stringContaining(words)])
    }
    expect(await read(file.id)).toEqual(before)
  })

  test('of a transcript that is not ready are refused', async () => {
    const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 80 })
    const none = { id, words: [], fingerprint: '', names: [] }
    expect(await refusal(await send(id, 0, makeChange(none, [])))).toEqual([409, 'The transcript is not ready yet.'])
  })

  test('are deleted with their file: no row, and in the embedded database no byte of them stays', async () => {
    const file = await sample()
    const typedText = 'Unforgettable-word'
    await send(file.id, 0, makeChange(file, [typed(file, 5, typedText)], { label: 'Unforgettable-label' }))
    await send(file.id, 1, makeChange(file, [], { remove: [[5, 6]] }))
    await room.service.fetch(room.account.key, `file/${file.id}`, { method: 'DELETE' })
    expect((await room.client.ask('GET', `files/${file.id}/corrections`)).status).toBe(404)
    const { db, config } = room.service.platform
    for (const table of ['corrections', 'correction_patches', 'correction_changes', 'texts'] as const) {
      expect(await db.selectFrom(table).select('file_id').where('file_id', '=', file.id).execute()).toEqual([])
    }
    if (isPostgres(db)) return
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    for (const name of ['parley.db', 'parley.db-wal']) {
      const bytes = await readFile(join(config.dataDir, name)).catch(() => Buffer.alloc(0))
      expect(bytes.includes('Unforgettable')).toBe(false)
    }
  })
})

describe('versions', () => {
  const versions = async (id: string) =>
    correctionVersions.parse(await room.client.read('GET', `files/${id}/corrections/versions`)).versions

  test('are the states before a pause, before another key took over, and those with a name', async () => {
    const file = await sample()
    const other = await room.client.read<CreatedApiKey>('POST', 'keys', { name: 'Colleague' })
    await send(file.id, 0, makeChange(file, [typed(file, 1, 'one')]))
    await send(file.id, 1, makeChange(file, [typed(file, 3, 'three')]))
    room.service.advance(11 * 60_000)
    await send(file.id, 2, makeChange(file, [typed(file, 5, 'five')]))
    await send(file.id, 3, makeChange(file, [typed(file, 7, 'seven')]), other.key)
    await send(file.id, 4, makeChange(file, [typed(file, 9, 'nine')]), other.key)
    expect((await versions(file.id)).map(({ revision, corrections }) => [revision, corrections])).toEqual([
      [5, 5],
      [3, 3],
      [2, 2],
    ])
    expect((await versions(file.id))[0]).toMatchObject({ key: 'Colleague', label: 'Typing', name: null })
    await room.client.read('PATCH', `files/${file.id}/corrections/versions/1`, { name: ' First try ' })
    expect((await versions(file.id)).at(-1)).toMatchObject({ revision: 1, name: 'First try' })
  })

  test('are also the state that was replaced by the original', async () => {
    const file = await sample()
    await send(file.id, 0, makeChange(file, [typed(file, 1, 'one')]))
    const back = { ...makeChange(file, [], { remove: [[1, 2]] }), label: 'Restored original' }
    await send(file.id, 1, back)
    for (let revision = 2; revision < 14; revision += 1) {
      const remove: [number, number][] = revision === 2 ? [] : [[3, 4]]
      await send(file.id, revision, makeChange(file, [typed(file, 3, `${revision}`)], { remove }))
    }
    expect((await versions(file.id)).map(({ revision }) => revision)).toEqual([14, 1])
  })

  test('can be read unchanged, whatever came after', async () => {
    const file = await sample()
    const sets = []
    for (const [revision, at] of [4, 8, 2, 8].entries()) {
      const remove: [number, number][] = revision === 3 ? [[8, 9]] : []
      await send(file.id, revision, makeChange(file, [typed(file, at, `${revision}`)], { remove }))
      sets.push((await read(file.id)).set)
    }
    for (const [index, set] of sets.entries()) {
      const version = await room.client.read('GET', `files/${file.id}/corrections/versions/${index + 1}`)
      expect(version).toEqual({ revision: index + 1, set })
    }
  })

  test('that nobody would restore are joined with the next, and the others stay as they were', async () => {
    const file = await sample()
    const sets: KeptCorrections['set'][] = []
    const put = async (revision: number) => {
      const remove: [number, number][] = revision < 20 ? [] : [[revision - 20, revision - 19]]
      await send(file.id, revision, makeChange(file, [typed(file, revision % 20, `word ${revision}`)], { remove }))
      sets.push((await read(file.id)).set)
    }
    for (let revision = 0; revision < 34; revision += 1) {
      if (revision === 8) room.service.advance(11 * 60_000)
      await put(revision)
      if (revision === 3) await room.client.read('PATCH', `files/${file.id}/corrections/versions/2`, { name: 'Two' })
    }
    const { db } = room.service.platform
    const rows = await db.selectFrom('correction_changes').select('revision').where('file_id', '=', file.id).execute()
    expect(rows.length).toBeLessThanOrEqual(14)
    const listed = await versions(file.id)
    expect(listed.map(({ revision, corrections }) => [revision, corrections])).toEqual([
      [34, 20],
      [8, 8],
      [2, 2],
    ])
    for (const { revision } of listed) {
      const version = await room.client.read('GET', `files/${file.id}/corrections/versions/${revision}`)
      expect(version).toEqual({ revision, set: sets[revision - 1] })
    }
    expect((await room.client.ask('GET', `files/${file.id}/corrections/versions/12`)).status).toBe(404)
  })

  test('grow no further than their transcript allows', async () => {
    const file = await sample()
    const long = { ...typed(file, 1, 'x'), words: Array(400).fill(typed(file, 1, 'x'.repeat(2_000)).words[0]) }
    const change = makeChange(file, [long, ...[3, 5].map((at) => ({ ...typed(file, at, 'x'), words: long.words }))])
    const answer = await postChange(room, `${file.id}/corrections`, 0, change)
    expect(answer.status).toBe(413)
    expect(await read(file.id)).toEqual({ revision: 0, set: null })
  })

  test.each(['0', '2', 'x', '99999999999'])('%s is invalid, and a 404', async (revision) => {
    const file = await sample()
    await send(file.id, 0, makeChange(file, [typed(file, 1, 'one')]))
    const path = `files/${file.id}/corrections/versions/${revision}`
    expect((await room.client.ask('GET', path)).status).toBe(404)
    expect((await room.client.ask('PATCH', path, { name: 'Mine' })).status).toBe(404)
  })
})
