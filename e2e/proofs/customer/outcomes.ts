import { setTimeout as wait } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import type { FileEntry } from '../../../src/contract/account/file-pages.ts'
import { captionStyles } from '../../../src/formats/captions/caption-rules.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { contentText } from '../../kit/downloaded-text.ts'
import { patienceMs } from './device.ts'
import type { Download } from './files-page.ts'
import { findOrder, type Order, readLedger, readMoney, sumCents } from './ledger.ts'
import { linesOf, type Talk, wordTexts } from './memory.ts'
import { readCents } from './order-pages.ts'
import { rulesToChoose } from './panel.ts'
import { type Cue, cuesOf } from './subtitles.ts'
import { readTxt, type Seat, type World } from './world.ts'

/** Something that comes out of Parley is not what its customer remembers. */
class Difference extends Error {
  override readonly name = 'Difference'
}

/** Polls until both are equal. @throws Difference with both */
async function expectEventually(what: string, wanted: unknown, read: () => Promise<unknown>): Promise<void> {
  const said = JSON.stringify(wanted)
  let found = ''
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await wait(100)) {
    found = JSON.stringify(await read().catch((error: Error) => error.message))
    if (found === said) return
  }
  throw new Difference(`${what}:\n  remembered ${said}\n  found      ${found}`)
}

function expectNow(what: string, wanted: unknown, found: unknown): void {
  if (JSON.stringify(wanted) === JSON.stringify(found)) return
  throw new Difference(`${what}:\n  remembered ${JSON.stringify(wanted)}\n  found      ${JSON.stringify(found)}`)
}

const shownTalks = (talks: readonly Talk[]) => talks.filter(({ isArchived }) => !isArchived).map(({ name }) => name)
const shownFiles = ({ talks, orders }: World) => [...shownTalks(talks), ...orders.map(({ name }) => name)].sort()

/** After each act: the texts and lists on both devices, and what the program gets. */
export async function lookAround(world: World): Promise<void> {
  for (const [number, seat] of world.seats.entries()) {
    if (typeof seat.at === 'number') await lookAtTalk(`device ${number}`, world.talks[seat.at] as Talk, seat)
    else
      await expectEventually(`files on device ${number}`, shownFiles(world), async () =>
        (await seat.device.files.rows()).sort(),
      )
    expectNow(`errors of device ${number}`, [], seat.device.errors)
  }
  await expectEventually('cents of the ledger', world.cents, async () => sumCents(await readLedger(world.client)))
  await expectEventually('the balance', world.money, async () => readMoney(world.client))
  for (const talk of world.talks) {
    await expectEventually(`${talk.name}.txt for programs`, linesOf(talk.turns), async () => {
      const answer = await askApi(world.service.url, world.account.key, `file/${talk.id}.txt`)
      return readTxt(await answer.text()).map(({ speaker, text }) => `${speaker}: ${text}`)
    })
    await expectEventually(`${talk.name} in the account's list`, remembered(talk, world), async () =>
      listed(await world.client.read<FileEntry>('GET', `files/${talk.id}`)),
    )
  }
}

/** A talk as the list has it: labels, project, review, and the rules of its captions with how much later they are. */
function remembered(talk: Talk, { project }: World): unknown[] {
  const tags = [...talk.tags].sort()
  const place = talk.project === null ? null : project
  const labels = [talk.name, talk.note, tags, talk.isArchived]
  return [...labels, place, talk.isApproved, ...(rulesToChoose[talk.rules] ?? []), talk.shiftSeconds]
}

function listed({ metadata, labels, project, review, caption_rules: rules }: FileEntry): unknown[] {
  const { name, note, tags, archived } = labels ?? { name: '', note: '', tags: [], archived: false }
  const { lineLength, minSeconds, timing } = rules ?? { ...captionStyles.parley, timing: undefined }
  const isApproved = review === 'approved'
  const place = project ?? null
  const caption = [lineLength, minSeconds, timing?.shiftSeconds ?? 0]
  return [name === '' ? metadata.name : name, note, tags, archived, place, isApproved, ...caption]
}

async function lookAtTalk(who: string, talk: Talk, { device }: Seat): Promise<void> {
  await expectEventually(`text of ${talk.name} on ${who}`, linesOf(talk.turns), () => device.lines())
}

const textOfTxt = (content: Uint8Array) =>
  readTxt(Buffer.from(content).toString()).map(({ speaker, text }) => `${speaker}: ${text}`)

const wordsOfJson = (content: Uint8Array) =>
  (JSON.parse(Buffer.from(content).toString()) as { word: string }[]).map(({ word }) => word)

/** At the end of a walk: every format through every door. */
export async function takeOut(world: World): Promise<void> {
  const [seat] = world.seats
  for (const talk of world.talks) await lookAtCaptions(world, talk)
  for (const talk of world.talks) {
    await seat.device.openTalk(talk.id, talk.name, 'url')
    await lookAtTalk('device 0', talk, seat)
    expectNow(
      `TXT of ${talk.name} from the page`,
      linesOf(talk.turns),
      textOfTxt((await seat.device.panel.fromHeader('TXT')).content),
    )
    expectNow(
      `JSON of ${talk.name} from the page`,
      wordTexts(talk.turns),
      wordsOfJson((await seat.device.panel.fromHeader('JSON')).content),
    )
    for (const format of ['DOC', 'PDF', 'ODT']) {
      lookAtDocument(`${format} of ${talk.name} from the page`, talk, await seat.device.panel.fromHeader(format))
    }
    // The service makes these, and not the page.
    for (const ext of ['docx', 'odt', 'pdf']) {
      const answer = await askApi(world.service.url, world.account.key, `file/${talk.id}.${ext}`)
      const content = Buffer.from(await answer.arrayBuffer())
      lookAtDocument(
        `${ext} of ${talk.name} for programs`,
        { ...talk, name: talk.served },
        { name: `${talk.name}.${ext}`, content },
      )
    }
  }
  await seat.device.openFiles('link')
  await expectEventually('files at the end', shownFiles(world), async () => (await seat.device.files.rows()).sort())
  const listed = world.talks.filter(({ isArchived }) => !isArchived)
  for (const one of listed) {
    const { content } = await seat.device.files.fromRowMenu(one.name, 'TXT')
    expectNow(`TXT of ${one.name} from its row`, linesOf(one.turns), textOfTxt(content))
  }
  if (listed.length > 0) await lookAtListedCaptions(world, listed, seat)
  if (listed.length > 0)
    expectZip('ZIP of the selection', listed, (await seat.device.files.zip(shownTalks(world.talks), 'txt')).content)
  for (const one of world.seats) await lookAtProject(world, one)
  for (const order of world.orders) await lookAtNewRules(world, order)
  await lookAtReceipt(world, seat)
}

/** Captions of a new file begin with the rules that were used for new files when it was ordered. */
async function lookAtNewRules({ client }: World, { name, rules: wanted }: Order): Promise<void> {
  const entry = await client.read<FileEntry>('GET', `files/${await findOrder(client, name)}`)
  const { lineLength, minSeconds } = entry.caption_rules ?? captionStyles.parley
  expectNow(`rules of ${name}`, rulesToChoose[wanted], [lineLength, minSeconds])
}

/** What was charged and refunded this month, as a receipt says it. */
async function lookAtReceipt(world: World, { device: { page } }: Seat): Promise<void> {
  await page.goto(`/sandbox/usage/${new Date().toISOString().slice(0, 7)}`)
  const total = page.locator('dt').filter({ hasText: /^(Total|All of these), / })
  await expectEventually('cents of the receipt', world.cents, async () =>
    readCents(await total.locator('+ dd').textContent()),
  )
}

/** Captions on the screen, for programs, and of each file that has them: by the same rules everywhere. */
async function lookAtCaptions(world: World, talk: Talk): Promise<void> {
  const cues = await programCues(world, talk)
  for (const [number, { device }] of world.seats.entries()) {
    await device.openTalk(talk.id, talk.name, 'url')
    const { texts, rules } = await device.panel.captions(cues.length)
    expectNow(`rules of ${talk.name} on device ${number}`, talk.rules, rules)
    const isShown = ({ begins, text }: Cue, at: number) =>
      begins.some((time) => texts[at]?.includes(time)) && plain(texts[at] ?? '').includes(plain(text))
    const different = cues.find((cue, at) => !isShown(cue, at))
    expectNow(`captions of ${talk.name} in SRT that are not on device ${number}`, undefined, different)
    expectNow(
      `SRT of ${talk.name} from the page on device ${number}`,
      cues,
      cuesOf((await device.panel.fromHeader('SRT')).content),
    )
  }
}

/** Without white space, and the word joiner that keeps markup in SRT from being markup. */
const plain = (cue: string) => cue.replaceAll(/[\s\u2060]+/g, '')

async function programCues({ service, account }: World, { id }: Talk): Promise<Cue[]> {
  return cuesOf(Buffer.from(await (await askApi(service.url, account.key, `file/${id}.srt`)).arrayBuffer()))
}

/** SRT from the list and from a ZIP. */
async function lookAtListedCaptions(world: World, shown: readonly Talk[], { device }: Seat): Promise<void> {
  const all = await Promise.all(shown.map((talk) => programCues(world, talk)))
  for (const [at, { name }] of shown.entries())
    expectNow(`SRT of ${name} from its row`, all[at], cuesOf((await device.files.fromRowMenu(name, 'SRT')).content))
  const zip = await device.files.zip(shownTalks(world.talks), 'srt')
  const found = Object.values(unzipSync(zip.content)).map((bytes) => cuesOf(bytes))
  const inOrder = (files: readonly Cue[][]) => files.map((cues) => JSON.stringify(cues)).sort()
  expectNow('SRT of the ZIP', inOrder(all), inOrder(found))
}

function lookAtDocument(what: string, talk: Talk, { name, content }: Download): void {
  // catdoc, unlike antiword, loses the words beside one of 500 characters.
  if (name.endsWith('.doc') && wordTexts(talk.turns).some((word) => word.length > 400)) return
  const text = contentText(name, content)
  // The words with plain letters: documents set others in pieces, from right to left, or divided.
  const plain = wordTexts(talk.turns).filter((word) => /^q\d+z$/.test(word))
  const found = [...text.matchAll(/\bq\d+z\b/g)].map(([word]) => word)
  const [label] = /q\d+z/.exec(talk.name) ?? ['']
  expectNow(`heading of ${what}`, true, text.includes(label))
  const names = new Set(talk.turns.flatMap(({ speaker }) => speaker.match(/q\d+z/g) ?? []))
  expectNow(
    what,
    plain,
    found.filter((word) => !names.has(word) && !talk.name.includes(word)),
  )
}

/** A ZIP holds exactly these talks, each with its text, and other files with these texts. */
function expectZip(what: string, talks: readonly Talk[], content: Uint8Array, others: readonly string[] = []): void {
  const files = Object.values(unzipSync(content)).map((bytes) => textOfTxt(bytes).join('\n'))
  const texts = [...talks.map(({ turns }) => linesOf(turns).join('\n')), ...others]
  expectNow(what, texts.sort(), files.sort())
}

/** What programs get of an order: nothing yet, or what is transcribed so far, which of a short one may be nothing. */
async function textOfOrder({ client, service, account }: World, { name, percent }: Order): Promise<string> {
  if (percent === 0) return ''
  const answer = await askApi(service.url, account.key, `file/${await findOrder(client, name)}.txt`)
  return textOfTxt(Buffer.from(await answer.arrayBuffer())).join('\n')
}

/** The project's page and its ZIP, on each device. */
async function lookAtProject(world: World, { device }: Seat): Promise<void> {
  const inside = world.talks.filter(({ project, isArchived }) => project !== null && !isArchived)
  if (inside.length === 0) return
  await device.openFiles('link')
  await device.files.openProject('Field work')
  const ordered = world.orders.filter(({ project }) => project !== null)
  const names = [...inside, ...ordered].map(({ name }) => name)
  await expectEventually('files of the project', names.sort(), async () => (await device.files.rows()).sort())
  const others = await Promise.all(ordered.map((order) => textOfOrder(world, order)))
  expectZip('ZIP of the project', inside, (await device.files.projectZip('txt')).content, others)
  if (ordered.length > 0 || world.talks.some(({ project, isArchived }) => project !== null && isArchived)) return
  expectZip('ZIP of the project by one press', inside, (await device.files.projectZipAgain('txt')).content)
}
