import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logPage } from '../../../contract/account/audit-log.ts'
import { type FilePage, filePage } from '../../../contract/account/file-pages.ts'
import { noLabels } from '../../../contract/account/labels.ts'
import {
  noticeDays,
  type RetentionPeriods,
  type RetentionState,
  retention,
  retentionPreview,
} from '../../../contract/account/retention.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { actOnRules } from './act-on-rules.ts'

const room = accountRoom()
const never: RetentionPeriods = { recording_days: null, all_days: null }

const now = () => room.service.platform.clock()

/** A file that was ready this many days ago, and does not expire with the sandbox. */
async function ready(name: string, daysAgo: number, tags: string[] = []): Promise<string> {
  const made = { seconds: 60, progress_percent: 100, name }
  const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', made)
  const { db } = room.service.platform
  const columns = { expires_at: null, ready_at: now() - daysAgo * dayMs }
  await db.updateTable('files').set(columns).where('id', '=', id).execute()
  if (tags.length > 0) {
    await label([id], { add_tags: tags })
    await db.updateTable('files').set({ keeping_since: null }).where('id', '=', id).execute()
  }
  return id
}

const label = (ids: string[], change: object) => room.client.read('PATCH', 'labels', { ids, ...change })

async function rule(scope: string, target: string, keep: Partial<RetentionPeriods> | null, confirmed = true) {
  const body = { scope, target, keep: keep && { ...never, ...keep }, confirmed }
  return retentionPreview.parse(await room.client.read('PUT', 'retention?zone=UTC', body))
}

const told = async (): Promise<RetentionState> => retention.parse(await room.client.read('GET', 'retention?zone=UTC'))

async function entries(): Promise<FilePage['files']> {
  return filePage.parse(await room.client.read('GET', 'files?limit=1000')).files
}

/** Names of the existing files; in brackets if their recording is gone. */
async function there(): Promise<string[]> {
  const files = await entries()
  return files
    .map(({ metadata, recording_deleted }) => (recording_deleted ? `(${metadata.name})` : metadata.name))
    .sort()
}

async function after(ms: number): Promise<string[]> {
  room.service.advance(ms)
  await room.service.doChores()
  return await there()
}

async function logged(action: string): Promise<string[]> {
  const { entries } = logPage.parse(await room.client.read('GET', `log?action=${action}`))
  return entries.map(({ key, detail, file_name }) => `${key ? 'key' : 'Parley'} ${detail} ${file_name}`.trim())
}

describe('retention rules', () => {
  test('delete to the second, no earlier than a week after they were made, and the log names the rule', async () => {
    await ready('Old', 100)
    await ready('New', 20)
    await rule('account', '', { all_days: 30 })
    const soon = new Date(now() + noticeDays * dayMs)
    expect((await entries()).map(({ metadata, leaves }) => [metadata.name, leaves])).toEqual([
      ['New', { at: new Date(now() + 10 * dayMs).toISOString(), what: 'all' }],
      ['Old', { at: soon.toISOString(), what: 'all' }],
    ])
    expect(await told()).toMatchObject({
      days: [{ day: soon.toISOString().slice(0, 10), recordings: 0, files: 1 }, {}],
    })
    expect(await after(noticeDays * dayMs - 1_000)).toEqual(['New', 'Old'])
    expect(await after(1_000)).toEqual(['New'])
    expect(await after(3 * dayMs - 1_000)).toEqual(['New'])
    expect(await after(1_000)).toEqual([])
    const by = 'Parley by the rule for all files: everything after 30 days'
    expect(await logged('deleted')).toEqual([`${by} New`, `${by} Old`])
    expect(await logged('retention')).toEqual(['key made all files: everything after 30 days'])
  })

  test('delete the recording and keep the text, and report it everywhere', async () => {
    const id = await ready('Talk', 0)
    const { blobs } = room.service.platform
    await room.service.until(async () => (await blobs.size(id, 'peaks')) !== null)
    await blobs.write(id, 'listen', 'its copy')
    await rule('account', '', { recording_days: 7, all_days: 400 })
    expect(await after(7 * dayMs)).toEqual(['(Talk)'])
    await room.service.until(async () => (await blobs.size(id, 'media')) === null)
    await room.service.until(async () => (await blobs.size(id, 'listen')) === null)
    await room.service.until(async () => (await blobs.size(id, 'peaks')) === null)
    const gone = await room.client.ask('POST', `files/${id}/playback`)
    expect([gone.status, await gone.text()]).toEqual([
      410,
      expect.stringMatching(/deleted on \w+ \d+, 20\d\d by a retention rule \(all files: recordings after 7 days, /),
    ])
    const text = await room.service.fetch(room.account.key, `file/${id}.txt`)
    expect(text.status).toBe(200)
    await text.arrayBuffer()
    expect(await logged('recording')).toHaveLength(1)
    const [entry] = await entries()
    expect(entry?.leaves?.what).toBe('all')
    expect(await after(393 * dayMs)).toEqual([])
    expect(await blobs.size(id, 'words.json')).toBeNull()
  })

  test('delete everything if both periods are over, after a standstill', async () => {
    await ready('Late', 0)
    await rule('account', '', { recording_days: 7, all_days: 8 })
    expect(await after(9 * dayMs)).toEqual([])
    expect(await logged('recording')).toEqual([])
  })

  test('of a tag override those of the account, and of two tags the one that keeps longer wins', async () => {
    await ready('Plain', 0)
    await ready('Short', 0, ['Short'])
    await ready('Both', 0, ['short', 'LONG'])
    await ready('Kept', 0, ['Kept'])
    await rule('account', '', { all_days: 20 })
    await rule('tag', 'Short', { all_days: 10 })
    await rule('tag', 'Long', { recording_days: 15, all_days: 30 })
    await rule('tag', 'Kept', {})
    expect(await after(10 * dayMs)).toEqual(['Both', 'Kept', 'Plain'])
    expect(await after(10 * dayMs)).toEqual(['Both', 'Kept'])
    // The rule of “Short” keeps recordings as long as the rest.
    expect(await after(10 * dayMs)).toEqual(['Kept'])
  })

  test('of a project apply to its files, and end with it', async () => {
    const { id: project } = await room.client.read<{ id: string }>('POST', 'projects', { name: 'Interviews' })
    const [inside, tagged] = [await ready('Inside', 0), await ready('Tagged', 0, ['Kept'])]
    await ready('Outside', 0)
    const move = (ids: string[], to: string | null) =>
      room.client.read('PUT', 'projects/files', { files: ids.map((id) => ({ id, project: to })) })
    await move([inside, tagged], project)
    await rule('account', '', { all_days: 100 })
    await rule('project', project, { all_days: 10 })
    await rule('tag', 'Kept', {})
    expect((await told()).rules.map(({ name }) => name)).toEqual(['', 'Interviews', 'Kept'])
    expect(
      (await room.client.ask('PUT', 'retention', { scope: 'project', target: 'p_x', keep: never, confirmed: true }))
        .status,
    ).toBe(404)
    expect(await after(9 * dayMs)).toEqual(['Inside', 'Outside', 'Tagged'])
    await move([inside], null)
    await move([inside], project)
    // Moved, it stays for another week.
    expect(await after(7 * dayMs - 1)).toEqual(['Inside', 'Outside', 'Tagged'])
    expect(await after(1)).toEqual(['Outside', 'Tagged'])
    await room.client.ask('DELETE', `projects/${project}`)
    expect((await told()).rules.map(({ scope }) => scope)).toEqual(['account', 'tag'])
    await label([tagged], { remove_tags: ['Kept'] })
    expect(await after(84 * dayMs)).toEqual([])
  })

  test('touch nothing in progress or held; a released file stays another week', async () => {
    const held = await ready('Held', 100)
    const made = { seconds: 60, progress_percent: 70, name: 'Typed' }
    const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', made)
    await room.service.platform.db.updateTable('files').set({ expires_at: null }).where('id', '=', id).execute()
    await rule('account', '', { all_days: 7 })
    await label([held], { held: true })
    expect(await told()).toMatchObject({ days: [], later: 0, held: 1 })
    expect(await after(400 * dayMs)).toEqual(['Held', 'Typed'])
    await label([held], { held: false })
    expect(await after(7 * dayMs - 1)).toEqual(['Held', 'Typed'])
    expect(await after(1)).toEqual(['Typed'])
    const [latest] = await logged('labels')
    expect(latest).toBe('key hold ended Held')
  })

  test('preview their effect before they are confirmed, and a change or removal gives another week', async () => {
    for (const name of ['A', 'B']) await ready(name, 50, ['Field'])
    await ready('C', 40)
    const shown = await rule('tag', 'field', { all_days: 30 }, false)
    const day = new Date(now() + noticeDays * dayMs).toISOString()
    expect(shown).toEqual({
      files: 2,
      days: [{ day: day.slice(0, 10), recordings: 0, files: 2 }],
      later: 0,
      first: [expect.objectContaining({ what: 'all', at: day }), expect.objectContaining({ at: day })],
    })
    expect((await told()).rules).toEqual([])
    await rule('tag', 'Field', { all_days: 30 })
    await rule('account', '', { all_days: 30 })
    expect(await after(6 * dayMs)).toEqual(['A', 'B', 'C'])
    // Its files fall back to the rule of the account.
    expect(await rule('tag', 'FIELD', null, false)).toMatchObject({ files: 0 })
    await rule('account', '', { all_days: 35 })
    expect(await after(1 * dayMs)).toEqual(['C'])
    expect(await after(6 * dayMs)).toEqual([])
  })

  test('run once on two nodes', async () => {
    for (const name of ['A', 'B', 'C']) await ready(name, 100)
    await rule('account', '', { recording_days: 10 })
    room.service.advance(noticeDays * dayMs)
    const { platform } = room.service
    const both = [0, 1].map(() => actOnRules(platform, new AbortController().signal))
    await Promise.all(both)
    const { entries } = logPage.parse(await room.client.read('GET', 'log?action=recording'))
    expect(entries.map(({ times }) => times)).toEqual([1, 1, 1])
  })

  test('that are invalid are refused, and those of other accounts do not exist', async () => {
    const status = async (body: object) => (await room.client.ask('PUT', 'retention', body)).status
    const all = { scope: 'account', target: '', confirmed: true }
    expect(await status({ ...all, keep: { recording_days: 3, all_days: null } })).toBe(400)
    expect(await status({ ...all, keep: { recording_days: 30, all_days: 30 } })).toBe(400)
    expect(await status({ ...all, keep: { recording_days: 30.5, all_days: null } })).toBe(400)
    expect(await status({ ...all, target: 'x', keep: never })).toBe(400)
    expect(await status({ ...all, scope: 'tag', keep: never })).toBe(400)
    expect((await room.client.ask('GET', 'retention?zone=Mars/Crater')).status).toBe(400)
    await rule('account', '', { all_days: 30 })
    const stranger = accountClient(room.service.address, (await room.service.account()).key)
    expect(await stranger.read('GET', 'retention')).toMatchObject({ rules: [], days: [] })
  })
})

/* Compared with a simple model of one account, on a clock that jumps. */

type ModelFile = { name: string; readyAt: number; since: number; tags: Set<string>; held: boolean; silent: boolean }
type ModelRule = { recording: number; all: number }

class Model {
  readonly files = new Map<string, ModelFile>()
  readonly rules = new Map<string, ModelRule>()

  periods({ tags }: ModelFile): ModelRule {
    const ofTags = [...tags].flatMap((tag) => this.rules.get(tag) ?? [])
    const own = ofTags.length > 0 ? ofTags : [this.rules.get('') ?? { recording: Infinity, all: Infinity }]
    return { recording: Math.max(...own.map((each) => each.recording)), all: Math.max(...own.map((each) => each.all)) }
  }

  setRule(tag: string, made: ModelRule | null, at: number) {
    const before = new Map([...this.files.values()].map((file) => [file, JSON.stringify(this.periods(file))]))
    if (made === null) this.rules.delete(tag)
    else this.rules.set(tag, made)
    for (const [file, was] of before) if (JSON.stringify(this.periods(file)) !== was) file.since = at
  }

  /** When the remaining data of a file is deleted. */
  times(file: ModelFile): ModelRule {
    if (file.held) return { recording: Infinity, all: Infinity }
    const { recording, all } = this.periods(file)
    const at = (days: number) => Math.max(file.readyAt + days * dayMs, file.since + noticeDays * dayMs)
    return { recording: file.silent ? Infinity : at(recording), all: at(all) }
  }

  act(at: number) {
    for (const [id, file] of this.files) {
      const { recording, all } = this.times(file)
      if (all <= at) this.files.delete(id)
      else if (recording <= at) file.silent = true
    }
  }

  /** Deletions until then, counted as the forecast counts. */
  until(at: number) {
    const times = [...this.files.values()].map((file) => this.times(file))
    return {
      files: times.filter(({ all }) => all <= at).length,
      recordings: times.filter(({ recording, all }) => recording <= at && recording < all).length,
    }
  }

  there() {
    return [...this.files.values()].map(({ name, silent }) => (silent ? `(${name})` : name)).sort()
  }
}

const tag = fc.constantFrom('red', 'blue')
const days = fc.integer({ min: 7, max: 40 })
const step = fc.oneof(
  fc.record({
    kind: fc.constant('rule' as const),
    tag: fc.constantFrom('', 'red', 'blue'),
    recording: fc.option(days),
    all: fc.option(days),
  }),
  fc.record({ kind: fc.constant('no rule' as const), tag: fc.constantFrom('', 'red', 'blue') }),
  fc.record({ kind: fc.constant('tag' as const), file: fc.nat(5), tag, isAdded: fc.boolean() }),
  fc.record({ kind: fc.constant('hold' as const), file: fc.nat(5), held: fc.boolean() }),
  fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.oneof(fc.integer({ min: 1, max: 12 * dayMs }), fc.constant(8 * dayMs)),
  }),
  fc.constant({ kind: 'tomorrow' as const }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function change(model: Model, ids: string[], one: Exclude<Step, { kind: 'wait' | 'tomorrow' }>) {
  if (one.kind === 'rule') {
    const isAfter = one.recording !== null && one.all !== null && one.recording >= one.all
    const recording = isAfter ? null : one.recording
    await rule(one.tag === '' ? 'account' : 'tag', one.tag, { recording_days: recording, all_days: one.all })
    model.setRule(one.tag, { recording: recording ?? Infinity, all: one.all ?? Infinity }, now())
    return
  }
  if (one.kind === 'no rule') {
    await rule(one.tag === '' ? 'account' : 'tag', one.tag, null)
    model.setRule(one.tag, null, now())
    return
  }
  const id = ids[one.file] as string
  const file = model.files.get(id)
  if (one.kind === 'hold') {
    await label([id], { held: one.held })
    if (file?.held && !one.held) file.since = now()
    if (file) file.held = one.held
    return
  }
  await label([id], one.isAdded ? { add_tags: [one.tag] } : { remove_tags: [one.tag] })
  if (file === undefined || file.tags.has(one.tag) === one.isAdded) return
  file.since = now()
  if (one.isAdded) file.tags.add(one.tag)
  else file.tags.delete(one.tag)
}

const act = () => actOnRules(room.service.platform, new AbortController().signal)

test('for any files, rules, tags and holds, deletions match the forecast of the day before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ age: fc.nat(60), tags: fc.subarray(['blue', 'red']) }), { minLength: 6, maxLength: 6 }),
      fc.tuple(days, days, days),
      fc.array(step, { minLength: 6, maxLength: 10 }),
      async (ages, firstRules, steps) => {
        room.account = await room.service.account()
        room.client = accountClient(room.service.address, room.account.key)
        const model = new Model()
        const ids: string[] = []
        const { db } = room.service.platform
        const first = await ready('File 0', 0)
        const row = await db.selectFrom('files').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
        for (const [index, { age, tags }] of ages.entries()) {
          const [id, name, readyAt] = [index === 0 ? first : `${first}-${index}`, `File ${index}`, now() - age * dayMs]
          const labels_json = JSON.stringify({ ...noLabels, tags })
          const values = { ...row, id, name, ready_at: readyAt, labels_json }
          if (index === 0) await db.updateTable('files').set(values).where('id', '=', id).execute()
          else await db.insertInto('files').values(values).execute()
          ids.push(id)
          model.files.set(id, { name, readyAt, since: -Infinity, tags: new Set(tags), held: false, silent: false })
        }
        for (const [index, all] of firstRules.entries()) {
          await change(model, ids, {
            kind: 'rule',
            tag: (['', 'blue', 'red'] as const)[index] ?? '',
            recording: null,
            all,
          })
        }
        for (const one of [...steps, { kind: 'tomorrow' as const }]) {
          if (one.kind === 'wait') room.service.advance(one.ms)
          else if (one.kind !== 'tomorrow') await change(model, ids, one)
          await act()
          model.act(now())
          expect(await there()).toEqual(model.there())
          if (one.kind !== 'tomorrow') continue
          const evening = (Math.floor(now() / dayMs) + 1) * dayMs - 1
          room.service.advance(evening - now())
          await act()
          model.act(now())
          const tomorrow = new Date(now() + dayMs).toISOString().slice(0, 10)
          const { days } = await told()
          const { recordings, files } = model.until(now() + dayMs)
          const said = { recordings: 0, files: 0, ...days.find(({ day }) => day === tomorrow) }
          expect(said).toMatchObject({ recordings, files })
          room.service.advance(dayMs)
          await act()
          model.act(now())
          expect(await there()).toEqual(model.there())
        }
      },
    ),
    { numRuns: 5 },
  )
}, 120_000)
