import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { authorization } from '../../service/testing/ask-api.ts'
import { type Fence, isExample, type Language, placeholders, readFence } from '../example.ts'
import { readSource } from '../write-reference.ts'

/** Where examples run. */
export type Place = {
  service: URL
  /** of a sandbox account with a test card */
  key: string
  /** a port of this machine that the service's webhooks may reach */
  port: number
}

const recording = join(import.meta.dirname, '../../service/api/sandbox/sample-talk.mp3')
/** As in the examples. */
const webhookUrl = 'https://hooks.example.org/parley'
const commands: Record<Language, (file: string) => string[]> = {
  sh: (file) => ['bash', '-euo', 'pipefail', file],
  ts: (file) => [process.execPath, file],
  python: (file) => ['python3', file],
}

/** The fenced blocks of a page's source, in order. */
export function fencesOf(slug: string): Fence[] {
  const found = readSource(slug).matchAll(/^```(\S[^\n]*)\n(.*?)\n```$/gms)
  return [...found].map(([, info = '', text = '']) => readFence(info, text))
}

/** The examples of a page in a language. */
export function examplesOf(slug: string, language: Language): Fence[] {
  return fencesOf(slug).filter((fence) => isExample(fence) && fence.lang === language)
}

async function ask({ service, key }: Place, path: string, body?: unknown, method = 'POST'): Promise<unknown> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = {
    authorization: authorization(key),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const answer = await fetch(new URL(`/sandbox/account/${path}`, service), { method, headers, ...sent })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? null : await answer.json()
}

/** A file as an example wants it: `file` with sound and ready, `file=early` below 60%. */
async function makeFile(place: Place, flags: readonly string[]): Promise<string> {
  const made = flags.includes('file=early')
    ? await ask(place, 'tools/files', { seconds: 60, progress_percent: 20 })
    : await ask(place, 'tools/talk')
  return (made as { id: string }).id
}

/** Sets the webhook. @returns its secret */
async function setWebhook(place: Place): Promise<string> {
  const url = `http://127.0.0.1:${place.port}/parley`
  const { secret } = (await ask(place, 'webhook', { url }, 'PUT')) as { secret?: string }
  return secret ?? ((await ask(place, 'webhook/secret')) as { secret: string }).secret
}

async function filled({ text, flags }: Fence, place: Place): Promise<string> {
  const file = text.includes(placeholders.file) ? await makeFile(place, flags) : ''
  return text
    .replaceAll(placeholders.origin, place.service.origin)
    .replaceAll(placeholders.key, place.key)
    .replaceAll(placeholders.file, file)
    .replaceAll(webhookUrl, `http://127.0.0.1:${place.port}/parley`)
    .replaceAll('8080', String(place.port))
}

/** Resolves once something listens on a port of this machine. */
async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isThere) return
  }
}

/** Runs a receiver until it has verified a test event, and has refused a forged one. */
async function runReceiver(command: string[], folder: string, place: Place): Promise<string> {
  const secret = await setWebhook(place)
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, PARLEY_WEBHOOK_SECRET: secret } })
  const ended = once(child, 'exit')
  let output = ''
  const verified = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('test_event')) resolve()
    })
  })
  try {
    await Promise.race([untilListening(place.port), ended])
    await ask(place, 'webhook/test')
    await Promise.race([verified, ended])
    const now = String(Math.floor(Date.now() / 1_000))
    const forged = { 'webhook-id': 'd1', 'webhook-timestamp': now, 'webhook-signature': `v1,${btoa('forged')}` }
    const answer = await fetch(`http://127.0.0.1:${place.port}`, {
      method: 'POST',
      headers: forged,
      body: '{"id":"f1"}',
    })
    if (answer.status !== 401) throw new Error(`The receiver answered a forged event with ${answer.status}.`)
    return output
  } finally {
    child.kill()
    await ended
  }
}

async function runProgram(command: string[], folder: string): Promise<string> {
  const [program = '', ...args] = command
  // `.curlrc`: an error's status fails the example, with the error in what it prints.
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, CURL_HOME: folder } })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`It ended with ${code}: ${output}${errors}`)
  return output
}

/** @throws Error if what an example shows to be refused was not */
function notRefused(output: string): never {
  throw new Error(`It was not refused: ${output}`)
}

/** Unpacks the client that the service offers where `npm install` would put it. */
async function installClient(folder: string, { service }: Place): Promise<void> {
  const answer = await fetch(new URL('/parley-client.tgz', service))
  if (!answer.ok) throw new Error(`The client: ${answer.status}`)
  const target = join(folder, 'node_modules/@parley/client')
  await mkdir(target, { recursive: true })
  await writeFile(join(folder, 'client.tgz'), await answer.bytes())
  await promisify(execFile)('tar', ['-xzf', join(folder, 'client.tgz'), '-C', target, '--strip-components=1'])
}

/**
 * Runs one example as its reader would.
 * @returns what it printed
 * @throws Error if it fails
 */
export async function runExample(fence: Fence, place: Place): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-example-'))
  try {
    await copyFile(recording, join(folder, 'sample.mp3'))
    await writeFile(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
    const name = `example.${fence.lang === 'python' ? 'py' : fence.lang}`
    await writeFile(join(folder, name), await filled(fence, place))
    if (fence.flags.includes('client')) await installClient(folder, place)
    const command = commands[fence.lang as Language](name)
    if (fence.flags.includes('serve')) return await runReceiver(command, folder, place)
    if (fence.flags.includes('webhook')) await setWebhook(place)
    const printed = runProgram(command, folder)
    return await (fence.flags.includes('refused') ? printed.then(notRefused, String) : printed)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
