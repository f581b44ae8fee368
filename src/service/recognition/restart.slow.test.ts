import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WordRecord } from '../../contract/interface/words.ts'
import { authorization } from '../testing/ask-api.ts'
import { fileForm } from '../testing/test-service.ts'
import { type FakeRecognizer, startFakeRecognizer } from './testing/fake-recognizer.ts'
import { makeSpokenPieces } from './testing/made-speech.ts'

const main = resolve(import.meta.dirname, '../parley.ts')
const pieces = 12

let directory: string
let recognizer: FakeRecognizer
let service: ChildProcess | null = null

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-restart-'))
  recognizer = await startFakeRecognizer()
})
afterAll(async () => {
  service?.kill('SIGKILL')
  await recognizer.close()
  await rm(directory, { recursive: true, force: true })
})

/** Starts the service in a child process, as an operator would. @returns its address */
async function start(): Promise<string> {
  const env = {
    ...process.env,
    RECOGNIZER: 'http',
    RECOGNIZER_URL: recognizer.url.href,
    OFFLINE: '1',
    LOG_LEVEL: 'error',
  }
  service = spawn(process.execPath, [main, 'serve', '--port', '0', '--data', directory], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (service.stdout === null) throw new Error('The service has no output.')
  for await (const line of createInterface({ input: service.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (address !== undefined) {
      service.stdout.resume()
      return address
    }
  }
  throw new Error('The service did not start.')
}

async function kill(): Promise<void> {
  if (service === null) return
  const ended = once(service, 'close')
  service.kill('SIGKILL')
  await ended
  service = null
}

async function wordsOf(address: string, key: string, id: string): Promise<WordRecord[]> {
  const headers = { authorization: authorization(key) }
  const progress = async () => {
    const head = await fetch(`${address}/sandbox/v1/file/${id}`, { method: 'HEAD', headers })
    return JSON.parse(head.headers.get('x-service-metadata') ?? '{}').progress_percent
  }
  await expect.poll(progress, { timeout: 120_000 }).toBe(100)
  const answer = await fetch(`${address}/sandbox/v1/file/${id}.json`, { headers })
  return (await answer.json()) as WordRecord[]
}

async function order(address: string, key: string, sound: Uint8Array): Promise<string> {
  const answer = await fetch(`${address}/sandbox/v1/files?transcript_type=automated`, {
    method: 'POST',
    headers: { authorization: authorization(key) },
    body: fileForm(sound),
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { id: string }).id
}

it('a recognition killed five times gives the same words, and repeats no finished piece', {
  timeout: 120_000,
}, async () => {
  const sound = makeSpokenPieces(pieces)
  let address = await start()
  const { stdout } = await promisify(execFile)(process.execPath, [
    main,
    'account',
    'create',
    '--sandbox',
    '--data',
    directory,
  ])
  const { key } = JSON.parse(stdout) as { key: string }
  const whole = await wordsOf(address, key, await order(address, key, sound))
  expect(whole).toHaveLength(pieces * 2)
  expect(recognizer.asked).toHaveLength(pieces)

  recognizer.asked.length = 0
  let id = ''
  let kills = 0
  let answered = 0
  let tell: () => void = () => {}
  recognizer.before = () => {
    answered += 1
    if (kills === 5 || answered < 3) return 'answer'
    tell()
    return 'hang'
  }
  for (; kills < 5; kills += 1) {
    answered = 0
    const reached = new Promise<void>((done) => {
      tell = done
    })
    if (kills === 0) id = await order(address, key, sound)
    else address = await start()
    await reached
    await kill()
  }
  address = await start()
  expect(await wordsOf(address, key, id)).toEqual(whole)
  // Each kill lost only the piece in progress.
  expect(recognizer.asked.length).toBeLessThanOrEqual(pieces + 5)
})
