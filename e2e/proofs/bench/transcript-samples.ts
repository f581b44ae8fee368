import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openFsBlobStore } from '../../../src/service/platform/media/fs-blob-store.ts'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { storedWordsJson } from '../../../src/service/text/transcripts/stored-words.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { type StoredSession, sessionOf } from '../../kit/stored-session.ts'
import { manyCorrections } from './kept-corrections.ts'
import { talk } from './transcript-words.ts'

type Sample = { id: string; json: string; words: number }

/** Generated transcripts in a sandbox account, shown by the built dashboard. */
export class Dashboard {
  readonly service: ServiceProcess
  readonly #account: string
  readonly #key: string

  constructor(service: ServiceProcess, account: string, key: string) {
    this.service = service
    this.#account = account
    this.#key = key
  }

  #read(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { Authorization: authorization(this.#key), 'Content-Type': 'application/json', ...init.headers }
    return fetch(new URL(path, this.service.url), { ...init, headers })
  }

  /** A silent recording of a given length, with generated talk instead of the sandbox's few sentences. */
  async sample(seconds: number): Promise<Sample> {
    // Automated: a manual order's options would remove repeated words.
    const body = JSON.stringify({ seconds, progress_percent: 100, transcript_type: 'automated' })
    const made = await this.#read('/sandbox/account/tools/files', { method: 'POST', body })
    const { id } = (await made.json()) as { id: string }
    const blobs = await openFsBlobStore(join(this.service.dataDir, 'blobs'))
    await blobs.write(id, 'words.json', Readable.from(storedWordsJson(talk(seconds))))
    const json = await (await this.#read(`/sandbox/v1/file/${id}.json`)).text()
    return { id, json, words: json.split('"word"').length - 1 }
  }

  /** Corrects `count` single words of it, like another device. */
  async correct({ id, json }: Sample, count: number): Promise<void> {
    const init = { method: 'POST', body: manyCorrections(json, count), headers: { 'If-Match': '"0"' } }
    const answer = await this.#read(`/sandbox/account/files/${id}/corrections`, init)
    if (!answer.ok) throw new Error(`The corrections were refused: ${await answer.text()}`)
  }

  url(id: string): string {
    return new URL(`/sandbox/files/${id}`, this.service.url).href
  }

  get kept(): StoredSession {
    return sessionOf({ account: this.#account, key: this.#key }, 'sandbox')
  }
}
