import type { Browser } from '@playwright/test'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import type { NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import { Device } from './device.ts'
import { type Money, type Order, readLedger, readMoney, sumCents } from './ledger.ts'
import { type Talk, typedWords, type Undoable } from './memory.ts'

/** Where a device is: at the list, or in a talk by its number. */
type Place = 'files' | number
/** `past` and `future`: what Undo and Redo bring back while nobody else changes the text and the page stays. */
export type Seat = { device: Device; at: Place; past: Undoable[]; future: Undoable[] }

/** An account with two devices and a program, and all that its holder remembers. */
export type World = {
  service: ServiceProcess
  account: NewAccount
  client: AccountClient
  seats: readonly [Seat, Seat]
  /** the id of its only project */
  project: string
  talks: Talk[]
  orders: Order[]
  /** the rules that captions of new files begin with */
  newRules: string
  /** the sum of the ledger, in cents */
  cents: number
  money: Money
  /** how many words were made up so far */
  words: number
  /** everything done so far, for the report of a failure */
  diary: string[]
}

const project = 'Field work'

export async function openWorld(browser: Browser, service: ServiceProcess): Promise<World> {
  const account = await service.createAccount('sandbox')
  const client = accountClient(service.url, account.key)
  await client.read('PUT', 'defaults', { speaker_tracking_format: 'full names' })
  await client.read('PUT', 'program-text', { program_text: 'corrected' })
  const { id } = await client.read<{ id: string }>('POST', 'projects', { name: project })
  const talks: Talk[] = []
  for (const name of ['Harbour', 'Mill']) talks.push(await newTalk(service, account, client, name, id))
  const devices = await Promise.all([1, 2].map(() => Device.open(browser, service.url, account)))
  const seats = devices.map((device): Seat => ({ device, at: 'files', past: [], future: [] }))
  await Promise.all(seats.map(({ device }) => device.openFiles('url')))
  const cents = sumCents(await readLedger(client))
  const none = { orders: [], newRules: 'Parley rules', words: 0, diary: [], money: await readMoney(client) }
  return { ...none, service, account, client, project: id, seats: seats as unknown as World['seats'], talks, cents }
}

async function newTalk(
  service: ServiceProcess,
  { key }: NewAccount,
  client: AccountClient,
  name: string,
  projectId: string,
): Promise<Talk> {
  const wanted = { seconds: 30, progress_percent: 100, name }
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', wanted)
  await client.read('PUT', 'projects/files', { files: [{ id, project: projectId }] })
  const txt = await (await askApi(service.url, key, `file/${id}.txt`)).text()
  const turns = readTxt(txt).map(({ speaker, text }) => ({ speaker, words: typedWords(text) }))
  return {
    ...{ id, name, served: name, turns, first: turns, project, tags: [], conflicts: [], version: null },
    ...{ isArchived: false, isApproved: false, rules: 'Parley rules', shiftSeconds: 0, note: '' },
  }
}

/** The turns of the spec's text format: `00:04 Speaker: words`. */
export function readTxt(txt: string): { speaker: string; text: string }[] {
  const lines = txt.matchAll(/^\d\d:\d\d (?<speaker>[^:]*): (?<text>.*)$/gm)
  return [...lines].map(({ groups }) => ({ speaker: groups?.speaker ?? '', text: (groups?.text ?? '').trim() }))
}

export async function closeWorld({ seats }: World): Promise<void> {
  await Promise.all(seats.map(({ device }) => device.close()))
}
