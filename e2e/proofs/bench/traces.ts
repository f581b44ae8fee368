import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { type BrowserContext, chromium } from '@playwright/test'
import { sql } from 'kysely'
import { openBucket } from '../../../src/service/platform/media/s3/bucket.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { readConfig } from '../../../src/service/start/cli/read-config.ts'
import { wholeBrowserLaunch } from '../../kit/browser-launch.ts'
import type { NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import { allStored } from '../../kit/stored-in-browser.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'
import { comesTrue } from '../torture/rounds.ts'
import { trace } from './traced-account.ts'

const run = promisify(execFile)
/** Of Chromium's profile: what pages store. History and open tabs are the browser's own, which no page can change. */
const browserStores = [
  'IndexedDB',
  'Local Storage',
  'Session Storage',
  'WebStorage',
  'Cache',
  'Code Cache',
  'Service Worker',
]
type Counts = Record<string, number>
const isIn = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').toLowerCase().includes(trace.toLowerCase())

/** Files below a directory have the trace in them, as UTF-8 or as UTF-16, in any case. */
async function filesWith(directory: string): Promise<string[]> {
  const wide = [...trace].join('\\x00')
  // Ends with 1 if there are none.
  const search = run('grep', ['-rlaiP', `${trace}|${wide}`, directory], { maxBuffer: 1e9 })
  const { stdout } = await search.catch((error: { code: number; stdout: string; stderr: string }) => {
    if (error.code === 1) return error
    throw new Error(error.stderr)
  })
  return stdout.split('\n').filter(Boolean)
}

/** Where an account can leave something: searched before and after it is erased. */
export class Traces {
  readonly #service: ServiceProcess
  readonly #environment: Record<string, string>
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-traces-'))
  readonly #profile = join(this.#folder, 'profile')
  readonly #repository = join(this.#folder, 'repository')
  #browser: BrowserContext | null = null

  constructor(service: ServiceProcess, environment: Record<string, string>) {
    this.#service = service
    this.#environment = environment
    const cache = { RESTIC_CACHE_DIR: join(this.#folder, 'cache') }
    Object.assign(process.env, { RESTIC_PASSWORD: 'correct horse' }, cache)
  }

  get #isEmbedded(): boolean {
    return this.#service.postgres === null
  }

  /** Signs a real Chromium in, and opens the list, a transcript and the search. */
  async visit(account: NewAccount): Promise<void> {
    const context = await chromium.launchPersistentContext(this.#profile, wholeBrowserLaunch)
    this.#browser = context
    await storeSession(context, sessionOf(account))
    const page = await context.newPage()
    await page.goto(new URL('live/files', this.#service.url).href)
    await page.getByRole('link', { name: trace }).first().click()
    await page.getByText(trace).nth(3).waitFor()
    // What is read is stored within two seconds.
    await page.waitForTimeout(5_000)
  }

  /** The page loads again, as the account is gone, and shows the sign-in. @returns finds in what the browser keeps */
  async #leaveBrowser(): Promise<Counts> {
    const page = this.#browser?.pages().at(-1)
    if (page === undefined) return {}
    await page.reload()
    await page.getByText('Sign in with your API key').waitFor()
    const stored = await page.evaluate(allStored)
    const caches = await page.evaluate(async () => (await globalThis.caches.keys()).length)
    await this.#browser?.close()
    this.#browser = null
    return {
      'stores of the page': isIn(Buffer.from(stored)) ? 1 : 0,
      'caches of the page': caches,
      'files of its stores': await this.#left(...browserStores.map((name) => join(this.#profile, 'Default', name))),
    }
  }

  /** Makes a backup, and restores it: what was there is then aside as well, in `before-restore-…`. */
  async backUp(): Promise<void> {
    if (!this.#isEmbedded) return
    await this.#service.parley('backup', '--to', this.#repository)
    await this.#restore()
  }

  async #restore(): Promise<void> {
    await this.#service.stop()
    const restore = (...consent: string[]) => this.#service.parley('restore', '--from', this.#repository, ...consent)
    // It says how many rows would be lost: requests of the other account since.
    await restore().catch(async (error: { stderr: string }) => {
      const [, lost] = /--lose (\d+)/.exec(error.stderr) ?? []
      if (lost === undefined) throw error
      await restore('--lose', lost)
    })
    await this.#service.boot()
  }

  async isErased(account: string): Promise<boolean> {
    return await withDatabase(this.#service, async (db) => {
      const closings = db.selectFrom('closings').select('erased_at').where('account_id', '=', account)
      return (await closings.executeTakeFirst())?.erased_at != null
    })
  }

  /** Finds in all places of the service. */
  async count(): Promise<Counts> {
    const inDirectory = await filesWith(this.#service.dataDir)
    if (this.#isEmbedded) {
      using index = new DatabaseSync(join(this.#service.dataDir, 'search.db'), { readOnly: true })
      const indexed = Number(index.prepare('select count(*) as n from files where name like ?').get(`${trace}%`)?.n)
      return { 'files of the data directory': inDirectory.length, 'files in the index': indexed }
    }
    return { ...(await this.#inPostgres()), 'objects of the bucket': await this.#objectsWith() }
  }

  async #left(...directories: string[]): Promise<number> {
    const files = (await Promise.all(directories.filter(existsSync).map(filesWith))).flat()
    for (const path of files.slice(0, 9)) console.error(`left in ${path}`)
    return files.length
  }

  /** The same when the account is erased, in what browsers keep, and in what a restore of the backup brings back. */
  async countErased(): Promise<Counts> {
    // The index follows within seconds.
    await comesTrue(async () => (await this.count())['files in the index'] === 0, 60_000)
    const counts = await this.count()
    counts['files of the data directory'] = await this.#left(this.#service.dataDir)
    Object.assign(counts, await this.#leaveBrowser())
    if (!this.#isEmbedded) return counts
    await this.#restore()
    return { ...counts, 'files after a restore': await this.#left(this.#service.dataDir) }
  }

  /** Rows of all tables that have it, and files in the index. */
  async #inPostgres(): Promise<Counts> {
    return await withDatabase(this.#service, async (db) => {
      let rows = 0
      for (const { name } of await db.introspection.getTables()) {
        const table = sql.table(name)
        const found = await sql<{ n: string }>`
          select count(*) as n from ${table} where ${table}::text ilike ${`%${trace}%`}`.execute(db)
        rows += Number(found.rows[0]?.n)
      }
      const indexed = await sql<{
        n: string
      }>`select count(*) as n from search_files where name like ${`${trace}%`}`.execute(db)
      return { 'rows of the database': rows, 'files in the index': Number(indexed.rows[0]?.n) }
    })
  }

  /** Reads every object. */
  async #objectsWith(): Promise<number> {
    const { s3 } = readConfig({}, { ...process.env, ...this.#environment })
    if (s3 === null) return 0
    const { client } = openBucket(s3)
    let found = 0
    for (let from: string | undefined, isMore = true; isMore; ) {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: s3.bucket, ...(from && { ContinuationToken: from }) }),
      )
      for (const { Key } of page.Contents ?? []) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: s3.bucket, Key }))
        if (Body !== undefined && isIn(await Body.transformToByteArray())) found += 1
      }
      from = page.NextContinuationToken
      isMore = from !== undefined
    }
    client.destroy()
    return found
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser?.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
