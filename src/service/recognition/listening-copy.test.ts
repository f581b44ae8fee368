import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { playback } from '../../contract/account/file-pages.ts'
import { dataPaths } from '../platform/data-directory.ts'
import { runFfmpeg } from '../platform/media/testing/run-ffmpeg.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { type FakeRecognizer, startFakeRecognizer } from './testing/fake-recognizer.ts'
import { makeSpokenPieces } from './testing/made-speech.ts'

let directory: string
let recognizer: FakeRecognizer
let kit: TestService
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-listen-'))
  recognizer = await startFakeRecognizer()
  kit = await startTestService({ recognizer: 'http', recognizerUrl: recognizer.url })
})
afterEach(async () => {
  await kit.close()
  await recognizer.close()
  rmSync(directory, { recursive: true })
})

/** Speech of two pieces, in another format. */
function speechAs(extension: string, ...options: string[]): Uint8Array {
  const [wav, path] = [join(directory, 'speech.wav'), join(directory, `speech.${extension}`)]
  writeFileSync(wav, makeSpokenPieces(2))
  runFfmpeg('-i', wav, ...options, path)
  return readFileSync(path)
}

/** Orders a recording and waits for its words. @returns its key, id and playback */
async function hear(content: Uint8Array, name: string) {
  const { key } = await kit.account()
  const { id } = await kit.order(key, content, '?transcript_type=automated', { name, type: 'application/octet-stream' })
  await expect.poll(async () => (await kit.metadata(key, id)).progress_percent, { timeout: 50_000 }).toBe(100)
  const post = () => accountClient(kit.address, key).read('POST', `files/${id}/playback`)
  return { key, id, grant: playback.parse(await post()) }
}

const get = (url = '', headers: Record<string, string> = {}) => fetch(kit.address + url, { headers })
const staged = () => readdirSync(join(dataPaths(kit.dataDir).blobs, 'staging'))

it('what browsers cannot play is heard as a copy, and the original is kept', async () => {
  const sound = speechAs('aiff')
  const { key, id, grant } = await hear(sound, 'Talk.aiff')
  expect(grant).toMatchObject({ copy: 'made', mime_type: 'audio/webm', media_kind: 'audio', seconds: 21 })
  const copy = await get(grant.url)
  expect(copy.headers.get('content-type')).toBe('audio/webm')
  const bytes = new Uint8Array(await copy.arrayBuffer())
  expect(bytes).toHaveLength(grant.bytes)
  expect(grant.bytes / grant.seconds).toBeLessThan(25_000_000 / 3_600)
  const part = await get(grant.url, { range: 'bytes=100-199' })
  expect([part.status, new Uint8Array(await part.arrayBuffer())]).toEqual([206, bytes.slice(100, 200)])
  const original = await get(grant.original)
  expect(new Uint8Array(await original.arrayBuffer())).toEqual(new Uint8Array(sound))
  expect(part.headers.get('etag')).not.toBe(original.headers.get('etag'))
  await expect.poll(staged).toEqual([])

  await kit.fetch(key, `file/${id}`, { method: 'DELETE' })
  expect(await kit.platform.blobs.size(id, 'listen')).toBeNull()
})

it('what browsers play at the right times is heard as it is', async () => {
  const { id, grant } = await hear(makeSpokenPieces(2), 'Talk.wav')
  expect(grant.copy).toBeUndefined()
  expect(grant.url).toBe(grant.original)
  expect(await kit.platform.blobs.size(id, 'listen')).toBeNull()
})

it('a header that claims another length is not what players go by', async () => {
  const sound = Buffer.from(speechAs('webm', '-c:a', 'libopus', '-f', 'webm', '-live', '1'))
  expect((await hear(sound, 'Live.webm')).grant.copy).toBe('made')
})

it('fragments, of which a player knows the length only as far as it has read, are heard as a copy', async () => {
  const fragmented = speechAs('mp4', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov')
  expect((await hear(fragmented, 'Recorder.mp4')).grant.copy).toBe('made')
  expect((await hear(speechAs('m4a', '-c:a', 'aac'), 'Talk.m4a')).grant.copy).toBeUndefined()
})

it('a disk that is full while the copy is written costs only the copy', async () => {
  const full = join(directory, 'full')
  kit.platform.blobs.temporary = () => full
  symlinkSync('/dev/full', full)
  const { id, grant } = await hear(speechAs('aiff'), 'Talk.aiff')
  expect(grant).toMatchObject({ copy: 'no-room', mime_type: 'audio/aiff' })
  expect(await kit.platform.blobs.size(id, 'listen')).toBeNull()
  expect(readdirSync(directory)).not.toContain('full')
})
