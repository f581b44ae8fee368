import { Readable } from 'node:stream'
import { accountBasePath } from '../../../src/contract/interface/environment.ts'
import { findBlobs } from '../../../src/service/platform/media/open-blobs.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { readConfig } from '../../../src/service/start/cli/read-config.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { storedWordsJson } from '../../../src/service/text/transcripts/stored-words.ts'
import type { StoredWord } from '../../../src/text/build-transcript.ts'
import { seedInto } from '../../kit/seed-files.ts'
import type { NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import { manyCorrections } from './kept-corrections.ts'

/*
 * An account of which every word, name and byte can be told from all others': whatever is left of it somewhere has this
 * in it.
 */

/** In names, words, notes, settings and recordings, in each case of its letters. */
export const trace = 'Zyxomma7'

/** One in so many files has corrections, labels and an hour of words; the others have five minutes. */
const oneIn = 100
const secondsOfFile = 300
const secondsOfLong = 3_600
const recordingBytes = 20_000

function talk(seconds: number, random: number): StoredWord[] {
  return Array.from({ length: Math.floor(seconds * 2.5) }, (_, index) => {
    const start = index / 2.5
    const word = index % 40 === 0 ? trace : `word${(index * 7_919 + random) % 9_973}`
    const isEnd = index % 60 === 59
    const text = { word: isEnd ? `${word}.` : word, start, end: start + 0.3, duration: 0.3, conf: 0.9 }
    return isEnd ? { ...text, turn: true as const, turn_conf: 0.8, speaker: (index / 60) & 1 } : text
  })
}

/** What an owner can set that is text. */
async function setTexts(service: ServiceProcess, { key }: NewAccount, ids: readonly string[]): Promise<void> {
  const client = accountClient(service.url, key)
  const some = ids.filter((_, index) => index % oneIn === 0)
  await client.read('PATCH', 'settings', { billing: `${trace} Street 1` })
  await client.read('POST', 'vocabulary', { entries: [{ written: trace, heard: ['zixoma'], preset: null }] })
  await client.read('POST', 'keys', { name: trace })
  const { id: project } = await client.read<{ id: string }>('POST', 'projects', { name: trace })
  await client.read('PUT', 'projects/files', { files: some.map((id) => ({ id, project })) })
  await client.read('PATCH', 'labels', { ids: some, name: `${trace} renamed`, note: trace, add_tags: [trace] })
  const headers = { authorization: authorization(key), 'content-type': 'application/json', 'if-match': '"0"' }
  for (const id of some.slice(0, 20)) {
    const json = await (await fetch(new URL(`v1/file/${id}.json`, service.url), { headers })).text()
    const path = new URL(`${accountBasePath('live')}files/${id}/corrections`, service.url)
    const kept = await fetch(path, { method: 'POST', headers, body: manyCorrections(json, 20) })
    if (!kept.ok) throw new Error(`The corrections were answered ${kept.status}: ${await kept.text()}`)
  }
}

/**
 * Gives an account files with words and recordings, straight into database and storage.
 * @param environment of the service
 * @returns their ids
 */
export async function fillTraced(
  service: ServiceProcess,
  account: NewAccount,
  environment: Record<string, string>,
  count: number,
): Promise<string[]> {
  const secondsAt = (index: number) => (index % oneIn === 0 ? secondsOfLong : secondsOfFile)
  const samples = Array.from({ length: count }, (_, index) => {
    return { name: `${trace} ${index}`, seconds: secondsAt(index), bytes: recordingBytes }
  })
  const config = readConfig({ data: service.dataDir }, { ...process.env, ...environment })
  const blobs = await (await findBlobs(config)).open()
  const recording = Buffer.alloc(recordingBytes, `${trace} heard `)
  const ids = await withDatabase(service, (db) => seedInto(db, account.account, 'live', samples))
  for (const [index, id] of ids.entries()) {
    await blobs.write(id, 'words.json', Readable.from(storedWordsJson(talk(secondsAt(index), index))))
    await blobs.write(id, 'media', recording)
  }
  await setTexts(service, account, ids)
  return ids
}
