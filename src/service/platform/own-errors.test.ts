import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * Finds callbacks outside of Fastify's catch: an error in one that nobody owns ends the process. Each is wrapped in
 * `ownErrors`, or only settles, ends or frees something. Others are counted here: they set fields of their own, settle
 * promises, or catch what they call. Look at each before you count it.
 */
const reviewed: Readonly<Record<string, number>> = {
  'accounts/events/event-hub.ts': 3,
  'accounts/webhooks/sender.ts': 3,
  'api/account/captioned-routes.ts': 1,
  'api/account/event-routes.ts': 1,
  'api/http/metrics.ts': 1,
  'api/http/silent-connections.ts': 4,
  'api/http/tls-port.ts': 2,
  'api/http/unread-body.ts': 2,
  'api/remote/proxy.ts': 4,
  'api/uploads/file-upload-bytes.ts': 1,
  'api/uploads/held-upload.ts': 1,
  'api/uploads/upload-leases.ts': 2,
  'api/v1/read-form.ts': 4,
  'operations/backup.ts': 1,
  'operations/repository.ts': 3,
  'orders/money/payment/stripe/stripe-client.ts': 1,
  'platform/db/changes.ts': 1,
  'platform/db/leases.ts': 1,
  'platform/db/postgres/listen-notify.ts': 7,
  'platform/db/postgres/nodes.ts': 1,
  'platform/db/postgres/open-postgres.ts': 1,
  'platform/db/postgres/postgres-hot-reads.ts': 1,
  'platform/media/decode.ts': 2,
  'platform/media/run-tool.ts': 2,
  'platform/media/speed-watch.ts': 1,
  'platform/queue/chores.ts': 2,
  'platform/queue/worker.ts': 2,
  'recognition/engines/pool.ts': 1,
  'recognition/engines/sherpa-child.ts': 2,
  'recognition/engines/sherpa-process.ts': 3,
  'recognition/engines/sphinx-process.ts': 4,
  'recognition/measure/measure-engine.ts': 1,
  'recognition/models/fetch-lock.ts': 1,
  'recognition/speakers/voice-listener.ts': 3,
  'recognition/speakers/voice-worker.ts': 1,
  'start/cli/serve.ts': 1,
  'text/search/search-thread.ts': 2,
  'text/search/search-worker.ts': 1,
  'text/search/search.ts': 2,
  'text/search/sqlite-index.ts': 1,
  'text/transcripts/render-thread.ts': 3,
  'text/transcripts/render-worker.ts': 1,
}

const service = join(import.meta.dirname, '..')
const callback =
  /\.(?:on|once|prependListener|addListener|addEventListener)\(\s*(?:\w+ \? )?'[\w-]+'(?: : '[\w-]+')?,\s*|\.subscribe\(\s*|\b(?:setImmediate|queueMicrotask)\(\s*|\b(?:setTimeout|setInterval)\(\s*(?!\w+Ms\b|0\))|\bcreateServer\(\s*(?=[(\w])(?:limits, )?/g
/** What may follow. */
const owned =
  /^(?:(?:\([^()]*\) => (?:\{\s*)?)?ownErrors\(|[\w.#]*(?:resolve|reject|fail|stop|cancel|failed|done|close|onClose|onExit|onEpilogue|onData|end|ending|handler|endBody)\b[,)]|\([^()]*\) =>\s*(?:undefined|\{\}|(?:void )?[\w.#?]*(?:resolve|reject|abort|destroy|kill|request|delete|clearTimeout|clearInterval|terminate|rm)\())/

const countUnowned = (source: string) =>
  [...source.matchAll(callback)].filter(({ index, 0: { length } }) => !owned.test(source.slice(index + length))).length

test('every listener, timer and message of the service has one owner of its errors', () => {
  const files = globSync('**/*.ts', { cwd: service }).filter((path) => !/testing\/|\.test\.ts$/.test(path))
  const counts = files.map((path) => [path, countUnowned(readFileSync(join(service, path), 'utf8'))] as const)
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(reviewed)
})

test.each([
  "socket.on('data', (bytes) => parse(bytes))",
  'setInterval(() => this.#sweep(), sweepEveryMs)',
  'createServer((request, response) => answer(request, response))',
  "worker.on('message', ({ words }) => index(words))",
  "signal.addEventListener('abort', () => release(lease))",
  "server.on(isTls ? 'secureConnection' : 'connection', (socket) => greet(socket))",
  'changes.subscribe(({ kind }) => read(kind))',
  'setImmediate(() => sweep())',
])('%s is found', (source) => expect(countUnowned(source)).toBe(1))
