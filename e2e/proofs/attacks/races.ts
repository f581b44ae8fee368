import { randomUUID } from 'node:crypto'
import type { Review } from '../../../src/contract/account/review.ts'
import type { LedgerPage } from '../../../src/contract/account/usage.ts'
import { UploadClient, usualMetadata } from '../../../src/service/api/uploads/testing/upload-client.ts'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { fileForm, type TestAccount, type TestService } from '../../../src/service/testing/test-service.ts'
import {
  makeChange,
  makeSample,
  postChange,
  typed,
} from '../../../src/service/text/corrections/testing/sample-to-correct.ts'
import { Tally } from '../torture/rounds.ts'

/*
 * Requests of one account that arrive at once. Whatever their order was, the outcome must be that of one of them after
 * the other: one order, one charge, one refund, one winner, nothing of another writer lost.
 */

const rounds = 10
const query = 'files?transcript_type=automated'

/** An account of the raced service, and its recording. */
type Racer = { service: TestService; account: TestAccount; client: AccountClient; tone: Uint8Array<ArrayBuffer> }
type Race = { what: string; rounds?: number; run(racer: Racer): Promise<string | null> }

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, at) => make(at))
const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
const idIn = async (answer: Response) => ((await answer.json()) as { id: string }).id

const readLedger = ({ client }: Racer) => client.read<LedgerPage>('GET', 'ledger?limit=500')
const readFiles = async ({ service, account }: Racer) =>
  (await (await service.fetch(account.key, 'files')).json()) as { id: string }[]
const newSample = async ({ client }: Racer, progress_percent: number) =>
  (await client.read<{ id: string }>('POST', 'tools/files', { seconds: 600, progress_percent })).id
const deleteFile = ({ service, account }: Racer, id: string) =>
  service.fetch(account.key, `file/${id}`, { method: 'DELETE' })

function order({ service, account, tone }: Racer, headers: Record<string, string>): Promise<Response> {
  return service.fetch(account.key, query, { method: 'POST', headers, body: fileForm(tone) })
}

/** Forms and a resumable upload with one key, and another recording under it. */
async function sameKey(racer: Racer): Promise<string | null> {
  const { service, account, tone } = racer
  const wish = randomUUID()
  const uploads = new UploadClient(service, account.key)
  const upload = async () => {
    const pairs = { ...usualMetadata, filename: 'recording.wav', idempotency_key: wish }
    const path = await uploads.created(tone.length, pairs)
    return (await uploads.patch(path, 0, tone)).headers.get('x-service-file')
  }
  const form = async () => {
    const answer = await order(racer, { 'idempotency-key': wish })
    return answer.status === 201 ? await idIn(answer) : `${answer.status} ${await answer.text()}`
  }
  const other = { ...racer, tone: tone.slice(0, -2_000) }
  const [stranger, ...ids] = await Promise.all([order(other, { 'idempotency-key': wish }), form(), form(), upload()])
  if (stranger?.status !== 201 && stranger?.status !== 422) return `another recording was answered ${stranger?.status}`
  // If the other recording came first, the key is its: all else is refused.
  const files = await readFiles(racer)
  const { total } = await readLedger(racer)
  if (files.length !== 1 || total !== 1) return `became ${files.length} files and ${total} charges`
  const isRight =
    stranger.status === 422 ? ids.every((id) => id === files[0]?.id) : (await idIn(stranger)) === files[0]?.id
  return isRight ? null : `answered ${ids.join()} for ${files[0]?.id}`
}

async function budget(racer: Racer): Promise<string | null> {
  const { client } = racer
  const { id } = await client.read<{ id: string }>('POST', 'projects', { name: 'Tight' })
  await order(racer, {})
  const price = (await readLedger(racer)).entries[0]?.amount_cents ?? 0
  await client.read('PATCH', `projects/${id}`, { budget_cents: 3 * price + 1 })
  // More at once than an account may order are 429.
  const answers = await Promise.all(times(6, () => order(racer, { 'order-project': id })))
  const { total } = await readLedger(racer)
  return /^201,201,201,409(,4[02]9)+$/.test(statuses(answers).join()) && total === 4
    ? null
    : `${statuses(answers).join()} with ${total} charges`
}

async function removedCard(racer: Racer): Promise<string | null> {
  const { client } = racer
  const orders = times(6, () => order(racer, {}))
  const removed = client.ask('DELETE', 'payment')
  const answers = await Promise.all(orders)
  await removed
  const after = await order(racer, {})
  if (after.status !== 402) return `an order after the card was removed is ${after.status}`
  const bought = answers.filter(({ status }) => status === 201).length
  const [{ total }, files] = [await readLedger(racer), await readFiles(racer)]
  const isRight = answers.every(({ status }) => [201, 402, 429].includes(status)) && total === bought
  return isRight && files.length === bought
    ? null
    : `${statuses(answers).join()}: ${total} charges, ${files.length} files`
}

/** Everything that reads a file, and what deletes it, at once. */
async function deletedWhileRead(racer: Racer): Promise<string | null> {
  const { service, account, client } = racer
  const id = await newSample(racer, 100)
  const { url } = await client.read<{ url: string }>('POST', `files/${id}/playback`)
  const reads = () => [
    ...['', '.json', '.srt', '.pdf', '.odt'].map((ext) => service.fetch(account.key, `file/${id}${ext}`)),
    service.fetch(account.key, `file/${id}`, { method: 'HEAD' }),
    ...['', '/corrections', '/review', '/peaks', '/vocabulary'].map((path) => client.ask('GET', `files/${id}${path}`)),
    fetch(new URL(url, service.address)),
  ]
  const before = reads()
  const deleted = times(3, () => deleteFile(racer, id))
  for (const asked of [...before, ...reads()]) {
    const answer = await asked
    const body = await answer.text().catch(() => 'cut')
    if (answer.status === 200) continue
    const isOurs = answer.status === 404 && (body === '' || Object.keys(JSON.parse(body)).join() === 'error')
    if (!isOurs) return `${answer.status} ${body.slice(0, 200)}`
  }
  const ended = statuses(await Promise.all(deleted)).join()
  return ended === '200,404,404' ? null : `three deletions were answered ${ended}`
}

async function deletedAgainstProgress(racer: Racer): Promise<string | null> {
  const id = await newSample(racer, 59)
  const [, ...deleted] = await Promise.all([
    racer.client.ask('POST', `tools/files/${id}/progress`, { progress_percent: 60 }),
    deleteFile(racer, id),
    deleteFile(racer, id),
  ])
  const refunds = (await readLedger(racer)).entries.filter(({ kind }) => kind === 'refund').length
  const isThere = (await readFiles(racer)).length === 1
  const ended = statuses(deleted).join()
  const isRight = isThere ? ended === '409,409' && refunds === 0 : ended === '200,404' && refunds === 1
  return isRight ? null : `${ended}, ${refunds} refunds, ${isThere ? 'there' : 'gone'}`
}

async function labels({ client, service, account }: Racer): Promise<string | null> {
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 10, progress_percent: 100 })
  const added = times(12, (index) => `tag ${index}`)
  await Promise.all([
    ...added.map((tag) => client.read('PATCH', 'labels', { ids: [id], add_tags: [tag] })),
    client.read('PATCH', 'labels', { ids: [id], name: 'Renamed' }),
    client.read('PATCH', 'labels', { ids: [id], note: 'Noted' }),
    client.read('PUT', 'labels', {
      files: [{ id, labels: { name: '', note: '', tags: [], archived: false } }],
      undone: {},
    }),
  ])
  const { labels: kept } = await client.read<{ labels: { name: string; note: string; tags: string[] } }>(
    'GET',
    `files/${id}`,
  )
  const isRight = kept.name === 'Renamed' && kept.note === 'Noted' && added.every((tag) => kept.tags.includes(tag))
  return isRight ? null : `${service.address} ${account.id} kept ${JSON.stringify(kept)}`
}

async function corrections(racer: Racer): Promise<string | null> {
  const file = await makeSample(racer)
  const words = times(6, (index) => `Writer${index}`)
  const send = (word: string) =>
    postChange(racer, `${file.id}/corrections`, 0, makeChange(file, [typed(file, 0, word)]))
  const answers = await Promise.all(words.map(send))
  if (statuses(answers).join() !== '200,412,412,412,412,412') return statuses(answers).join()
  const winner = words[answers.findIndex(({ status }) => status === 200)]
  const text = await (await racer.client.ask('GET', `files/${file.id}/corrected/json`)).text()
  return text.includes(`"${winner}"`) && words.every((word) => word === winner || !text.includes(`"${word}"`))
    ? null
    : `${winner} won, and the text is another`
}

/** What is approved is what was read. */
async function approval(racer: Racer): Promise<string | null> {
  const file = await makeSample(racer)
  const move = (revision: number, body: object) => postChange(racer, `${file.id}/review`, revision, body)
  const { revision } = (await (await move(0, { state: 'in_review' })).json()) as Review
  const [approved, corrected] = await Promise.all([
    move(revision, { state: 'approved', corrections: 0 }),
    postChange(racer, `${file.id}/corrections`, 0, makeChange(file, [typed(file, 0, 'Late')])),
  ])
  return (approved.status === 200) !== (corrected.status === 200)
    ? null
    : `approved ${approved.status}, corrected ${corrected.status}`
}

async function settings({ client }: Racer): Promise<string | null> {
  await Promise.all(times(20, (index) => client.read('PATCH', 'settings', { presets: { [`P${index}`]: {} } })))
  const { presets } = await client.read<{ presets: object }>('GET', 'settings')
  return Object.keys(presets).length === 20 ? null : `${Object.keys(presets).length} of 20 presets are kept`
}

async function names({ client }: Racer): Promise<string | null> {
  const answers = await Promise.all(times(8, () => client.ask('POST', 'projects', { name: 'One' })))
  const heard = (round: number) => times(10, (index) => `form ${round} ${index}`)
  const added = (round: number) =>
    client.ask('POST', 'vocabulary', { entries: [{ written: 'Ada', heard: heard(round), preset: null }] })
  await Promise.all(times(6, added))
  const { entries } = await client.read<{ entries: { heard: string[] }[] }>('GET', 'vocabulary')
  const forms = Math.max(...entries.map((entry) => entry.heard.length))
  const made = answers.filter(({ ok }) => ok).length
  return made === 1 && forms <= 20 ? null : `${made} projects of one name, ${forms} forms of one word`
}

async function keys({ client, service, account }: Racer): Promise<string | null> {
  const answers = await Promise.all(times(130, (index) => client.ask('POST', 'keys', { name: `${index}` })))
  const made = answers.filter(({ ok }) => ok)
  if (made.length !== 99) return `${made.length} keys beside the first`
  const { key, entry } = (await (made[0] as Response).json()) as { key: string; entry: { id: string } }
  const reads = () => times(10, () => service.fetch(key, 'files'))
  const before = reads()
  await client.ask('DELETE', `keys/${entry.id}`)
  const [after] = await Promise.all([Promise.all(reads()), Promise.all(before)])
  const open = after.filter(({ status }) => status !== 401).length
  return open === 0 ? null : `${open} requests after the key of ${account.id} was revoked`
}

const races: readonly Race[] = [
  { what: 'one idempotency key four times at once', run: sameKey },
  { what: 'six orders at once within a budget of three', run: budget },
  { what: 'orders while the card is removed', run: removedCard },
  { what: 'deletions while all of a file is read', run: deletedWhileRead },
  { what: 'deletions against progress', run: deletedAgainstProgress },
  { what: 'labels by fifteen writers', run: labels },
  { what: 'corrections of one revision', run: corrections },
  { what: 'approval against correction', run: approval },
  { what: 'settings by twenty writers', run: settings },
  { what: 'projects and words of one name', run: names },
  { what: 'keys beyond the limit, one revoked while it reads', rounds: 1, run: keys },
]

/** Repeats what PostgreSQL was too busy for (503), as its customers do. */
function patientClient(service: TestService, { key }: TestAccount): AccountClient {
  const client = accountClient(service.address, key)
  const { ask } = client
  client.ask = async (...asked) => {
    for (;;) {
      const answer = await ask(...asked)
      if (answer.status !== 503) return answer
      await answer.arrayBuffer()
    }
  }
  return client
}

/** Runs each race in new accounts. */
export async function attackWithRaces(service: TestService): Promise<Tally[]> {
  const tone = new Uint8Array(await service.tone(20))
  const tallies: Tally[] = []
  for (const { what, rounds: own = rounds, run } of races) {
    const tally = new Tally(what)
    for (let round = 0; round < own; round += 1) {
      const account = await service.account()
      const racer = { service, account, client: patientClient(service, account), tone }
      const fault = await run(racer).catch(String)
      tally.count(fault === null, fault ?? '')
    }
    tallies.push(tally)
  }
  return tallies
}
