import { once } from 'node:events'
import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { servedFormats, servedMimeTypes, transcriptFormats } from '../../../contract/interface/transcript-formats.ts'
import { spokenWords as timedWords } from '../../../formats/testing/sample-transcripts.ts'
import { separatorLine, workInProgressNotice } from '../../../formats/txt.ts'
import type { StoredWord } from '../../../text/build-transcript.ts'
import { finishFile } from '../../orders/file/progress.ts'
import { encodings } from '../../platform/content-encoding.ts'
import type { FileRow, NewFileRow } from '../../platform/db/schema.ts'
import type { BlobStore } from '../../platform/media/blob-store.ts'
import { storedPath } from '../../platform/media/testing/stored-path.ts'
import { authorization } from '../../testing/ask-api.ts'
import type { TestAccount, TestService } from '../../testing/test-service.ts'
import { startTestService, testStart } from '../../testing/test-service.ts'
import { renderInThread } from './render-thread.ts'
import { pickVariant, readTranscript } from './render-transcript.ts'
import { type Rendering, render, renderingVersion } from './rendering.ts'
import { describeFile } from './rendering-input.ts'
import { readStoredWords, readWordsStream, storedWordsJson } from './stored-words.ts'
import { WorkInProgressTexts } from './work-in-progress-texts.ts'

let kit: TestService
let account: TestAccount
beforeAll(async () => {
  kit = await startTestService()
  account = await kit.account()
})
afterAll(() => kit.close())

function spokenWords(said: string, startSeconds: number): StoredWord[] {
  return timedWords(said, startSeconds).map(({ turn: _, ...word }) => word)
}

let minted = 0
const words: StoredWord[] = [
  ...spokenWords('um good good morning colors', 0).map((word) => ({ ...word, speaker: 4 })),
  ...spokenWords('hello', 5).map((word) => ({ ...word, speaker: 2 })),
]

/** A file's row with stored words: all of them at 100, else one piece per word. */
async function storedFile(change: Partial<FileRow> = {}, said: readonly StoredWord[] = words): Promise<FileRow> {
  const { db, blobs } = kit.platform
  const made: NewFileRow = {
    id: `file_${++minted}`,
    account_id: account.id,
    environment: 'sandbox',
    name: 'Board meeting',
    media_extension: 'wav',
    media_kind: 'audio',
    content_hash: `${minted}`,
    bytes: 1,
    duration_ms: 10_000,
    cost_cents: 2,
    discount_cents: 0,
    total_cents: 2,
    refund_cents: 0,
    currency: 'USD',
    transaction_id: `tx_${minted}`,
    created_at: testStart,
    delivery_at: testStart,
    ready_at: testStart,
    delay_reason: null,
    duplicates_json: null,
    options_json: JSON.stringify({ ...specDefaultOptions, transcript_type: 'automated' }),
    progress_percent: 100,
    version: minted,
    expires_at: null,
    delete_when_ready: 0,
    given_up: 0,
    ...change,
  }
  const row = await db.insertInto('files').values(made).returningAll().executeTakeFirstOrThrow()
  if (row.progress_percent >= 100) await blobs.write(row.id, 'words.json', Readable.from(storedWordsJson(said)))
  for (const [position, word] of said.entries()) {
    if (row.progress_percent >= 100) break
    const words_json = [...storedWordsJson([word])].join('')
    await db.insertInto('pieces').values({ file_id: row.id, position, start_ms: 0, end_ms: 1, words_json }).execute()
  }
  return row
}

/** A response of the service; `fetch` requests compression, and decompresses it. */
function get(file: FileRow, extension = ''): Promise<Response> {
  return kit.fetch(account.key, `file/${file.id}${extension}`)
}

/** A raw response from the socket. */
async function getRaw(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const url = `${kit.address}/sandbox/v1/file/${path}`
  const answer = await request(url, { method, headers: { authorization: authorization(account.key), ...headers } })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, bytes }
}

/** A platform that counts writes. */
function countingWrites() {
  const written: string[] = []
  const { blobs: store } = kit.platform
  const blobs: BlobStore = new Proxy(store, {
    get(_, name: keyof BlobStore) {
      if (name === 'resumed') return store.resumed
      if (name !== 'write') return store[name].bind(store)
      return (...given: Parameters<BlobStore['write']>) => {
        written.push(given[1])
        return store.write(...given)
      }
    },
  })
  return { written, platform: { ...kit.platform, blobs } }
}

describe('GET file of a finished transcript', () => {
  it('returns each of the formats, the same bytes each time', async () => {
    const file = await storedFile()
    for (const format of servedFormats) {
      const { headers, bytes } = await getRaw(`${file.id}.${format}`)
      expect(headers['content-type']).toBe(servedMimeTypes[format])
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(bytes.equals((await getRaw(`${file.id}.${format}`)).bytes)).toBe(true)
    }
  })

  it('numbers speakers by first word, capitalizes after pauses if the engine gave no case, and leaves automated words unchanged', async () => {
    const txt = await (await get(await storedFile())).text()
    expect(txt).toContain('00:00 Speaker 1: Um good good morning colors\n00:05 Speaker 2: Hello\n')
  })

  it('applies a manual order’s options', async () => {
    const options = { ...specDefaultOptions, spelling_style: 'british', speaker_names: ['Ann Baker'] }
    const file = await storedFile({ options_json: JSON.stringify(options) })
    expect(await (await get(file)).text()).toContain('00:00 Ann Baker: Good morning colours\n00:05 Speaker 2: Hello\n')
  })

  it('reports a recording without speech', async () => {
    const file = await storedFile({}, [])
    expect(await (await get(file, '.json')).json()).toEqual([])
    expect(await (await get(file)).text()).toContain('No speech was found')
  })

  it('is rendered once for concurrent requests, and again when it became ready again', async () => {
    const file = await storedFile()
    const { written, platform } = countingWrites()
    const read = async (row: FileRow) => {
      const { content } = (await readTranscript(platform, row, pickVariant(row, 'srt', null))) as { content: Readable }
      return text(content)
    }
    expect(new Set(await Promise.all(Array.from({ length: 5 }, () => read(file)))).size).toBe(1)
    await read(file)
    expect(written.length).toBe(1)
    await read({ ...file, ready_at: testStart + 1 })
    expect(written.length).toBe(2)
  })

  it('reports lost, truncated or damaged words, in any format and size', async () => {
    const long = spokenWords('and so the long day went on '.repeat(700).trim(), 0)
    for (const said of [words, long]) {
      for (const harm of ['', '[\n{"word":"no', '[\n{"wo\n]\n', null]) {
        const { id } = await storedFile({}, said)
        const path = storedPath(kit.platform.blobs, id, 'words.json')
        await (harm === null ? rm(path) : writeFile(path, harm))
        for (const format of ['txt', 'pdf']) {
          const answer = await kit.fetch(account.key, `file/${id}.${format}`)
          expect([answer.status, await answer.json()]).toEqual([
            500,
            { error: expect.stringMatching(/^The words of this file were lost or damaged/) },
          ])
        }
      }
    }
  })

  it('leaves nothing behind if the file is deleted while rendering', async () => {
    const file = await storedFile()
    await kit.platform.db.deleteFrom('files').where('id', '=', file.id).execute()
    const variant = pickVariant(file, 'txt', 'gzip')
    await expect(readTranscript(kit.platform, file, variant)).rejects.toMatchObject({ status: 404 })
    expect(await kit.platform.blobs.size(file.id, 'words.json')).toBe(null)
  })
})

describe('a compressed transcript', () => {
  const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

  it.each(encodings)('is the same text in %s, with its own ETag, and HEAD says so', async (encoding) => {
    const { id } = await storedFile()
    for (const format of transcriptFormats) {
      const plain = await getRaw(`${id}.${format}`)
      const compressed = await getRaw(`${id}.${format}`, { 'accept-encoding': encoding })
      expect([plain.headers.vary, compressed.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding'])
      expect(compressed.headers['content-length']).toBe(String(compressed.bytes.length))
      const isPacked = format === 'pdf' || format === 'odt'
      expect([format, compressed.headers['content-encoding']]).toEqual([format, isPacked ? undefined : encoding])
      expect(compressed.headers.etag === plain.headers.etag, format).toBe(isPacked)
      const unpacked = isPacked ? compressed.bytes : decoders[encoding](compressed.bytes)
      expect(unpacked.equals(plain.bytes), format).toBe(true)
      const { headers } = await getRaw(`${id}.${format}`, { 'accept-encoding': encoding }, 'HEAD')
      for (const name of ['content-type', 'content-encoding', 'etag', 'vary', 'x-service-metadata', 'cache-control'])
        expect([name, headers[name]]).toEqual([name, compressed.headers[name]])
    }
  })

  it('is not sent again to a client that has it; ranges get the whole', async () => {
    const { id } = await storedFile()
    const asked = { 'accept-encoding': 'br' }
    const { headers, bytes } = await getRaw(`${id}.json`, asked)
    const etag = String(headers.etag)
    for (const method of ['GET', 'HEAD'] as const) {
      for (const condition of [etag, `"other", W/${etag}`, '*']) {
        const known = await getRaw(`${id}.json`, { ...asked, 'if-none-match': condition }, method)
        expect([known.status, known.headers.etag, known.bytes.length]).toEqual([304, etag, 0])
        expect([known.headers.vary, known.headers['content-encoding']]).toEqual(['Accept-Encoding', undefined])
      }
    }
    expect((await getRaw(`${id}.json`, { 'if-none-match': etag })).status, 'known in another encoding').toBe(200)
    const part = await getRaw(`${id}.json`, { ...asked, range: 'bytes=0-9', 'if-range': etag })
    expect([part.status, part.bytes.equals(bytes)]).toEqual([200, true])
  })

  it('is rendered again if damaged on the disk', async () => {
    const { id } = await storedFile()
    const folder = dirname(storedPath(kit.platform.blobs, id, 'rendered/any'))
    const damages: ((bytes: Buffer) => Buffer)[] = [
      (bytes) => bytes.subarray(0, bytes.length >> 1),
      (bytes) => bytes.subarray(0, -1),
      () => Buffer.alloc(0),
      (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte))),
    ]
    for (const headers of [{ 'accept-encoding': 'zstd' }, { 'accept-encoding': 'gzip' }, {}]) {
      const { bytes } = await getRaw(`${id}.srt`, headers)
      for (const damage of damages) {
        for (const name of await readdir(folder)) {
          await writeFile(join(folder, name), damage(await readFile(join(folder, name))))
        }
        expect((await getRaw(`${id}.srt`, headers)).bytes.equals(bytes)).toBe(true)
      }
    }
  })

  it('leaves no file open when the client disconnects halfway', async () => {
    const many = Array.from({ length: 40_000 }, (_, at) => spokenWords(`word${(at * 7_919) % 9_973}`, at)).flat()
    const { id } = await storedFile({}, many)
    await getRaw(`${id}.json`, { 'accept-encoding': 'gzip' })
    const openParts = async () => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      )
      return links.filter((link) => link.includes(id))
    }
    for (const encoding of ['gzip', 'identity']) {
      const socket = connect(Number(new URL(kit.address).port), '127.0.0.1')
      const lines = [`GET /sandbox/v1/file/${id}.json HTTP/1.1`, 'Host: x', `Accept-Encoding: ${encoding}`]
      socket.write(`${lines.join('\r\n')}\r\nAuthorization: ${authorization(account.key)}\r\n\r\n`)
      await once(socket, 'data')
      socket.destroy()
      await expect.poll(openParts).toEqual([])
    }
  })

  it('is rendered ahead, in the form in which the dashboard opens it', async () => {
    const file = await storedFile({ progress_percent: 99, ready_at: null })
    const { blobs } = kit.platform
    await blobs.write(file.id, 'words.json', Readable.from(storedWordsJson(words)))
    const finished = await finishFile(kit.platform, file.id)
    kit.platform.changes.notify({ kind: 'job' })
    await kit.until(
      async () => (await blobs.size(file.id, `rendered/${renderingVersion}-${finished?.ready_at}.json.zstd`)) !== null,
    )
    const { written, platform } = countingWrites()
    const variant = pickVariant(finished as FileRow, 'json', 'zstd')
    const { content } = (await readTranscript(platform, finished as FileRow, variant)) as { content: Readable }
    expect(JSON.parse(zstdDecompressSync(await buffer(content)).toString())).toHaveLength(words.length)
    expect(written).toEqual([])
  })

  it('is compressed even while in progress', async () => {
    const many = Array.from({ length: 200 }, (_, at) => spokenWords('and so the long day went on', at * 5)).flat()
    const { id } = await storedFile({ progress_percent: 70, ready_at: null }, many)
    const plain = await getRaw(id)
    const compressed = await getRaw(id, { 'accept-encoding': 'zstd' })
    expect([compressed.headers['content-encoding'], compressed.headers.vary]).toEqual(['zstd', 'Accept-Encoding'])
    expect(zstdDecompressSync(compressed.bytes).equals(plain.bytes)).toBe(true)
    expect(compressed.headers.etag).toBeUndefined()
  })
})

describe('a large transcript', () => {
  const many = Array.from({ length: 700 }, (_, at) => spokenWords('and so the long day went on', at * 5)).flat()

  it('is the same from the worker thread as from the main thread', async () => {
    const file = await storedFile({}, many)
    expect(await kit.platform.blobs.size(file.id, 'words.json')).toBeGreaterThan(300_000)
    // A PDF contains its creation time.
    const formats = transcriptFormats.filter((format) => format !== 'pdf')
    const aside = await Promise.all(formats.map(async (format) => (await get(file, `.${format}`)).arrayBuffer()))
    const path = storedPath(kit.platform.blobs, file.id, 'words.json')
    for (const [index, format] of formats.entries()) {
      const here = await buffer(render({ about: describeFile(file), words: { path }, format }))
      expect(Buffer.from(aside[index] as ArrayBuffer).equals(here), format).toBe(true)
    }
    expect(
      Buffer.from(await (await get(file, '.pdf')).arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  it('that cannot be rendered is an error, and the next one succeeds', async () => {
    const about = describeFile(await storedFile())
    const path = join(kit.dataDir, 'nothing.json')
    await expect(buffer(renderInThread({ about, words: { path }, format: 'txt' }))).rejects.toThrow('lost or damaged')
    const words = { pieces: [JSON.stringify(many)], untilSeconds: 1 }
    expect((await buffer(renderInThread({ about, words, format: 'txt' }))).toString()).toContain('And so the')
  })

  it('succeeds while the idle thread ends', async () => {
    const about = describeFile(await storedFile())
    const words = { pieces: [JSON.stringify(many)], untilSeconds: 1 }
    const rendering: Rendering = { about, words, format: 'txt' }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await buffer(renderInThread(rendering))
      vi.advanceTimersByTime(10_000)
    } finally {
      vi.useRealTimers()
    }
    expect((await buffer(renderInThread(rendering))).toString()).toContain('And so the')
  })

  it('releases its turn if nobody reads the rest', async () => {
    const about = describeFile(await storedFile())
    const words = { pieces: [JSON.stringify(many)], untilSeconds: 99_999 }
    for await (const chunk of renderInThread({ about, words, format: 'json' })) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    const next = await buffer(renderInThread({ about, words, format: 'json' }))
    expect(JSON.parse(next.toString())).toHaveLength(many.length)
  })
})

describe('GET file below 100 %', () => {
  it('is the work-in-progress text of the pieces, whatever is requested', async () => {
    const file = await storedFile({ progress_percent: 70, ready_at: null })
    const response = await get(file, '.pdf')
    expect(response.headers.get('content-type')).toBe(servedMimeTypes.txt)
    expect(await response.text()).toBe(
      `${workInProgressNotice}\n${separatorLine}\n00:00 Speaker 1: Um good good morning colors\n00:05 Speaker 2: Hello\n`,
    )
  })

  it('is rendered once for the existing pieces', async () => {
    const file = await storedFile({ progress_percent: 70, ready_at: null })
    const texts = new WorkInProgressTexts(kit.platform)
    const [first, second] = await Promise.all([texts.textOf(file), texts.textOf(file)])
    expect(first.equals(second)).toBe(true)
    expect(await texts.textOf(file)).toBe(await texts.textOf(file))
    const words_json = JSON.stringify(spokenWords('more', 9))
    const piece = { file_id: file.id, position: 99, start_ms: 9_000, end_ms: 9_900, words_json }
    await kit.platform.db.insertInto('pieces').values(piece).execute()
    expect((await texts.textOf(file)).toString()).toContain('more')
  })

  it('shows as much of a manual order as its progress says is typed', async () => {
    const options_json = JSON.stringify(specDefaultOptions)
    const early = await (await get(await storedFile({ progress_percent: 20, ready_at: null, options_json }))).text()
    expect(early).toContain('Good morning')
    expect(early).not.toContain('Hello')
    const none = await (await get(await storedFile({ progress_percent: 0, ready_at: null, options_json }))).text()
    expect(none).toBe(`${workInProgressNotice}\n${separatorLine}\n`)
  })
})

describe('stored words', () => {
  it('are read back whole or streamed, for any chunking', async () => {
    const said = Array.from(
      { length: 2_000 },
      (_, at): StoredWord => ({ ...(spokenWords(`wörd{"\n},${at}`, at)[0] as StoredWord) }),
    )
    const json = [...storedWordsJson(said)].join('')
    expect(readStoredWords(json)).toEqual(said)
    const bytes = Buffer.from(json)
    const chunks = Array.from({ length: Math.ceil(bytes.length / 997) }, (_, at) =>
      bytes.subarray(at * 997, (at + 1) * 997),
    )
    expect(await readWordsStream(Readable.from(chunks))).toEqual(said)
    expect(await readWordsStream(Readable.from(storedWordsJson([])).map((part: string) => Buffer.from(part)))).toEqual(
      [],
    )
  })
})
