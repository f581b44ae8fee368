import { searchedName } from '../../../contract/account/projects.ts'
import type { SearchPage } from '../../../contract/account/search.ts'
import { CoalescedTask } from '../../../contract/common/coalesced-task.ts'
import { parseLabels } from '../../orders/labels/change-labels.ts'
import { dataPaths } from '../../platform/data-directory.ts'
import { saysFullDisk } from '../../platform/full-disk.ts'
import type { Platform } from '../../platform/platform.ts'
import { countPieces } from '../transcripts/done-pieces.ts'
import { isEmptyQuery, type Query, readQuery } from './query.ts'
import { readSource, sourceStamp, stampedFiles, textStamp } from './read-source.ts'
import { SearchThread } from './search-thread.ts'

/** A full comparison finds changes whose notification was lost. */
const comparedEveryMs = 60_000
/** This many files in a row that cannot be indexed: the fault is elsewhere. */
const maxFailures = 3
const filesAtOnce = 200
/** Startup, and requests waiting for a change, take precedence over the search. */
const firstComparedMs = 1_000
const readSoonMs = 250

/** The search index of one platform: kept in sync with files and corrections by a thread, which also searches. */
export class Search {
  readonly #platform: Platform
  readonly #thread: SearchThread
  readonly #unsubscribe: () => void
  readonly #timer: NodeJS.Timeout
  #first: NodeJS.Timeout | null = null
  #soon: NodeJS.Timeout | null = null
  readonly #reading: CoalescedTask
  readonly #comparing: CoalescedTask
  /** to be read, with their accounts: changed files first, then missing ones, oldest first */
  readonly #changed = new Map<string, string>()
  readonly #missing = new Map<string, string>()
  #compared = Promise.withResolvers<void>()
  #isClosed = false

  constructor(platform: Platform) {
    const { config, changes, log } = platform
    this.#platform = platform
    const place =
      config.postgres === null ? { sqlite: dataPaths(config.dataDir).searchIndex } : { postgres: config.postgres }
    this.#comparing = new CoalescedTask(
      () => this.#compare(),
      (error) => this.#failed(error),
    )
    this.#reading = new CoalescedTask(
      () => this.#readAll(),
      (error) => this.#failed(error),
    )
    this.#thread = new SearchThread(place, () => {
      log.warn('the index of the search was damaged; it is made anew')
      this.#comparing.request()
    })
    this.#unsubscribe = changes.subscribe((change) => {
      if (change.kind !== 'file') return
      this.#changed.set(change.fileId, change.accountId)
      this.#soon ??= setTimeout(() => {
        this.#soon = null
        this.#reading.request()
      }, readSoonMs).unref()
    })
    this.#timer = setInterval(() => this.#comparing.request(), comparedEveryMs).unref()
    this.#first = setTimeout(() => this.#comparing.request(), firstComparedMs).unref()
  }

  /** The first search does not wait for the next comparison. */
  #compareNow(): void {
    if (this.#first === null) return
    clearTimeout(this.#first)
    this.#first = null
    this.#comparing.request()
  }

  #failed(error: unknown): void {
    if (!this.#isClosed)
      this.#platform.log.warn({ err: error }, 'the search could not read everything; it will try again')
    this.#compared.resolve()
  }

  /** Finds files to read, and files to remove. */
  async #compare(): Promise<void> {
    const { db } = this.#platform
    const there = new Set<string>()
    const behind: { id: string; account_id: string; created_at: number }[] = []
    // Ordered by id, which needs no sorting; other requests run between the pages.
    for (let after = '', more = true; more && !this.#isClosed; ) {
      const files = await stampedFiles(db)
        .select('files.account_id')
        .where('files.id', '>', after)
        .orderBy('files.id')
        .limit(filesAtOnce)
        .execute()
      const ids = files.map(({ id }) => id)
      const known = ids.length === 0 ? new Map() : await this.#thread.call('stampsOf', ids)
      for (const file of files) {
        there.add(file.id)
        const pieces = file.progress_percent < 100 ? await countPieces(db, file.id) : 0
        if (known.get(file.id) !== sourceStamp(file, pieces)) behind.push(file)
      }
      more = files.length === filesAtOnce
      after = files.at(-1)?.id ?? after
    }
    // Searches return the last indexed files first.
    behind.sort((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))
    for (const { id, account_id } of behind) this.#missing.set(id, account_id)
    await this.#compareBack(there)
    this.#compared.resolve()
    this.#reading.request()
  }

  async #compareBack(there: ReadonlySet<string>): Promise<void> {
    for (let after = '', more = true; more && !this.#isClosed; ) {
      const ids = await this.#thread.call('ids', { after, limit: filesAtOnce })
      for (const id of ids) if (!there.has(id)) this.#missing.set(id, '')
      more = ids.length === filesAtOnce
      after = ids.at(-1) ?? after
    }
  }

  /**
   * Skips single files that cannot be indexed: the next comparison retries them.
   * @throws if several in a row cannot, or the disk is full, which is told once a commit of several
   */
  async #readAll(): Promise<void> {
    for (let failures = 0; ; ) {
      const from = this.#changed.size > 0 ? this.#changed : this.#missing
      const [next] = from
      if (next === undefined || this.#isClosed) return
      const [id] = next
      from.delete(id)
      try {
        const source = await readSource(this.#platform, id)
        if (source === null) await this.#thread.call('remove', id)
        else await this.#thread.call('put', source)
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === maxFailures || this.#isClosed || saysFullDisk(String(error))) throw error
        this.#platform.log.warn({ err: error, fileId: id }, 'a file could not be indexed for the search; it is skipped')
      }
    }
  }

  /** How much of an account is indexed, in percent. */
  async #percentRead(accountId: string): Promise<number> {
    const behind = [...this.#missing.values()].filter((id) => id === accountId).length
    if (behind === 0) return 100
    const { total } = await this.#platform.db
      .selectFrom('files')
      .where('account_id', '=', accountId)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return Math.max(0, Math.floor((100 * (total - behind)) / Math.max(1, total)))
  }

  /** Ids of the files that are in one of the named projects, and in none of the excluded ones; null: of any project. */
  async #filesInProjects(accountId: string, { projects, withoutProjects }: Query): Promise<string[] | null> {
    if (projects.length + withoutProjects.length === 0) return null
    const { db } = this.#platform
    const all = await db.selectFrom('projects').select(['id', 'name']).where('account_id', '=', accountId).execute()
    const idsOf = (names: readonly string[]) =>
      all.filter(({ name }) => names.includes(searchedName(name))).map(({ id }) => id)
    const wanted = projects.length === 0 ? null : idsOf(projects)
    const unwanted = idsOf(withoutProjects)
    if (wanted?.length === 0) return []
    const ofAccount = db.selectFrom('files').select(['id', 'project_id']).where('account_id', '=', accountId)
    const files = await (wanted === null ? ofAccount : ofAccount.where('project_id', 'in', wanted)).execute()
    return files.filter(({ project_id }) => !unwanted.includes(project_id ?? '')).map(({ id }) => id)
  }

  /**
   * A page of an account's files that match, newest first. Recently deleted or corrected files are left out until they
   * are indexed.
   * @param below where the previous page ended
   */
  async find(
    accountId: string,
    text: string,
    below: number | null,
    limit: number,
    isReached: (projectId: string | null) => boolean = () => true,
  ): Promise<SearchPage> {
    this.#compareNow()
    await this.#compared.promise
    const query = readQuery(text)
    const only = await this.#filesInProjects(accountId, query)
    const wanted = { accountId, query, only, below: below ?? Number.MAX_SAFE_INTEGER, limit }
    const found = isEmptyQuery(query) ? { files: [], next: null } : await this.#thread.call('find', wanted)
    const rows = await this.#rowsOf(
      accountId,
      found.files.map(({ id }) => id),
    )
    const files = found.files.flatMap(({ id, stamp, sentences }) => {
      const row = rows.get(id)
      const isTrue = row !== undefined && stamp.startsWith(`${textStamp(row)} `) && isReached(row.project_id)
      return isTrue ? [{ id, name: parseLabels(row).name || row.name, sentences }] : []
    })
    const next_cursor = found.next === null ? null : String(found.next)
    return { files, next_cursor, read_percent: await this.#percentRead(accountId) }
  }

  async #rowsOf(accountId: string, ids: readonly string[]) {
    if (ids.length === 0) return new Map<string, never>()
    // Accounts are compared here: given both conditions, SQLite reads all rows of the account instead of looking up the
    // ids.
    const rows = await stampedFiles(this.#platform.db)
      .select(['files.account_id', 'files.project_id'])
      .where('files.id', 'in', ids)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', this.#platform.clock())]))
      .execute()
    return new Map(rows.filter(({ account_id }) => account_id === accountId).map((row) => [row.id, row]))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#first ?? undefined)
    clearTimeout(this.#soon ?? undefined)
    this.#unsubscribe()
    await this.#comparing.stop()
    await this.#reading.stop()
    await this.#thread.close()
  }
}
