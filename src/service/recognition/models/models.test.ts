import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FetchOptions, fetchModel } from './fetch-model.ts'
import { ModelFolder } from './model-folder.ts'
import { ModelSupply } from './model-supply.ts'
import type { ModelId, PinnedModel } from './pins.ts'

const big = randomBytes(300_000)
const small = Buffer.from('tokens 0\n')
const names = ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt']

function pinned(id: ModelId, files: Record<string, Buffer>): PinnedModel {
  return {
    id,
    about: 'made',
    license: 'none',
    files: Object.entries(files).map(([name, content]) => ({
      name,
      url: `http://127.0.0.1:9/${name}`,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
  }
}

const contents = Object.fromEntries(
  names.map((name) => [name, name.startsWith('encoder') ? big : Buffer.from(`${name}\n`)]),
)
const models = [
  pinned('parakeet-110m', contents),
  pinned('silero-vad', { 'silero_vad.onnx': small }),
  pinned('titanet-small', { 'titanet.onnx': Buffer.from('voice') }),
]

let root: string
let folder: ModelFolder
let server: Server
let ranges: (string | undefined)[]
let serve: (content: Buffer, request: IncomingMessage, response: ServerResponse) => void

/** A correct server: sends whole files, or the requested range. */
function honest(content: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  if (from === 0) return void response.writeHead(200).end(content)
  if (from >= content.length) return void response.writeHead(416).end()
  response.writeHead(206, { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` })
  response.end(content.subarray(from))
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'parley-models-'))
  folder = new ModelFolder(join(root, 'models'), models)
  ranges = []
  serve = honest
  server = createServer((request, response) => {
    ranges.push(request.headers.range)
    const [, id, name] = (request.url ?? '').split('/')
    const content = id === 'parakeet-110m' ? contents[name ?? ''] : small
    serve(content ?? small, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(root, { recursive: true })
})

function options(more: Partial<FetchOptions> = {}): FetchOptions {
  const { port } = server.address() as AddressInfo
  const mirrors = [new URL(`http://127.0.0.1:${port}`)]
  return { mirrors, signal: new AbortController().signal, retryWaitsMs: [0, 0], silenceMs: 5_000, ...more }
}

const encoderPart = () => join(folder.root, 'parakeet-110m-encoder.int8.onnx.part')
const fetchIt = (more?: Partial<FetchOptions>) => fetchModel(folder, 'parakeet-110m', options(more))

describe('fetching a model', () => {
  it('downloads every file, reports progress, and requests nothing twice', async () => {
    const told: number[] = []
    await fetchIt({ onProgress: (bytes) => told.push(bytes) })
    expect(await folder.find('parakeet-110m')).toBe(join(folder.root, 'parakeet-110m'))
    expect(readFileSync(join(folder.root, 'parakeet-110m', 'encoder.int8.onnx'))).toEqual(big)
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(told.at(-1)).toBe(models[0]?.files.reduce((sum, { bytes }) => sum + bytes, 0))
    await fetchIt()
    expect(ranges).toHaveLength(4)
  })

  it('continues where the connection broke', async () => {
    let breaks = 2
    let breakAt = Number.POSITIVE_INFINITY
    let cut: () => void = () => {}
    serve = (content, request, response) => {
      if (content !== big || breaks === 0) return honest(content, request, response)
      breaks -= 1
      const from = Number(/(\d+)/.exec(request.headers.range ?? '')?.[1] ?? 0)
      response.writeHead(from === 0 ? 200 : 206, {
        'content-length': content.length - from,
        'content-range': `bytes ${from}-${content.length - 1}/${content.length}`,
      })
      breakAt = from + 100_000
      cut = () => response.destroy()
      response.write(content.subarray(from, breakAt))
    }
    const onProgress = (bytes: number) => {
      if (bytes === breakAt) cut()
    }
    await fetchIt({ onProgress })
    expect(ranges.slice(0, 3)).toEqual([undefined, 'bytes=100000-', 'bytes=200000-'])
    expect(await folder.find('parakeet-110m')).not.toBeNull()
  })

  it('asks mirrors in their order, and says of each why it failed', async () => {
    const [good] = options().mirrors ?? []
    const away = new URL('http://127.0.0.1:1')
    await expect(fetchIt({ mirrors: [away], retryWaitsMs: [] })).rejects.toThrow(
      /^encoder\.int8\.onnx of parakeet-110m could not be downloaded\. 127\.0\.0\.1:1: No connection\. Set MODEL_URL .*model import DIR\.$/,
    )
    serve = (_, __, response) => void response.writeHead(404).end()
    await expect(fetchIt({ mirrors: [away, good ?? away], retryWaitsMs: [] })).rejects.toThrow(
      /127\.0\.0\.1:1: No connection\. 127\.0\.0\.1:\d+: The server returned 404\./,
    )
    serve = honest
    await fetchIt({ mirrors: [away, good ?? away], retryWaitsMs: [] })
    expect(await folder.find('parakeet-110m')).not.toBeNull()
  })

  it('starts again with a server that knows no ranges', async () => {
    await fetchIt()
    rmSync(join(folder.root, 'parakeet-110m', 'encoder.int8.onnx'))
    writeFileSync(encoderPart(), randomBytes(1_000))
    serve = (content, _, response) => void response.writeHead(200).end(content)
    await fetchIt()
    expect(readFileSync(join(folder.root, 'parakeet-110m', 'encoder.int8.onnx'))).toEqual(big)
  })

  it.each<[string, typeof serve]>([
    ['other bytes of the same length', (content, _, response) => void response.end(Buffer.alloc(content.length))],
    ['more bytes than pinned', (content, _, response) => void response.end(Buffer.concat([content, content]))],
    ['fewer bytes than pinned', (content, _, response) => void response.end(content.subarray(1))],
    [
      'a page',
      (_, __, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    ],
    ['nothing but 404', (_, __, response) => void response.writeHead(404).end()],
    ['nothing but 500', (_, __, response) => void response.writeHead(500).end()],
    [
      'a part that was not asked for',
      (content, _, response) => void response.writeHead(206, { 'content-range': 'bytes 7-9/10' }).end(content),
    ],
    ['silence', (_, __, response) => void response.writeHead(200).write('x')],
  ])('never takes %s', async (_, lie) => {
    serve = lie
    await expect(fetchIt({ silenceMs: 300 })).rejects.toThrow('could not be downloaded')
    expect(await folder.find('parakeet-110m')).toBeNull()
    expect(existsSync(join(folder.root, 'parakeet-110m', 'encoder.int8.onnx'))).toBe(false)
  })

  it('recovers from a part of other content', async () => {
    await expect(fetchIt({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
    writeFileSync(encoderPart(), randomBytes(250_000))
    await fetchIt()
    expect(await folder.find('parakeet-110m')).not.toBeNull()
    expect(ranges[0]).toBe('bytes=250000-')
    expect(ranges[1]).toBeUndefined()
  })

  it('stops when it is aborted and keeps what has arrived', async () => {
    const stop = new AbortController()
    serve = (content, _, response) => void response.write(content.subarray(0, 70_000))
    const fetched = fetchIt({ signal: stop.signal })
    const arrived = () => (existsSync(encoderPart()) ? readFileSync(encoderPart()).length : 0)
    await Promise.race([fetched, expect.poll(arrived).toBeGreaterThan(0)])
    stop.abort()
    await expect(fetched).rejects.toThrow(/abort/)
    expect(arrived()).toBeGreaterThan(0)
  })
})

describe('the model folder', () => {
  it('does not take a file that was cut short or changed afterwards', async () => {
    await fetchIt()
    const path = join(folder.root, 'parakeet-110m', 'encoder.int8.onnx')
    truncateSync(path, 200_000)
    expect(await folder.find('parakeet-110m')).toBeNull()
    expect(await folder.faults('parakeet-110m', true)).toEqual(['encoder.int8.onnx has 200000 bytes instead of 300000'])
    writeFileSync(path, Buffer.alloc(big.length))
    expect(await folder.faults('parakeet-110m', false)).toEqual(['encoder.int8.onnx does not match its checksum'])
  })

  it('imports by content, whatever the names, and nothing else', async () => {
    const from = mkdtempSync(join(root, 'from-'))
    writeFileSync(join(from, 'anything.bin'), big)
    writeFileSync(join(from, 'tokens.txt'), 'not it\n')
    writeFileSync(join(from, 'encoder.int8.onnx'), Buffer.alloc(big.length))
    expect(await folder.importFrom(from)).toEqual(['parakeet-110m/encoder.int8.onnx'])
    expect(readFileSync(join(folder.root, 'parakeet-110m', 'encoder.int8.onnx'))).toEqual(big)
    expect(readdirSync(join(folder.root, 'parakeet-110m'))).toEqual(['encoder.int8.onnx'])
  })
})

describe('the supply', () => {
  const log = pino({ level: 'silent' })
  function supply(more: Partial<ConstructorParameters<typeof ModelSupply>[0]> = {}): ModelSupply {
    const config = { modelDir: null, modelUrl: options().mirrors, offline: false, recognizerModel: null, ...more }
    return new ModelSupply(config, folder, log, { retryWaitsMs: [], silenceMs: 2_000 })
  }

  it('downloads in the background and reports progress', async () => {
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    serve = (content, request, response) => {
      if (content !== big) return honest(content, request, response)
      response.writeHead(200).write(content.subarray(0, 200_000))
      void held.then(() => response.end(content.subarray(200_000)))
    }
    const supplied = supply()
    expect(await supplied.supply()).toMatchObject({
      state: 'coming',
      reason: expect.stringContaining('being downloaded'),
    })
    await expect.poll(() => supplied.download?.bytes).toBeGreaterThanOrEqual(200_000)
    expect(supplied.download?.total_bytes).toBeGreaterThan(300_000)
    release()
    await expect.poll(async () => (await supplied.supply()).state).toBe('ready')
    await expect.poll(() => supplied.download).toBeNull()
    await supplied.close()
  })

  it('reports a failed download, and does not retry for a while', async () => {
    serve = (_, __, response) => void response.writeHead(503).end()
    const supplied = supply()
    expect(await supplied.supply()).toMatchObject({ state: 'absent', reason: expect.stringContaining('503') })
    const asked = ranges.length
    expect(await supplied.supply()).toMatchObject({ state: 'absent' })
    expect(ranges).toHaveLength(asked)
    await supplied.close()
  })

  it('fetches nothing when offline', async () => {
    const supplied = supply({ offline: true })
    expect(await supplied.supply()).toMatchObject({ state: 'absent', reason: expect.stringContaining('OFFLINE') })
    expect(ranges).toEqual([])
    await supplied.close()
  })
})
