import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FileEntry } from '../../contract/account/file-pages.ts'
import type { FileMetadata } from '../../contract/interface/metadata.ts'
import { wordRecords } from '../../contract/interface/words.ts'
import { dataPaths } from '../platform/data-directory.ts'
import { storedPath } from '../platform/media/testing/stored-path.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { comparableWords } from './measure/word-errors.ts'
import { type FakeRecognizer, startFakeRecognizer } from './testing/fake-recognizer.ts'
import { makeSpokenPieces } from './testing/made-speech.ts'
import { plainSentence, speak } from './testing/speak.ts'
import { writeStubModel } from './testing/stub-model.ts'

let kit: TestService
let recognizer: FakeRecognizer | null = null
afterEach(async () => {
  await kit.close()
  await recognizer?.close()
  recognizer = null
})

const probe = mkdtempSync(join(tmpdir(), 'parley-disk-'))
const canMount = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', probe]).status === 0
if (canMount) spawnSync('umount', [probe])
rmdirSync(probe)

/** Mounts a full disk over the directory for parts of files. @returns a function that unmounts it */
function fillDisk(): () => void {
  const folder = join(dataPaths(kit.platform.config.dataDir).blobs, 'staging')
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8192', 'tmpfs', folder]).status).toBe(0)
  onTestFinished(() => void spawnSync('umount', [folder]))
  return () => expect(spawnSync('umount', [folder]).status).toBe(0)
}

async function startWithServer(): Promise<FakeRecognizer> {
  recognizer = await startFakeRecognizer()
  kit = await startTestService({ recognizer: 'http', recognizerUrl: recognizer.url })
  return recognizer
}

/** Waits until a file meets a condition, checking on each of its changes. */
async function until(key: string, id: string, isSo: (file: FileMetadata) => boolean): Promise<FileMetadata> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = kit.platform.changes.subscribe((change) => {
        if (change.kind !== 'file') return
        stop()
        resolve()
      })
    })
    const file = await kit.metadata(key, id)
    if (isSo(file)) return file
    await changed
  }
}

/** Waits until the job is back in its table, pending its next attempt. */
async function untilWaiting(id: string): Promise<void> {
  const job = () =>
    kit.platform.db.selectFrom('jobs').select('state').where('file_id', '=', id).where('kind', '=', 'speech').execute()
  await expect.poll(job, { timeout: 60_000 }).toEqual([{ state: 'waiting' }])
}

/** Steps of a recording that are still queued. */
async function stepsOf(id: string): Promise<(string | null)[]> {
  const jobs = kit.platform.db.selectFrom('jobs').select('step').where('file_id', '=', id).where('kind', '=', 'speech')
  return (await jobs.execute()).map(({ step }) => step)
}

/** Advances the clock past the next attempt. */
async function lookAgain(id: string): Promise<void> {
  await untilWaiting(id)
  kit.advance(20_000)
}

async function untilProgress(key: string, id: string, percent: number): Promise<number> {
  return (await until(key, id, ({ progress_percent }) => progress_percent >= percent)).progress_percent
}

describe('an automated order', () => {
  it('comes back with the words that were said', async () => {
    kit = await startTestService({ recognizer: 'pocketsphinx' })
    const { key } = await kit.account()
    const { id } = await kit.order(key, await readFile(await speak(plainSentence)), '?transcript_type=automated')
    expect(await untilProgress(key, id, 100)).toBe(100)
    const words = wordRecords.parse(await (await kit.fetch(key, `file/${id}.json`)).json())
    const heard = new Set(words.map(({ word }) => word.toLowerCase()))
    const said = new Set(comparableWords(plainSentence))
    expect([...said].filter((word) => heard.has(word)).length).toBeGreaterThan(said.size / 2)
    expect(await kit.metadata(key, id)).toMatchObject({ delay_reason: null })
    expect(await kit.platform.blobs.size(id, 'peaks')).toBeGreaterThan(50)
  })

  it('of silence is an empty transcript', async () => {
    kit = await startTestService({ recognizer: 'pocketsphinx' })
    const { key } = await kit.account()
    const silence = new Uint8Array(await kit.tone(3)).fill(0, 100)
    const { id } = await kit.order(key, silence, '?transcript_type=automated')
    await untilProgress(key, id, 100)
    expect(await (await kit.fetch(key, `file/${id}.json`)).json()).toEqual([])
    expect(await (await kit.fetch(key, `file/${id}`)).text()).toContain('No speech was found in this recording.')
  })
})

describe('an order that waits', () => {
  it('reports what is missing without an engine, and continues automatically once there is one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-engine-'))
    kit = await startTestService({ recognizer: 'sherpa', modelDir: join(folder, 'model') })
    const { key } = await kit.account()
    const logged = vi.spyOn(kit.platform.log, 'info')
    const { id } = await kit.order(key, makeSpokenPieces(1), '?transcript_type=automated')
    const { delay_reason, progress_percent } = await until(key, id, (file) => file.delay_reason !== null)
    expect(delay_reason).toContain('MODEL_DIR')
    expect(progress_percent).toBe(0)
    expect(await (await kit.fetch(key, `file/${id}`)).text()).not.toContain('alpha')
    await writeStubModel(join(folder, 'model'))
    await lookAgain(id)
    await untilProgress(key, id, 100)
    expect((await kit.metadata(key, id)).delay_reason).toBeNull()
    expect(await (await kit.fetch(key, `file/${id}`)).text()).toContain('alpha bravo')
    expect(logged.mock.calls.filter(([, words]) => words?.startsWith('an order waits'))).toEqual([
      [{ fileId: id, reason: delay_reason }, 'an order waits'],
      [{ fileId: id, reason: null }, 'an order waits no more'],
    ])
    await rm(folder, { recursive: true })
  })

  it('waits if the model is truncated', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-engine-'))
    await writeStubModel(folder)
    await truncate(join(folder, 'encoder.onnx'), 300)
    kit = await startTestService({ recognizer: 'sherpa', modelDir: folder })
    const { key } = await kit.account()
    const { id } = await kit.order(key, makeSpokenPieces(1), '?transcript_type=automated')
    const waiting = await until(key, id, (file) => file.delay_reason !== null)
    expect(waiting).toMatchObject({ progress_percent: 0, delay_reason: expect.stringContaining('model verify') })
    await lookAgain(id)
    expect(Number((await kit.metadata(key, id)).refund_amount)).toBe(0)
    await rm(folder, { recursive: true })
  })

  it.skipIf(!canMount)('waits if the disk has no room for its audio (needs the right to mount)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-engine-'))
    kit = await startTestService({ recognizer: 'sherpa', modelDir: join(folder, 'model') })
    const { key } = await kit.account()
    const { id } = await kit.order(key, makeSpokenPieces(1), '?transcript_type=automated')
    await until(key, id, (file) => file.delay_reason?.toString().includes('MODEL_DIR') === true)
    await writeStubModel(join(folder, 'model'))
    await untilWaiting(id)
    const makeRoom = fillDisk()
    await lookAgain(id)
    await until(key, id, (file) => file.delay_reason?.toString().includes('out of storage space') === true)
    await untilWaiting(id)
    makeRoom()
    await lookAgain(id)
    await untilProgress(key, id, 100)
    expect((await kit.metadata(key, id)).delay_reason).toBeNull()
    await rm(folder, { recursive: true })
  })

  it('waits while the server is in trouble, and loses no finished piece', async () => {
    const server = await startWithServer()
    server.before = (count) => (count >= 3 ? 401 : 'answer')
    const { key } = await kit.account()
    const { id } = await kit.order(key, makeSpokenPieces(4), '?transcript_type=automated')
    const waiting = await until(key, id, (file) => file.delay_reason !== null)
    expect(waiting.delay_reason).toContain('rejected its API key')
    expect(waiting.progress_percent).toBeGreaterThan(30)
    const heard = new Set(server.asked).size
    server.before = () => 'answer'
    await lookAgain(id)
    await untilProgress(key, id, 100)
    expect((await kit.metadata(key, id)).delay_reason).toBeNull()
    const words = wordRecords.parse(await (await kit.fetch(key, `file/${id}.json`)).json())
    expect(words).toHaveLength(8)
    expect(new Set(server.asked).size).toBe(4)
    expect(heard).toBe(3)
  })
})

describe('a restart', () => {
  it('continues behind the last finished piece, and reads, cuts and listens to nothing before it', async () => {
    const server = await startWithServer()
    const { key } = await kit.account()
    const hung = new Promise<void>((tell) => {
      server.before = (count) => {
        if (count < 4) return 'answer'
        tell()
        return 'hang'
      }
    })
    const { id } = await kit.order(key, makeSpokenPieces(6), '?transcript_type=automated')
    await hung
    await expect.poll(() => stepsOf(id), { timeout: 60_000 }).toEqual(['hear'])
    // Stored results must not be recomputed: neither the recording nor the beginning of its audio may be read.
    await truncate(storedPath(kit.platform.blobs, id, 'media'), 0)
    const sound = await open(storedPath(kit.platform.blobs, id, 'sound/0'), 'r+')
    await sound.write(new Uint8Array(20 * 32_000), 0, 20 * 32_000, 0)
    await sound.close()
    server.before = () => 'answer'
    await kit.restart()
    await untilProgress(key, id, 100)
    const words = wordRecords.parse(await (await kit.fetch(key, `file/${id}.json`)).json())
    expect(words).toHaveLength(12)
    expect(new Set(server.asked).size).toBe(6)
    expect(server.asked).toHaveLength(7)
    expect(await kit.platform.blobs.size(id, 'sound/0')).toBeNull()
  })
})

describe('a recording that cannot be read', () => {
  it.each([
    ['nothing of it', 0, 'no sound could be read'],
    ['its first third', 0.33, 'only its first 20 s of 63 s'],
  ])('but %s is given back in full, says why, and nothing waits behind it', async (_, share, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-engine-'))
    kit = await startTestService({ recognizer: 'sherpa', modelDir: join(folder, 'model') })
    const { key, id: account } = await kit.account()
    const sound = makeSpokenPieces(6)
    const { id } = await kit.order(key, sound, '?transcript_type=automated')
    await until(key, id, (file) => file.delay_reason !== null)
    // Damaged on the disk after it was probed and charged.
    await truncate(storedPath(kit.platform.blobs, id, 'media'), Math.floor(sound.length * share))
    await writeStubModel(join(folder, 'model'))
    await lookAgain(id)
    const refunded = await until(key, id, (file) => Number(file.refund_amount) > 0)
    expect(refunded.delay_reason).toContain(words)
    expect(Number(refunded.refund_amount)).toBe(refunded.total)
    const { db } = kit.platform
    const rows = await db.selectFrom('ledger').select('amount_cents').where('account_id', '=', account).execute()
    expect(rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(0)
    const next = await kit.order(key, makeSpokenPieces(1), '?transcript_type=automated')
    await untilProgress(key, next.id, 100)
    await rm(folder, { recursive: true })
  })

  it('but for its last twentieth comes with the words of the rest, and every text says where it ends', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-engine-'))
    kit = await startTestService({ recognizer: 'sherpa', modelDir: join(folder, 'model') })
    const { key } = await kit.account()
    const sound = makeSpokenPieces(6)
    const { id } = await kit.order(key, sound, '?transcript_type=automated')
    await until(key, id, (file) => file.delay_reason !== null)
    await truncate(storedPath(kit.platform.blobs, id, 'media'), Math.floor(sound.length * 0.95))
    await writeStubModel(join(folder, 'model'))
    await lookAgain(id)
    await untilProgress(key, id, 100)
    const text = await (await kit.fetch(key, `file/${id}.txt`)).text()
    expect(text).toContain('alpha bravo')
    const damage = '[The recording is damaged: from 00:59 to its end at 01:03 it could not be read.]'
    expect(text.trimEnd().endsWith(damage)).toBe(true)
    const odt = unzipSync(new Uint8Array(await (await kit.fetch(key, `file/${id}.odt`)).arrayBuffer()))
    expect(strFromU8(odt['content.xml'] ?? new Uint8Array())).toContain(damage)
    expect(await kit.metadata(key, id)).toMatchObject({ delay_reason: null, refund_amount: '0.00' })
    const entry = await accountClient(kit.address, key).read<FileEntry>('GET', `files/${id}`)
    expect(Math.floor(entry.readable_seconds ?? 0)).toBe(59)
    await rm(folder, { recursive: true })
  })
})

describe('a server that refuses a recording', () => {
  it('is tried ten times, then the order is refunded, and the next one recognized', async () => {
    const server = await startWithServer()
    server.before = () => 413
    const { key } = await kit.account()
    const { id } = await kit.order(key, makeSpokenPieces(1), '?transcript_type=automated')
    const failedJob = () =>
      kit.platform.db
        .selectFrom('jobs')
        .select(['state', 'attempts'])
        .where('file_id', '=', id)
        .where('kind', '=', 'speech')
        .executeTakeFirst()
    for (let attempt = 1; attempt < 10; attempt += 1) {
      await expect.poll(failedJob, { timeout: 60_000 }).toEqual({ state: 'waiting', attempts: attempt })
      kit.advance(400_000)
    }
    const refunded = await until(key, id, (file) => Number(file.refund_amount) > 0)
    expect(Number(refunded.refund_amount)).toBe(refunded.total)
    expect(refunded.delay_reason).toContain('failed on this recording several times')
    expect(server.asked).toHaveLength(10)
    server.before = () => 'answer'
    const next = await kit.order(key, makeSpokenPieces(1), '?transcript_type=automated')
    await untilProgress(key, next.id, 100)
  })
})

describe('a file that is deleted', () => {
  it('ends its recognition and leaves nothing', async () => {
    const server = await startWithServer()
    const { key } = await kit.account()
    const hung = new Promise<void>((tell) => {
      server.before = (count) => {
        if (count < 2) return 'answer'
        tell()
        return 'hang'
      }
    })
    const { id } = await kit.order(key, makeSpokenPieces(6), '?transcript_type=automated')
    await hung
    expect((await kit.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
    server.before = () => 'answer'
    const next = await kit.order(key, makeSpokenPieces(1), '?transcript_type=automated')
    await untilProgress(key, next.id, 100)
    const left = await kit.platform.db.selectFrom('pieces').select('file_id').where('file_id', '=', id).execute()
    expect(left).toEqual([])
    expect(await kit.platform.blobs.size(id, 'words.json')).toBeNull()
  })
})

describe('fairness', () => {
  it("lets one account's recording pass another's many", async () => {
    const server = await startWithServer()
    const { promise: allOrdered, resolve: goOn } = Promise.withResolvers<'answer'>()
    server.before = () => allOrdered
    const many = await kit.account()
    const one = await kit.account()
    const orders: { id: string }[] = []
    while (orders.length < 6) orders.push(await kit.order(many.key, makeSpokenPieces(2), '?transcript_type=automated'))
    const { id } = await kit.order(one.key, makeSpokenPieces(1), '?transcript_type=automated')
    const ended: string[] = []
    const follow = async (key: string, file: string) => {
      await untilProgress(key, file, 100)
      ended.push(file)
    }
    const all = Promise.all([...orders.map((order) => follow(many.key, order.id)), follow(one.key, id)])
    // A recording that is not decoded yet overtakes nobody.
    const steps = kit.platform.db.selectFrom('jobs').select('id').where('file_id', '=', id)
    await kit.until(() => steps.where('step', '=', 'hear').executeTakeFirst())
    goOn('answer')
    await all
    // Two of the others were in recognition when it arrived, and one or two may have been next.
    expect(ended.indexOf(id)).toBeLessThanOrEqual(4)
  })
})
