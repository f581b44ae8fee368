import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import type { Environment } from '../../contract/interface/environment.ts'
import { metadataHeader } from '../../contract/interface/headers.ts'
import type { FileMetadata } from '../../contract/interface/metadata.ts'
import { createAccount } from '../accounts/auth/accounts.ts'
import { documentedStatuses } from '../api/openapi/document.ts'
import { type Config, defaultConfig } from '../platform/config.ts'
import { runFfmpeg } from '../platform/media/testing/run-ffmpeg.ts'
import { type Service, startService } from '../start/service.ts'
import { askApi } from './ask-api.ts'
import { openTestSchema } from './postgres-schemas.ts'

/*
 * For tests: the whole service on a real port with a temporary data directory, and a clock that the test moves.
 *
 *   const kit = await startTestService()
 *   const { key } = await kit.account()
 *   const { id } = await kit.order(key, await kit.tone(3), '?transcript_type=automated')
 *   await kit.close()
 */

/** Monday noon, UTC: business days lie ahead. */
export const testStart = Date.UTC(2026, 10, 16, 12)

export type TestService = Service & {
  dataDir: string
  /** advances the clock and wakes everything that waits for time */
  advance(ms: number): void
  /** a new account with a test card, in the sandbox by default */
  account(options?: { environment?: Environment; customFormatting?: boolean }): Promise<TestAccount>
  /** a request with a key below the base path of the key's environment: `fetch(key, 'files')` */
  fetch(key: string, path: string, init?: RequestInit): Promise<Response>
  /** POST files with one file; the raw response */
  post(key: string, content: Uint8Array, query?: string, as?: { name?: string; type?: string }): Promise<Response>
  /** POST files that must succeed */
  order(
    key: string,
    content: Uint8Array,
    query?: string,
    as?: { name?: string; type?: string },
  ): Promise<{ id: string }>
  /** HEAD file that must succeed */
  metadata(key: string, id: string): Promise<FileMetadata>
  /** polls `find` after each change and every 100 ms, until it finds something: not null, undefined or false */
  until<Found>(find: () => Promise<Found>): Promise<NonNullable<Exclude<Found, false>>>
  /** a wav of a tone */
  tone(seconds: number): Promise<Uint8Array>
  /** logged errors; empty it after provoking one, since `close` throws otherwise */
  loggedErrors: string[]
  /** restarts on the same data; the address changes */
  restart(): Promise<void>
}
export type TestAccount = { id: string; key: string; environment: Environment }

/** A form with one file, as sent by a browser. */
export function fileForm(content: Uint8Array, as: { name?: string; type?: string } = {}): FormData {
  const form = new FormData()
  const blob = new Blob([content as Uint8Array<ArrayBuffer>], { type: as.type ?? 'audio/wav' })
  form.append('file', blob, as.name ?? 'recording.wav')
  return form
}

/** A wav of a sine tone: 8,000 samples of 16 bits per second. */
export async function makeTone(seconds: number): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-tone-'))
  const path = join(directory, 'tone.wav')
  runFfmpeg('-f', 'lavfi', '-i', `sine=frequency=330:sample_rate=8000:duration=${seconds}`, '-bitexact', path)
  const wav = await readFile(path)
  await rm(directory, { recursive: true })
  return wav
}

/** A self-signed certificate for this machine, in files of a directory. */
export async function makeCertificate(directory: string): Promise<{ certPath: string; keyPath: string }> {
  const [certPath, keyPath] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', keyPath, '-out', certPath]
  await promisify(execFile)('openssl', ['req', '-x509', '-nodes', '-days', '2', ...pair, ...subject])
  return { certPath, keyPath }
}

const errorLevel = 50

/** Keeps errors as they are, and of answers to requests the method, route and status. */
function takeLine(line: string, errors: string[], answered: Set<string>): void {
  const { level, msg, method, route, status } = JSON.parse(line)
  if (level >= errorLevel) errors.push(line)
  else if (msg === 'answered' && route !== null) answered.add(`${method} ${route} ${status}`)
}

/** The answers whose status the documentation of their operation does not name. */
function listUnnamed(answered: ReadonlySet<string>): string[] {
  const documented = documentedStatuses()
  return [...answered].filter((answer) => {
    const [method, route = '', status] = answer.split(' ')
    const path = route.replace(/^\/sandbox(?=\/)/, '').replace(/(?<=.)\/$/, '')
    const named = path.replace(/^\/v1\/file\/:target$/, '/v1/file/:file_id').replaceAll(/:(\w+)/g, '{$1}')
    const statuses = documented.get(`${method} ${named}`)
    // 415 is of the same route with a format.
    return statuses !== undefined && !statuses.has(Number(status)) && !(path.endsWith(':target') && status === '415')
  })
}

/**
 * Starts the service for a test, without recognition. Close it at the end.
 * @param overrides changes its configuration: `recognizer: 'pocketsphinx'` for real words, `role: 'api'` where only
 *   answers matter, without background work
 * @param startWith joins a running one instead
 * @param monotonic the clock of rate limits, in milliseconds, if not the real one
 */
export async function startTestService(
  overrides: Partial<Config> = {},
  startWith: typeof startService = startService,
  monotonic?: () => number,
): Promise<TestService> {
  const dataDir = overrides.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-test-')))
  const postgres = overrides.postgres ?? (await openTestSchema())
  // Without a model sherpa recognizes nothing: most tests read no words, and loading pocketsphinx takes half a second.
  const silent = { port: 0, offline: true, recognizer: 'sherpa', leavesForMs: 0 } as const
  const config: Config = { ...defaultConfig, ...silent, ...overrides, dataDir, postgres }
  let now = testStart
  const loggedErrors: string[] = []
  const answered = new Set<string>()
  const log = pino({ level: 'debug' }, { write: (line: string) => takeLine(line, loggedErrors, answered) })
  const start = () => startWith(config, { clock: () => now, log, monotonic })
  let service = await start()

  const kit: TestService = {
    ...service,
    dataDir,
    loggedErrors,
    advance(ms) {
      now += ms
      service.platform.changes.notify({ kind: 'job' })
    },
    async account({ environment = 'sandbox', customFormatting = false } = {}) {
      const { db } = service.platform
      const made = await createAccount(db, { environment, name: 'Test', customFormatting }, now)
      return { id: made.accountId, key: made.key, environment }
    },
    fetch: (key, path, init) => askApi(service.address, key, path, init),
    post: (key, content, query = '', as) =>
      kit.fetch(key, `files${query}`, { method: 'POST', body: fileForm(content, as) }),
    async order(key, content, query, as) {
      const answer = await kit.post(key, content, query, as)
      if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as { id: string }
    },
    async metadata(key, id) {
      const answer = await kit.fetch(key, `file/${id}`, { method: 'HEAD' })
      if (answer.status !== 200) throw new Error(`HEAD answered ${answer.status}`)
      return JSON.parse(answer.headers.get(metadataHeader) ?? '')
    },
    async until<Found>(find: () => Promise<Found>) {
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const stop = service.platform.changes.subscribe(() => resolve())
        const timer = setTimeout(resolve, 100)
        try {
          const found = await find()
          if (found !== null && found !== undefined && found !== false) {
            return found as NonNullable<Exclude<Found, false>>
          }
          await promise
        } finally {
          clearTimeout(timer)
          stop()
        }
      }
    },
    tone: makeTone,
    async restart() {
      await service.close()
      service = await start()
      Object.assign(kit, {
        platform: service.platform,
        app: service.app,
        address: service.address,
        metricsPort: service.metricsPort,
        doChores: service.doChores,
      })
    },
    async close() {
      await service.close()
      if (overrides.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
      if (loggedErrors.length > 0) throw new Error(`The service logged errors:\n${loggedErrors.join('')}`)
      const unnamed = listUnnamed(answered)
      if (unnamed.length > 0) throw new Error(`/openapi.json does not name these answers: ${unnamed.join(', ')}`)
    },
  }
  return kit
}
