import type { IncomingMessage, ServerResponse } from 'node:http'
import { pino } from 'pino'
import { readConfig } from '../../src/service/start/cli/read-config.ts'
import { startService } from '../../src/service/start/service.ts'

/*
 * The real service behind a fault switch: `PUT /faults` sets faults, `PUT /faults` with {} clears them. Unaffected
 * requests reach the service itself.
 */

export type Faults = {
  /** no account interface, like a service that is not Parley's: 404 below /account/ */
  noAccount?: boolean
  /** no live events: 404 */
  noEvents?: boolean
  /** this many of the next HEADs get 429 with Retry-After 1 */
  slowDownHeads?: number
  /** paths that get 429 once, with this Retry-After in seconds */
  slowDownPaths?: Record<string, number>
  /** raw metadata headers by file id; null: none */
  metadata?: Record<string, string | null>
  /** status of all responses below the interfaces */
  status?: number
  /** connections are aborted */
  gone?: boolean
  /** responses to DELETE, by file id */
  deleteStatus?: Record<string, number>
  /** paths that fail with 500: the number of failures is per path, so that the order of requests does not matter */
  failPaths?: Record<string, number>
  /** requests to paths with these prefixes are held until the faults are set again; `held` of the counts lists them */
  hold?: string[]
  /** bodies returned for GETs of these paths instead of the service's */
  bodies?: Record<string, string>
}

/** Counts since the last `PUT /faults`. */
export type Counts = {
  heads: number
  lists: number
  most_heads_of_one: number
  streams: number
  /** milliseconds from a 429 of `slowDownPaths` until that path was requested again */
  waited: Record<string, number>
  /** method and path of the requests currently held, in order of arrival */
  held: string[]
}

let faults: Faults = {}
let heads = new Map<string, number>()
let lists = 0
let streams = 0
let headCount = 0
let slowedAt = new Map<string, number>()
let waited: Record<string, number> = {}
let held: { request: IncomingMessage; response: ServerResponse; path: string }[] = []

const isApi = (path: string) => /^\/(sandbox\/)?(v1|account)\//.test(path)

async function answerSwitch(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'PUT') {
    let body = ''
    for await (const piece of request) body += piece
    faults = JSON.parse(body) as Faults
    heads = new Map()
    lists = 0
    streams = 0
    headCount = 0
    slowedAt = new Map()
    waited = {}
    for (const { request: one, response: answer, path } of held.splice(0)) receive(one, answer, path)
  }
  const counts: Counts = {
    heads: headCount,
    lists,
    most_heads_of_one: Math.max(0, ...heads.values()),
    streams,
    waited,
    held: held.map(({ request: { method }, path }) => `${method} ${path}`),
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(counts))
}

function fail(response: ServerResponse, status: number, headers: Record<string, string> = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: `The fault switch answers ${status}.` }))
  return true
}

/** Responds in the service's place if a fault applies. @returns whether it did */
function obstruct(request: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (faults.gone) {
    request.socket.destroy()
    return true
  }
  if (faults.status) return fail(response, faults.status)
  const account = /^\/(sandbox\/)?account\/(.*)$/.exec(path)
  if (account?.[2] === 'events') streams += 1
  // The tests' own tools stay available: they simulate typists, who work with any service.
  if (account?.[2]?.startsWith('tools/')) return false
  if (account && (faults.noAccount || (faults.noEvents && account[2] === 'events'))) return fail(response, 404)
  const left = faults.failPaths?.[path] ?? 0
  if (left > 0) {
    faults.failPaths = { ...faults.failPaths, [path]: left - 1 }
    return fail(response, 500)
  }
  if (isSlowedDown(response, path)) return true
  const body = faults.bodies?.[path]
  if (body !== undefined && request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(body)
    return true
  }
  if (/\/v1\/files$/.test(path) && request.method === 'GET') lists += 1
  const id = /\/v1\/file\/([^/]+)$/.exec(path)?.[1]
  if (id === undefined) return false
  if (request.method === 'DELETE' && faults.deleteStatus?.[id]) return fail(response, faults.deleteStatus[id])
  return request.method === 'HEAD' && obstructHead(response, decodeURIComponent(id))
}

function isSlowedDown(response: ServerResponse, path: string): boolean {
  const seconds = faults.slowDownPaths?.[path]
  if (seconds === undefined) return false
  const since = slowedAt.get(path)
  if (since !== undefined) {
    waited[path] ??= performance.now() - since
    return false
  }
  slowedAt.set(path, performance.now())
  return fail(response, 429, { 'retry-after': String(seconds) })
}

function obstructHead(response: ServerResponse, id: string): boolean {
  headCount += 1
  heads.set(id, (heads.get(id) ?? 0) + 1)
  if ((faults.slowDownHeads ?? 0) > 0) {
    faults.slowDownHeads = (faults.slowDownHeads ?? 0) - 1
    return fail(response, 429, { 'retry-after': '1' })
  }
  const header = faults.metadata?.[id]
  if (header !== undefined) replaceMetadata(response, header)
  return false
}

/** Forwards the service's response with a different metadata header or none. */
function replaceMetadata(response: ServerResponse, header: string | null): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    headers?: Record<string, unknown>,
  ) => ServerResponse
  response.writeHead = ((status: number, headers: Record<string, unknown> = {}) => {
    const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'x-service-metadata')
    return writeHead(status, Object.fromEntries(header === null ? others : [...others, ['x-service-metadata', header]]))
  }) as typeof response.writeHead
}

const flags = {
  port: process.argv[process.argv.indexOf('--port') + 1],
  data: process.argv[process.argv.indexOf('--data') + 1],
}
const log = pino({ level: 'warn' }, pino.destination({ fd: 2, sync: false }))
const service = await startService(readConfig(flags, process.env), { clock: Date.now, log })
const { server } = service.app
const answers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
server.removeAllListeners('request')

function receive(request: IncomingMessage, response: ServerResponse, path: string): void {
  if (faults.hold?.some((begin) => path.startsWith(begin))) {
    held.push({ request, response, path })
    // The client has gone.
    response.on('close', () => {
      held = held.filter((one) => one.response !== response)
    })
  } else if (!isApi(path) || !obstruct(request, response, path)) {
    for (const answer of answers) answer(request, response)
  }
}

server.on('request', (request, response) => {
  const path = (request.url ?? '').split('?')[0] ?? ''
  if (path === '/faults') void answerSwitch(request, response)
  else receive(request, response, path)
})
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)))
process.stdout.write(`Parley is ready at ${service.address}\n`)
