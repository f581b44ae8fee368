import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { metadataHeader } from '../../src/contract/interface/headers.ts'
import type { ManagedPart } from '../../src/contract/work/managers.ts'
import { type Claim, claimHeader, type DeskPart } from '../../src/contract/work/parts.ts'
import { type StaffRole, workBasePath } from '../../src/contract/work/staff.ts'
import { openDb } from '../../src/service/platform/db/open.ts'
import { plainSentence, speak } from '../../src/service/recognition/testing/speak.ts'
import { withDatabase } from '../../src/service/start/cli/operate.ts'
import { askApi, authorization } from '../../src/service/testing/ask-api.ts'
import { fingerprintWords } from '../../src/service/text/transcripts/part-text.ts'
import { addStaff } from '../../src/service/workbench/staff.ts'
import { test as base } from './fixtures.ts'
import type { ServiceProcess } from './service-process.ts'
import { startWithEngine } from './start-with-engine.ts'

/* Manual orders and their typists, through both APIs. */

export const customerName = 'Confidential Client Ltd'
export const fileName = 'Secret merger.wav'

/** Journeys of staff, in a queue without orders of other journeys, some of which have no words to type over. */
export const test = base.extend<{ emptyQueue: undefined }, { service: ServiceProcess }>({
  // Whoever takes the next part must not get one of the journey before.
  emptyQueue: [
    async ({ service }, use) => {
      await withDatabase(service, (db) => db.updateTable('files').set({ given_up: 1 }).execute())
      await use(undefined)
    },
    { auto: true },
  ],
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs off this pattern
    async ({}, use) => {
      const service = await startWithEngine()
      await use(service)
      await service.remove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

/** Adds a member of staff, without the second that the command line takes. @returns the key */
export async function hire(service: ServiceProcess, name: string, role: StaffRole): Promise<string> {
  return await withDatabase(service, async (db) => (await addStaff(db, { name, role }, Date.now())).key)
}

/** Creates a live manual order of some spoken words. @returns its id */
export async function orderTyping(
  service: ServiceProcess,
  customer = customerName,
): Promise<{ id: string; key: string; account: string }> {
  const { key, account } = await service.createAccount('live', customer)
  const body = new FormData()
  body.set('file', new Blob([await readFile(await speak(plainSentence))], { type: 'audio/wav' }), fileName)
  const answer = await askApi(service.url, key, 'files?instructions=Write+numbers+as+digits', { method: 'POST', body })
  expect(answer.status, await answer.clone().text()).toBe(201)
  return { ...((await answer.json()) as { id: string }), key, account }
}

export async function percentOf(service: ServiceProcess, key: string, id: string): Promise<number> {
  const answer = await askApi(service.url, key, `file/${id}`, { method: 'HEAD' })
  return JSON.parse(answer.headers.get(metadataHeader) ?? '{}').progress_percent
}

type WorkRequest = {
  body?: unknown
  /** claim on the part in question */
  claim?: number | undefined
  headers?: Readonly<Record<string, string>>
}

/** Sends a request to the work interface; a POST if there is a body. */
export async function sendWork(
  { url }: Pick<ServiceProcess, 'url'>,
  key: string,
  path: string,
  { body, claim, headers = {} }: WorkRequest = {},
): Promise<Response> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const ofClaim: Record<string, string> = claim === undefined ? {} : { [claimHeader]: String(claim) }
  const all = { authorization: authorization(key), 'content-type': 'application/json', ...ofClaim, ...headers }
  return await fetch(new URL(workBasePath + path, url), { ...sent, headers: all })
}

/** The body of a response that must be a success. @param claim on the part in question */
export async function askWork<Answer>(
  service: ServiceProcess,
  key: string,
  path: string,
  body?: unknown,
  claim?: number,
): Promise<Answer> {
  const answer = await sendWork(service, key, path, { body, claim })
  expect(answer.ok, `${path} answered ${answer.status}`).toBe(true)
  return (answer.status === 204 ? undefined : await answer.json()) as Answer
}

/** Ids of the parts of an order; the whole file's comes first once it exists. */
export async function partsOf(service: ServiceProcess, id: string): Promise<string[]> {
  const db = await openDb(join(service.dataDir, 'parley.db'))
  const parts = db.selectFrom('work_parts').select('id').where('file_id', '=', id).orderBy('position')
  const rows = await parts.execute()
  await db.destroy()
  return rows.map((part) => part.id)
}

/** The first part of an order, once it has so many. @returns its id */
export async function firstPart(service: ServiceProcess, id: string, count: number): Promise<string> {
  await expect.poll(async () => (await partsOf(service, id)).length).toBe(count)
  return (await partsOf(service, id))[0] as string
}

/** Accepts every step of an order that waits for a manager. @param key of a manager */
export async function acceptOdd(service: ServiceProcess, key: string, id: string): Promise<void> {
  const { parts } = await askWork<{ parts: ManagedPart[] }>(service, key, `files/${id}`)
  for (const { id: part, history } of parts) {
    for (const { claim, verdict } of history) {
      if (verdict === 'waiting') await askWork(service, key, `parts/${part}/claims/${claim}/decide`, { accepted: true })
    }
  }
}

const textColumns = (words: DeskPart['words']) => {
  return { words_json: JSON.stringify(words), fingerprint: fingerprintWords(words), words: words.length }
}

/** Replaces the recognized words of a part that nobody has begun. */
export async function giveWords(
  service: ServiceProcess,
  part: string,
  words: DeskPart['words'],
  names: readonly string[],
): Promise<void> {
  await withDatabase(service, async (db) => {
    const text = { ...textColumns(words), names_json: JSON.stringify(names) }
    await db.updateTable('work_texts').set(text).where('part_id', '=', part).execute()
  })
}

/** Splits the only part of an order at a second; the second part begins with these words. */
export async function cutInTwo(service: ServiceProcess, part: string, seconds: number, text: string): Promise<void> {
  const db = await openDb(join(service.dataDir, 'parley.db'))
  const ofPart = db.selectFrom('work_parts').selectAll().where('id', '=', part)
  const { id: _, ...row } = await ofPart.executeTakeFirstOrThrow()
  const cut = seconds * 1_000
  const words = text.split(' ').map((word, at) => {
    return { word, start: seconds + at * 0.5, end: seconds + at * 0.5 + 0.4, conf: 1, speaker: -1 }
  })
  const id = `${part}2`
  await db.updateTable('work_parts').set({ end_ms: cut }).where('id', '=', part).execute()
  const heard = db.selectFrom('work_texts').select('words_json').where('part_id', '=', part)
  const all: DeskPart['words'] = JSON.parse((await heard.executeTakeFirstOrThrow()).words_json)
  const before = textColumns(all.filter(({ start }) => start < seconds))
  await db.updateTable('work_texts').set(before).where('part_id', '=', part).execute()
  await db
    .insertInto('work_parts')
    .values({ ...row, id, position: 2, start_ms: cut })
    .execute()
  await db
    .insertInto('work_texts')
    .values({ part_id: id, names_json: '[]', ...textColumns(words) })
    .execute()
  await db.destroy()
}

/**
 * Does the next step of a part: takes it, plays all of it, and submits it.
 * @param first replaces its first word; an untouched one is typed in capitals
 */
export async function doStep(service: ServiceProcess, key: string, part: string, first?: string): Promise<void> {
  const { claim } = await askWork<Claim>(service, key, 'claims', { part })
  const desk = await askWork<DeskPart>(service, key, `parts/${part}`, undefined, claim)
  await askWork(service, key, `parts/${part}/hold`, { heard: [[desk.part.start, desk.part.end]] }, claim)
  const path = `parts/${part}/corrections`
  let { revision } = await askWork<{ revision: number }>(service, key, path, undefined, claim)
  const typed = first ?? (desk.part.step === 'type' && revision === 0 ? desk.words[0]?.word.toUpperCase() : undefined)
  if (typed !== undefined) {
    const headers = { 'if-match': `"${revision}"` }
    const answer = await sendWork(service, key, path, { body: changeOfFirst(desk, typed), claim, headers })
    expect(answer.ok, await answer.clone().text()).toBe(true)
    revision += 1
  }
  const ticked = desk.sheet.map(({ id }) => id)
  await askWork(service, key, `parts/${part}/submit`, { revision, ticked, reason: 'Read along' }, claim)
}

/** The correction that replaces the first word. */
function changeOfFirst({ fingerprint, names, words: [word] }: DeskPart, text: string) {
  const { start = 0, end = 1, word: old = '' } = word ?? {}
  const put = { text, start, end, conf: null, endsTurn: false, speaker: word?.speaker ?? -1, old: -1 }
  const patch = { from: 0, to: 1, startSeconds: start, old: [old], before: [], after: [], words: [put] }
  return { fingerprint, baseNames: names, names, remove: [], put: [patch], label: 'Typing' }
}
