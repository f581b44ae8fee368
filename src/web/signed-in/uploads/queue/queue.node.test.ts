import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { specDefaultOptions } from '../../../../contract/interface/option-values.ts'
import { ApiError } from '../../../base/api/client.ts'
import type { Owner, Upload, UploadState } from '../tray/upload.ts'
import { UploadList } from '../tray/upload-list.ts'
import { UploadQueue } from './queue.ts'
import type { Abilities, QueuePorts } from './queue-ports.ts'

const owner: Owner = { environment: 'live', account: 'a' }
const megabytes = 1_000_000

type Sending = {
  id: string
  resumes: boolean
  progress: (bytes: number) => void
  sent: () => void
  url: (url: string) => void
  succeed: (fileId: string) => void
  fail: (error: unknown) => void
}

/** The queue with a simulated network and clock; everything between them is real. */
function bench(abilities: Partial<Abilities> = {}, limit?: number, bytes = 100 * megabytes) {
  const uploads = new UploadList()
  const sendings: Sending[] = []
  const ticks = new Set<() => void>()
  const world = {
    now: 1_000_000,
    isOnline: true,
    isSignedIn: true,
    known: [] as string[],
    existing: null as { fileId: string; created: string; total: number } | null,
    reachable: [] as (() => void)[],
    ordered: [] as string[],
    saved: 0,
  }
  const ports: QueuePorts = {
    uploads,
    credentialsOf: () => (world.isSignedIn ? { environment: 'live', key: 'k' } : null),
    makeAbilities: () => ({ knowsKeys: true, resumes: false, ...abilities }),
    send: (_credentials, upload, _file, { signal, resumes, onProgress, onSent, onUrl }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
        sendings.push({
          id: upload.id,
          resumes,
          progress: onProgress,
          sent: onSent,
          url: onUrl,
          succeed: resolve,
          fail: reject,
        })
      }),
    listIds: async () => world.known,
    findExisting: async () => world.existing,
    untilReachable: () => new Promise((resolve) => world.reachable.push(resolve)),
    save: async () => {
      world.saved += 1
    },
    isOnline: () => world.isOnline,
    now: () => world.now,
    every: (_ms, callback) => {
      ticks.add(callback)
      return () => void ticks.delete(callback)
    },
    onOrdered: (_line, fileId) => world.ordered.push(fileId),
  }
  const queue = new UploadQueue(ports, limit)
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  async function order(...ids: string[]): Promise<void> {
    uploads.add(ids.map((id) => ({ ...draft(id), bytes })))
    const agreement = {
      options: specDefaultOptions,
      query: '',
      totalCents: 1,
      batch: 'b1',
      currency: 'USD',
      at: world.now,
    }
    queue.order(new Map(ids.map((id) => [id, agreement])))
    await settle()
  }
  async function pass(ms: number): Promise<void> {
    world.now += ms
    for (const tick of [...ticks]) tick()
    await settle()
  }
  const state = (id: string): UploadState | undefined => uploads.get(id)?.state
  const last = (id: string): Sending => {
    const found = sendings.findLast((sending) => sending.id === id)
    if (found === undefined) throw new Error(`${id} was not sent`)
    return found
  }
  return { uploads, queue, world, sendings, order, pass, settle, state, last }
}

function draft(id: string): Upload {
  const file = new File(['sound'], `${id}.mp3`, { type: 'audio/mpeg' })
  return {
    id,
    owner,
    source: { kind: 'file', file, handle: null, lastModified: 0, recordedMs: null },
    name: file.name,
    bytes: 100 * megabytes,
    addedAt: 0,
    inspection: null,
    overrides: {},
    agreement: null,
    state: { is: 'draft' },
    resumeUrl: null,
    unclearSince: null,
    idsBefore: null,
  }
}

const noAnswer = new ApiError(0, 'The connection dropped.')

describe('the queue', () => {
  it('sends nothing from the tray, and two at a time once ordered', async () => {
    const { uploads, queue, order, sendings, settle, last, state, world } = bench()
    uploads.add([draft('z')])
    queue.pump()
    await settle()
    expect(sendings).toHaveLength(0)
    await order('a', 'b', 'c')
    expect(sendings.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(state('c')).toEqual({ is: 'waiting', hold: 'turn' })
    last('a').succeed('file-a')
    await settle()
    expect(state('a')).toEqual({ is: 'ordered', fileId: 'file-a' })
    expect(world.ordered).toEqual(['file-a'])
    expect(sendings.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('keeps an upload safe on the device before its first byte', async () => {
    const { order, world } = bench()
    await order('a')
    expect(world.saved).toBe(1)
  })

  it('reports bytes, speed and time left, notices a stall after 30 s and never gives up', async () => {
    const { order, pass, last, state } = bench()
    await order('a')
    for (let second = 1; second <= 10; second += 1) {
      last('a').progress(second * megabytes)
      await pass(1_000)
    }
    expect(state('a')).toMatchObject({ is: 'sending', sentBytes: 10 * megabytes, stalled: false })
    const moving = state('a')
    expect(moving?.is === 'sending' && moving.bytesPerSecond).toBeGreaterThan(0.7 * megabytes)
    await pass(29_000)
    expect(state('a')).toMatchObject({ stalled: true, secondsLeft: null })
    await pass(24 * 60 * 60 * 1_000)
    expect(state('a')).toMatchObject({ is: 'sending' })
    last('a').progress(11 * megabytes)
    await pass(250)
    expect(state('a')).toMatchObject({ stalled: false })
  })

  it('retries aborted uploads with backoff, and holds the others until the service responds', async () => {
    const { queue, order, pass, last, state, settle, world, sendings } = bench()
    await order('a', 'b', 'c')
    last('a').progress(10 * megabytes)
    await pass(1_000)
    last('a').fail(noAnswer)
    await settle()
    for (const id of ['a', 'c']) expect(state(id)).toEqual({ is: 'waiting', hold: 'unreachable' })
    world.reachable.at(0)?.()
    await settle()
    expect(state('a')).toEqual({ is: 'waiting', hold: 'retry' })
    expect(state('c')).toMatchObject({ is: 'sending' })
    last('c').succeed('file-c')
    await pass(1_000)
    expect(sendings.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'a'])
    last('a').fail(new ApiError(500, 'Out of order.'))
    await settle()
    world.now += 1_000
    queue.pump()
    expect(state('a')).toEqual({ is: 'waiting', hold: 'retry' })
    await pass(1_000)
    expect(state('a')).toMatchObject({ is: 'sending' })
  })

  it('remembers that everything may have arrived', async () => {
    const { uploads, order, last, state, settle } = bench()
    await order('a')
    last('a').progress(100 * megabytes)
    last('a').sent()
    expect(state('a')).toMatchObject({ is: 'confirming' })
    last('a').fail(noAnswer)
    await settle()
    expect(state('a')).toEqual({ is: 'waiting', hold: 'unreachable' })
    expect(uploads.get('a')?.unclearSince).not.toBeNull()
  })

  it('remembers it in the first second of a small file, too, whose reports come later than its bytes', async () => {
    const { uploads, order, pass, last, settle } = bench({}, 2, 4 * megabytes)
    await order('a')
    await pass(100)
    last('a').progress(65_536)
    last('a').fail(noAnswer)
    await settle()
    expect(uploads.get('a')?.unclearSince).not.toBeNull()
  })

  it('asks a service without keys for the file before it offers a retry', async () => {
    const { order, last, state, settle, world, queue, sendings } = bench({ knowsKeys: false })
    await order('a')
    last('a').sent()
    world.existing = { fileId: 'f', created: '2026-11-21T10:00:00Z', total: 1 }
    last('a').fail(noAnswer)
    await settle()
    expect(state('a')).toEqual({ is: 'checking' })
    for (const answer of world.reachable) answer()
    await settle()
    expect(state('a')).toMatchObject({ is: 'failed', failure: { kind: 'found', fileId: 'f' } })
    world.existing = null
    queue.retry(['a'])
    await settle()
    expect(sendings).toHaveLength(2)
  })

  it('asks first if the key is older than its lifetime on the service', async () => {
    const { order, last, state, settle, world, sendings } = bench()
    await order('a')
    last('a').sent()
    last('a').fail(noAnswer)
    await settle()
    world.now += 25 * 60 * 60 * 1_000
    world.existing = { fileId: 'f', created: '2026-11-21T10:00:00Z', total: 1 }
    for (const answer of world.reachable) answer()
    await settle()
    expect(state('a')).toMatchObject({ is: 'failed', failure: { kind: 'found' } })
    expect(sendings).toHaveLength(1)
  })

  it('remembers a lost response when later attempts are refused, and forgets none that never was', async () => {
    const { uploads, order, pass, last, state, settle, world } = bench()
    await order('a', 'b')
    const since = uploads.get('a')?.unclearSince
    last('a').sent()
    last('a').fail(noAnswer)
    last('b').fail(new ApiError(404, 'There is no such project.'))
    await settle()
    expect(uploads.get('b')?.unclearSince).toBeNull()
    world.reachable.at(0)?.()
    await pass(1_100)
    last('a').fail(new ApiError(429, 'Busy.'))
    await settle()
    expect(uploads.get('a')?.unclearSince).toBe(since)
    await pass(6_000)
    last('a').fail(new ApiError(404, 'There is no such project.'))
    await settle()
    expect(state('a')).toMatchObject({ is: 'failed' })
    expect(uploads.get('a')?.unclearSince).toBe(since)
  })

  it('notes what the service holds of an upload that can resume, a percent at a time', async () => {
    const { uploads, order, pass, last } = bench({ resumes: true })
    await order('a')
    last('a').url('/uploads/1')
    last('a').progress(10 * megabytes)
    await pass(500)
    expect(uploads.get('a')?.heldBytes).toBe(10 * megabytes)
    last('a').progress(10 * megabytes + 1)
    await pass(500)
    expect(uploads.get('a')?.heldBytes).toBe(10 * megabytes)
    last('a').url('/uploads/1')
    expect(uploads.get('a')?.heldBytes).toBe(10 * megabytes)
    // What the service held has expired.
    last('a').url('/uploads/2')
    expect(uploads.get('a')?.heldBytes).toBe(0)
  })

  it('waits while offline, says so, and comes back automatically', async () => {
    const { order, world, state, settle, sendings, last, pass } = bench()
    await order('a')
    last('a').progress(1 * megabytes)
    await pass(1_000)
    world.isOnline = false
    last('a').fail(noAnswer)
    await settle()
    expect(state('a')).toEqual({ is: 'waiting', hold: 'offline' })
    for (const answer of world.reachable) answer()
    world.isOnline = true
    await pass(1_000)
    expect(sendings).toHaveLength(2)
  })

  it('resumes automatically if the service kept the sent bytes, and really pauses such an upload', async () => {
    const { order, world, state, queue, settle, sendings, last, pass, uploads } = bench({ resumes: true })
    await order('a')
    last('a').url('/uploads/1')
    last('a').progress(30 * megabytes)
    await pass(1_000)
    last('a').fail(noAnswer)
    await settle()
    expect(state('a')).toEqual({ is: 'waiting', hold: 'unreachable' })
    for (const answer of world.reachable) answer()
    await pass(1_000)
    expect(sendings).toHaveLength(2)
    expect(uploads.get('a')?.resumeUrl).toBe('/uploads/1')
    queue.pause()
    await settle()
    expect(state('a')).toEqual({ is: 'waiting', hold: 'paused' })
    queue.resume()
    await settle()
    expect(sendings).toHaveLength(3)
  })

  it.each([402, 507])('stops the queue after a %i, since every upload would fail the same way', async (status) => {
    const { order, last, state, settle, queue, sendings } = bench()
    await order('a', 'b', 'c')
    last('a').fail(new ApiError(status, 'No.'))
    await settle()
    expect(state('a')).toMatchObject({ is: 'failed', failure: { kind: 'refused', status } })
    expect(state('c')).toEqual({ is: 'waiting', hold: 'paused' })
    queue.retry(['a'])
    await settle()
    expect(sendings.map(({ id }) => id)).toEqual(['a', 'b', 'a'])
  })

  it.each([429, 503])('takes a %i as a request to wait', async (status) => {
    const { order, last, state, settle, pass, sendings } = bench()
    await order('a')
    last('a').fail(new ApiError(status, 'Later.', { retryAfterMs: 2_000 }))
    await settle()
    expect(state('a')).toEqual({ is: 'waiting', hold: 'busy' })
    await pass(2_500)
    expect(sendings).toHaveLength(2)
  })

  it('stops and forgets an upload, but not one that is being confirmed', async () => {
    const { order, last, queue, uploads, settle } = bench()
    await order('a', 'b')
    last('b').sent()
    queue.cancel(['a', 'b'])
    await settle()
    expect(uploads.get('a')).toBeNull()
    expect(uploads.get('b')?.state.is).toBe('confirming')
  })

  it('sends nothing for an account that signed out, and continues at the next sign-in', async () => {
    const { order, world, queue, state, settle, sendings } = bench()
    await order('a')
    world.isSignedIn = false
    queue.hold(owner)
    await settle()
    expect(state('a')).toEqual({ is: 'waiting', hold: 'signed-out' })
    world.isSignedIn = true
    queue.pump()
    await settle()
    expect(sendings).toHaveLength(2)
  })

  it('reports a file that changed on disk while it waited before anything is sent', async () => {
    const { uploads, order, state, sendings, queue, settle } = bench()
    const broken = draft('a')
    const file = Object.assign(new File(['x'], 'a.mp3'), {
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('changed', 'NotReadableError')) }),
    })
    if (broken.source.kind !== 'file') throw new Error('no file')
    uploads.add([{ ...broken, source: { ...broken.source, file: file as unknown as Blob } }])
    const agreement = { options: specDefaultOptions, query: '', totalCents: 1, batch: 'b1', currency: 'USD', at: 0 }
    queue.order(new Map([['a', agreement]]))
    await settle()
    expect(state('a')).toEqual({ is: 'failed', failure: { kind: 'file-changed' } })
    expect(sendings).toHaveLength(0)
    await order('b')
    expect(state('b')).toMatchObject({ is: 'sending' })
  })

  it('never sends an upload twice concurrently and never exceeds its limit, whatever happens', async () => {
    const event = fc.record({
      kind: fc.constantFrom(
        'succeed',
        'drop',
        'refuse',
        'retry',
        'cancel',
        'pause',
        'resume',
        'offline',
        'online',
        'reach',
        'sent',
      ),
      pick: fc.nat(5),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (events, limit) => {
        const { uploads, order, queue, world, sendings, settle } = bench({}, limit)
        const ids = ['a', 'b', 'c', 'd']
        uploads.add(ids.map((id) => ({ ...draft(id), source: { kind: 'link', url: 'http://x' }, bytes: 0 }) as Upload))
        const open = new Set<Sending>()
        const seen = new Set<Sending>()
        await order(...ids)
        for (const { kind, pick } of events) {
          for (const sending of sendings) if (!seen.has(sending)) open.add(sending)
          for (const sending of open) seen.add(sending)
          const chosen = [...open].at(pick % Math.max(1, open.size))
          const id = ids[pick % ids.length] ?? 'a'
          if (chosen && kind === 'succeed') chosen.succeed(`f-${chosen.id}`)
          if (chosen && kind === 'drop') chosen.fail(noAnswer)
          if (chosen && kind === 'refuse') chosen.fail(new ApiError(415, 'No.'))
          if (chosen && ['succeed', 'drop', 'refuse'].includes(kind)) open.delete(chosen)
          if (chosen && kind === 'sent' && uploads.get(chosen.id)?.state.is === 'sending') chosen.sent()
          if (kind === 'retry') queue.retry([id])
          if (kind === 'cancel') queue.cancel([id])
          if (kind === 'pause') queue.pause()
          if (kind === 'resume') queue.resume()
          if (kind === 'offline') world.isOnline = false
          if (kind === 'online') world.isOnline = true
          if (kind === 'reach') for (const answer of world.reachable.splice(0)) answer()
          queue.pump()
          await settle()
          const active = uploads.all().filter(({ state }) => state.is === 'sending' || state.is === 'confirming')
          expect(active.length).toBeLessThanOrEqual(limit)
        }
        // At most one order for each: an upload that succeeded is never sent again.
        for (const id of ids)
          expect(world.ordered.filter((fileId) => fileId === `f-${id}`).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 60 },
    )
  })
})
