import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { freePort } from '../../../src/service/testing/start-gateway.ts'
import { type NewAccount, parleyProgram, ServiceProcess } from '../../kit/service-process.ts'
import { lacking } from './lacking.ts'

const exec = promisify(execFile)
export const quiet = { RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'error' }
const patienceMs = 300_000
const betweenMs = 20

/** Where an older program keeps its data: a directory, on SQLite, or beside it a schema of PostgreSQL. */
export type Kept = { environment: Record<string, string>; schema: { cluster: string; name: string } | null }

type Page = { next_cursor: string | null }
/** What a customer reads of all files and of the money. */
async function readAll(service: ServiceProcess, key: string): Promise<unknown> {
  const client = accountClient(service.url, key)
  const pages = async <Read extends Page>(path: string): Promise<Read[]> => {
    const read: Read[] = []
    for (let cursor: string | null = ''; cursor !== null; cursor = read.at(-1)?.next_cursor ?? null) {
      read.push(await client.read<Read>('GET', `${path}?limit=200&cursor=${cursor}`))
    }
    return read
  }
  const files = (await pages<Page & { files: { id: string }[] }>('files')).flatMap((page) => page.files)
  const ledger = (await pages<Page & { entries: object[] }>('ledger')).flatMap(({ entries }) => entries)
  const texts = await Promise.all(
    files.slice(0, 40).map(async ({ id }) => {
      const answer = await askApi(service.url, key, `file/${id}.json`)
      if (!answer.ok) throw new Error(`The text of ${id} was answered ${answer.status}.`)
      return await answer.json()
    }),
  )
  return { files: Object.fromEntries(files.map((file) => [file.id, file])), ledger, texts }
}

/** Requests, one after the other, by the dashboard's rule: no answer and 503 are asked again. */
function askAllTheTime(url: string, key: string, ids: readonly string[]) {
  const seen = { requests: 0, again: 0, failed: 0 }
  const stop = new AbortController()
  const one = async (path: string, method: string) => {
    for (const startedMs = performance.now(); ; seen.again += 1) {
      const answer = await askApi(url, key, path, { method }).catch(() => null)
      await answer?.arrayBuffer().catch(() => null)
      if (answer?.ok) break
      if ((answer !== null && answer.status !== 503) || performance.now() - startedMs > patienceMs) {
        seen.failed += 1
        console.error(`${method} ${path}: ${answer?.status ?? 'no answer'}`)
        break
      }
      await wait(100)
    }
    seen.requests += 1
  }
  const asking = (async () => {
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      const id = ids[turn % ids.length]
      if (turn % 100 === 0) await one('files', 'GET')
      else if (turn % 10 === 0) await one(`file/${id}.json`, 'GET')
      else await one(`file/${id}`, 'HEAD')
      await wait(betweenMs)
    }
  })()
  return async () => {
    stop.abort()
    await asking
    return seen
  }
}

/** An older program, and how its data are kept and come back. */
class Older {
  readonly program: string
  readonly #tree: string
  readonly #kept: Kept
  constructor(tree: string, kept: Kept) {
    this.#tree = tree
    this.program = join(tree, 'src/service/parley.ts')
    this.#kept = kept
  }

  async run(program: string, ...args: string[]): Promise<string> {
    const env = { ...process.env, ...quiet, ...this.#kept.environment }
    return (await exec(process.execPath, [program, ...args], { env })).stdout
  }

  /** An account with files, their words and recordings: by the modules of the older program, whose columns differ. */
  async fill(dataDir: string, count: number): Promise<NewAccount & { ids: string[] }> {
    const load = async <Module>(path: string) => (await import(join(this.#tree, path))) as Module
    const { seedInto } = await load<typeof import('../../kit/seed-files.ts')>('e2e/kit/seed-files.ts')
    const { withDatabase } = await load<typeof import('../../../src/service/start/cli/operate.ts')>(
      'src/service/start/cli/operate.ts',
    )
    const { readConfig } = await load<typeof import('../../../src/service/start/cli/read-config.ts')>(
      'src/service/start/cli/read-config.ts',
    )
    const { findBlobs } = await load<typeof import('../../../src/service/platform/media/open-blobs.ts')>(
      'src/service/platform/media/open-blobs.ts',
    )
    const { storedWordsJson } = await load<typeof import('../../../src/service/text/transcripts/stored-words.ts')>(
      'src/service/text/transcripts/stored-words.ts',
    )
    const made = JSON.parse(
      await this.run(this.program, 'account', 'create', '--name', 'Rounds', '--data', dataDir),
    ) as NewAccount
    const config = readConfig({ data: dataDir }, { ...process.env, ...quiet, ...this.#kept.environment })
    const samples = Array.from({ length: count }, (_, index) => ({ name: `Interview ${index}`, bytes: 1_000 }))
    const ids = await withDatabase(config, (db) => seedInto(db, made.account, 'live', samples))
    const blobs = await (await findBlobs(config)).open()
    for (const [index, id] of ids.entries()) {
      const word = { word: `Word${index}.`, start: 0, end: 1, duration: 1, conf: 0.9 }
      const words = storedWordsJson([{ ...word, turn: true, turn_conf: 0.9, speaker: 0 }])
      await blobs.write(id, 'words.json', Readable.from(words))
      await blobs.write(id, 'media', Buffer.alloc(1_000, `${index} `))
    }
    return { ...made, ids }
  }

  async backUp(dataDir: string, path: string): Promise<void> {
    const { schema } = this.#kept
    if (schema === null) await this.run(this.program, 'backup', path, '--data', dataDir)
    else await exec('pg_dump', ['-Fc', '-n', schema.name, '-f', path, schema.cluster])
  }

  /** @returns the directory of the restored data */
  async restore(dataDir: string, path: string): Promise<string> {
    const { schema } = this.#kept
    if (schema === null) {
      await rm(dataDir, { recursive: true })
      await this.run(this.program, 'restore', path, '--data', `${dataDir}-`)
      return `${dataDir}-`
    }
    await exec('psql', ['-q', '-c', `drop schema ${schema.name} cascade`, schema.cluster])
    await exec('pg_restore', ['-d', schema.cluster, path])
    return dataDir
  }

  async migrate(program: string, dataDir: string): Promise<void> {
    if (this.#kept.schema !== null) await this.run(program, 'migrate', '--data', dataDir)
  }
}

/**
 * Upgrades of an installation with many files, and downgrades by a restore of the backup from before, while a customer
 * asks: one process serves, so requests find nobody while it restarts, and are asked again.
 * @param tree of the older program
 * @returns the differences and failures
 */
export async function upgradeUnderLoad(tree: string, kept: Kept, rounds: number, files: number): Promise<string[]> {
  const older = new Older(tree, kept)
  const folder = await mkdtemp(join(tmpdir(), 'parley-rounds-'))
  const problems: string[] = []
  const env = { ...quiet, ...kept.environment, PORT: String(await freePort()) }
  let dataDir = join(folder, 'data')
  await older.migrate(older.program, dataDir)
  let service = await ServiceProcess.start(env, older.program, dataDir)
  try {
    const { key, ids } = await older.fill(dataDir, files)
    const before = await readAll(service, key)
    const stop = askAllTheTime(service.url.href, key, ids)
    const startAndCompare = async (program: string, what: string) => {
      service = await ServiceProcess.start(env, program, dataDir)
      problems.push(...lacking(before, await readAll(service, key), what).slice(0, 5))
    }
    for (let round = 1; round <= rounds; round += 1) {
      const backup = join(folder, 'backup')
      await older.backUp(dataDir, backup)
      await service.stop()
      await older.migrate(parleyProgram, dataDir)
      await startAndCompare(parleyProgram, `upgrade ${round}`)
      await service.stop()
      dataDir = await older.restore(dataDir, backup)
      await startAndCompare(older.program, `downgrade ${round}`)
      await rm(backup)
      console.log(`round ${round} of ${rounds}: ${files} files, ${problems.length} differences`)
    }
    const { requests, again, failed } = await stop()
    console.log(`${requests} requests, ${failed} failed, asked again ${again} times`)
    if (failed > 0) problems.push(`${failed} requests failed`)
    return problems
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
