import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Project } from '../../../contract/account/projects.ts'
import { type SearchPage, searchPage } from '../../../contract/account/search.ts'
import { wordRecords } from '../../../contract/interface/words.ts'
import type { StoredWord } from '../../../text/build-transcript.ts'
import { changeFile } from '../../orders/file/change-file.ts'
import { dataPaths } from '../../platform/data-directory.ts'
import { isPostgres } from '../../platform/db/leases.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { startTestService } from '../../testing/test-service.ts'
import {
  fingerprintWords,
  makeChange,
  makeSample,
  postChange,
  refusal,
  type Sample,
  typed,
} from '../corrections/testing/sample-to-correct.ts'
import { storedWordsJson } from '../transcripts/stored-words.ts'

const room = accountRoom()

const search = async (q: string, more = '', client = room.client): Promise<SearchPage> =>
  searchPage.parse(await client.read('GET', `search?q=${encodeURIComponent(q)}${more}`))
const idsOf = async (q: string) => (await search(q)).files.map(({ id }) => id)

/** A finished file with these words; `|` ends a turn. */
async function spoken(text: string): Promise<Sample> {
  const { platform } = room.service
  const { id } = await makeSample(room)
  const words = text.split(' ').map((word, index): StoredWord => {
    const record = { word: word.replace('|', ''), start: index, end: index + 0.5, duration: 0.5, conf: 1 }
    return word.endsWith('|') ? { ...record, turn: true, speaker: 0 } : { ...record, speaker: 0 }
  })
  await platform.blobs.write(id, 'words.json', Readable.from(storedWordsJson(words)))
  // The words of a finished file change only together with the time at which it became ready.
  await changeFile(platform, id, (file) => ({ ready_at: (file.ready_at ?? 0) + 1 }))
  const given = wordRecords.parse(await (await room.service.fetch(room.account.key, `file/${id}.json`)).json())
  return { id, words: given, fingerprint: fingerprintWords(given), names: ['Speaker 1'] }
}

describe('search', () => {
  test('finds spoken words, and opens the transcript there', async () => {
    const { id } = await spoken('We met in the garden. The quince tree bore nothing that year.')
    await expect.poll(() => idsOf('quince')).toEqual([id])
    const { files, next_cursor, read_percent } = await search('"quince tree" bore')
    expect({ next_cursor, read_percent }).toEqual({ next_cursor: null, read_percent: 100 })
    expect(files).toEqual([
      {
        id,
        name: 'Corrected',
        sentences: [
          {
            speaker: 'Speaker 1',
            start_ms: 5_000,
            words: [6, 8],
            text: 'The quince tree bore nothing that year.',
            marks: [[4, 20]],
          },
        ],
      },
    ])
    expect(await idsOf('quince -nothing')).toEqual([])
    expect(await idsOf('speaker:"speaker 1" quin*')).toEqual([id])
  })

  test('a correction is found within two seconds, and the replaced text no longer', async () => {
    const file = await spoken('The quince tree bore nothing that year.')
    await expect.poll(() => idsOf('quince')).toEqual([file.id])
    await postChange(room, `${file.id}/corrections`, 0, makeChange(file, [typed(file, 1, 'pomegranate')]))
    const kept = performance.now()
    expect(await idsOf('quince'), 'not even before it is read').toEqual([])
    await expect.poll(() => idsOf('pomegranate'), { interval: 20 }).toEqual([file.id])
    expect(performance.now() - kept).toBeLessThan(2_000)
    const { files } = await search('pomegranate')
    expect(files[0]?.sentences[0]).toMatchObject({
      words: [1, 2],
      text: 'The pomegranate tree bore nothing that year.',
    })
    await postChange(room, `${file.id}/corrections`, 1, makeChange(file, [], { names: ['Greta Holm'] }))
    await expect.poll(() => idsOf('speaker:holm tree')).toEqual([file.id])
  })

  test('finds work in progress, and files by name only', async () => {
    const made = { seconds: 60, progress_percent: 40, name: 'Zebra crossing', transcript_type: 'automated' }
    const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', made)
    await expect.poll(() => idsOf('zebra')).toEqual([id])
    const text = await (await room.service.fetch(room.account.key, `file/${id}`)).text()
    const word = text.match(/[a-z]{6,}/gu)?.at(-1) ?? ''
    await expect.poll(async () => (await search(word)).files[0]?.sentences.length).toBeGreaterThan(0)
    expect((await search('crossing')).files).toEqual([{ id, name: 'Zebra crossing', sentences: [] }])
  })

  test('finds files by their names, tags and notes, and no longer after these are removed', async () => {
    const { id } = await spoken('It was spring, and the tag on the coat said so.')
    const client = room.client
    await client.read('PATCH', 'labels', {
      ids: [id],
      name: 'Wintergarden',
      note: 'Zinnias.',
      add_tags: ['Field work'],
    })
    for (const q of ['wintergarden', 'zinnias', 'tag:"field work"', 'tag:field', 'wintergarden spring']) {
      await expect.poll(() => idsOf(q), { message: q }).toEqual([id])
    }
    expect((await search('spring')).files[0]?.name).toBe('Wintergarden')
    expect(await idsOf('tag:spring')).toEqual([])
    await client.read('PATCH', 'labels', { ids: [id], name: '', remove_tags: ['Field work'] })
    await expect.poll(() => idsOf('wintergarden')).toEqual([])
    expect(await idsOf('tag:field')).toEqual([])
    expect(await idsOf('zinnias')).toEqual([id])
  })

  test('searches the files of a project, by its current name, or excludes them', async () => {
    const [one, other] = [await spoken('The walnut fell far from the wall.'), await spoken('A walnut cake.')]
    const { client } = room
    const project = await client.read<Project>('POST', 'projects', { name: 'Field “Work”' })
    await client.read('PUT', 'projects/files', { files: [{ id: one.id, project: project.id }] })
    await expect.poll(() => idsOf('walnut')).toEqual([other.id, one.id])
    expect(await idsOf('walnut project:"field work"')).toEqual([one.id])
    expect(await idsOf('project:"Field Work"')).toEqual([one.id])
    expect(await idsOf('walnut -project:"field work"')).toEqual([other.id])
    expect(await idsOf('walnut project:field')).toEqual([])
    await client.read('PATCH', `projects/${project.id}`, { name: 'Orchard' })
    expect(await idsOf('wal* project:orchard')).toEqual([one.id])
    expect(await idsOf('walnut project:"field work"')).toEqual([])
  })

  test('finds nothing of a deleted file or of another account, and no byte of it stays', async () => {
    const word = 'xylomarimbaphone'
    const { id } = await spoken(`Nobody plays the ${word} any more.`)
    const kept = await spoken('Everybody plays the xylophone.')
    await expect.poll(() => idsOf(word)).toEqual([id])
    const other = await room.service.account()
    expect((await search(word, '', accountClient(room.service.address, other.key))).files).toEqual([])
    await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
    expect(await idsOf(word)).toEqual([])
    const { db } = room.service.platform
    if (isPostgres(db)) {
      const { rows } = await sql`select 1 from search_files where tokens like ${`%${word}%`}`.execute(db)
      expect(rows).toEqual([])
      return
    }
    const files = (await readdir(room.service.dataDir)).filter((name) => name.startsWith('search.db'))
    expect(files.length).toBeGreaterThan(0)
    await expect
      .poll(async () => {
        const bytes = await Promise.all(
          files.map((name) => readFile(join(room.service.dataDir, name), 'latin1').catch(() => '')),
        )
        return bytes.join('').includes(word)
      })
      .toBe(false)
    await expect.poll(() => idsOf('xylo*')).toEqual([kept.id])
  })

  test('pages have each file once, newest first', async () => {
    const made: string[] = []
    for (let count = 0; count < 5; count++) made.unshift((await spoken(`Tape number ${count} of the harbour.`)).id)
    await expect.poll(async () => (await idsOf('harbour')).length).toBe(5)
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: SearchPage = await search('harbour', `&limit=2${cursor && `&cursor=${cursor}`}`)
      found.push(...page.files.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(found).toEqual(made)
  })

  test('bad input is refused with a reason or searched as words', async () => {
    await spoken('The quince tree bore nothing that year.')
    const refused = async (path: string) => refusal(await room.client.ask('GET', path))
    expect(await refused('search')).toEqual([400, 'Say what to search for: q.'])
    expect(await refused(`search?q=${'a'.repeat(10_000)}`)).toEqual([400, 'A search can have at most 1000 characters.'])
    expect(await refused('search?q=a&cursor=x')).toEqual([400, 'cursor must be a whole number.'])
    for (const q of [
      '"',
      '* - "" ()',
      "') or 1=1 --",
      'tree\u0000',
      '\ud800',
      'AND OR NOT NEAR',
      '東京',
      'كتاب',
      '🙂',
      ":* & | ! <->'",
    ]) {
      const answer = await room.client.ask('GET', `search?q=${encodeURIComponent(q.toWellFormed())}`)
      expect([q, answer.status]).toEqual([q, 200])
    }
  })
})

test('one file that cannot be indexed is skipped, and the account’s others are found', async () => {
  const { platform } = room.service
  const [broken, sound] = [await makeSample(room), await spoken('The medlar came late.')]
  await platform.blobs.write(broken.id, 'words.json', 'no words')
  const again = (id: string) => changeFile(platform, id, (file) => ({ ready_at: (file.ready_at ?? 0) + 1 }))
  await again(broken.id)
  await again(sound.id)
  await expect.poll(() => idsOf('medlar')).toEqual([sound.id])
})

test('an index that is missing or damaged is rebuilt automatically', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-index-'))
  let service = await startTestService({ dataDir })
  try {
    if (isPostgres(service.platform.db)) return
    const { key } = await service.account()
    const made = { seconds: 60, progress_percent: 100, name: 'Zebra crossing' }
    const client = () => accountClient(service.address, key)
    const { id } = await client().read<{ id: string }>('POST', 'tools/files', made)
    const found = async () => (await search('zebra', '', client())).files.map((file) => file.id)
    await expect.poll(found).toEqual([id])
    const { searchIndex } = dataPaths(dataDir)
    for (const bytes of [null, Buffer.alloc(200_000, 'damage'), (await readFile(searchIndex)).fill('x', 20_000)]) {
      await service.close()
      for (const end of ['', '-wal', '-shm']) await rm(searchIndex + end, { force: true })
      if (bytes !== null) await writeFile(searchIndex, bytes)
      service = await startTestService({ dataDir })
      await expect.poll(found).toEqual([id])
    }
  } finally {
    await service.close()
    await rm(dataDir, { recursive: true })
  }
})
