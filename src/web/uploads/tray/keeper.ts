import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Line, LineState } from './line.ts'
import type { Lines } from './lines.ts'

/** A line as it is kept: without the file, unless this device has its only copy. `tab` is who works on it. */
type LineRecord = Omit<Line, 'state'> & { state: LineState; tab: string; position: number }
type Schema = DBSchema & { lines: { key: string; value: LineRecord } }

const databaseName = 'parley-uploads'

/** What a record is made of; progress is not, so that an upload does not write to disk four times a second. */
function recordOf(line: Line, tab: string, position: number): LineRecord {
  const { source, state } = line
  const keptSource = source.kind === 'file' && source.recordedMs === null ? { ...source, file: null } : source
  return { ...line, source: keptSource, state: keptState(state), tab, position }
}

/** What a state becomes when the tab is gone: whatever was under way waits. */
function keptState(state: LineState): LineState {
  const isUnderWay = state.is === 'sending' || state.is === 'confirming' || state.is === 'checking'
  return isUnderWay || state.is === 'waiting' ? { is: 'waiting', hold: 'turn' } : state
}

function isSameRecord(a: LineRecord, b: LineRecord): boolean {
  const isSameState = a.state.is === b.state.is && (a.state.is !== 'failed' || a.state === b.state)
  const isSameSource = a.source === b.source || JSON.stringify(a.source) === JSON.stringify(b.source)
  return (
    isSameState &&
    isSameSource &&
    a.position === b.position &&
    a.inspection === b.inspection &&
    a.overrides === b.overrides &&
    a.agreement === b.agreement &&
    a.resumeUrl === b.resumeUrl &&
    a.unclearSince === b.unclearSince &&
    a.idsBefore === b.idsBefore &&
    a.name === b.name
  )
}

/**
 * Keeps unfinished lines in IndexedDB, so that a reload brings them back under the same Idempotency-Key. Each tab holds
 * a lock as long as it lives; only the lines of tabs that are gone are taken over, so two tabs never send one line.
 */
export class LineKeeper {
  readonly #lines: Lines
  readonly #tab = crypto.randomUUID()
  readonly #kept = new Map<string, LineRecord>()
  /** lines as they were looked at last: of hundreds, few are other ones a moment later */
  readonly #looked = new Map<string, { line: Line; position: number }>()
  #database: Promise<IDBPDatabase<Schema>> | null = null
  #writing: Promise<void> = Promise.resolve()
  #isScheduled = false

  constructor(lines: Lines) {
    this.#lines = lines
  }

  /** Takes over what ended tabs left, then keeps what changes. Silent where the browser offers no storage. */
  async start(): Promise<void> {
    if (navigator.locks === undefined || globalThis.indexedDB === undefined) return
    void navigator.locks.request(lockName(this.#tab), () => new Promise(() => {}))
    this.#database = openDB<Schema>(databaseName, 1, {
      upgrade: (database) => void database.createObjectStore('lines', { keyPath: 'id' }),
    })
    try {
      await this.#adopt()
    } catch {
      // Private windows may refuse: orders work, they only do not survive a reload.
      this.#database = null
      return
    }
    this.#lines.subscribe(() => this.#schedule())
    this.#schedule()
  }

  /** Resolves once everything known now is on disk. */
  async saved(): Promise<void> {
    this.#write()
    await this.#writing
  }

  async #adopt(): Promise<void> {
    const database = await this.#database
    const records = (await database?.getAll('lines')) ?? []
    const tabs = new Set(records.map(({ tab }) => tab))
    for (const tab of tabs) {
      // Without waiting now: a tab that lives keeps its lock, and leaves its lines to whoever asked first.
      const isGone = await navigator.locks.request(lockName(tab), { ifAvailable: true }, (lock) => lock !== null)
      if (isGone) await this.#takeOver(tab)
      else void navigator.locks.request(lockName(tab), () => this.#takeOver(tab))
    }
  }

  /** One transaction, so that of two tabs that find the same lines one gets all of them. */
  async #takeOver(tab: string): Promise<void> {
    const database = await this.#database
    if (!database) return
    const transaction = database.transaction('lines', 'readwrite')
    const left = (await transaction.store.getAll()).filter((record) => record.tab === tab)
    for (const record of left) {
      const mine = { ...record, tab: this.#tab }
      this.#kept.set(record.id, mine)
      await transaction.store.put(mine)
    }
    await transaction.done
    const byPosition = left.toSorted((a, b) => a.position - b.position)
    this.#lines.add(byPosition.map(({ tab: _tab, position: _position, ...line }) => line))
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#write()
    })
  }

  #write(): void {
    const database = this.#database
    if (database === null) return
    const puts: LineRecord[] = []
    const present = new Set<string>()
    for (const [position, line] of this.#lines.all().entries()) {
      if (line.state.is === 'ordered') continue
      present.add(line.id)
      const looked = this.#looked.get(line.id)
      if (looked?.line === line && looked.position === position) continue
      this.#looked.set(line.id, { line, position })
      const record = recordOf(line, this.#tab, position)
      const kept = this.#kept.get(line.id)
      if (kept !== undefined && isSameRecord(kept, record)) continue
      this.#kept.set(line.id, record)
      puts.push(record)
    }
    const deletes = [...this.#kept.keys()].filter((id) => !present.has(id))
    for (const id of deletes) {
      this.#kept.delete(id)
      this.#looked.delete(id)
    }
    if (puts.length + deletes.length === 0) return
    this.#writing = this.#writing.then(() => commit(database, puts, deletes)).catch(() => undefined)
  }
}

const lockName = (tab: string): string => `parley-tab-${tab}`

async function commit(opened: Promise<IDBPDatabase<Schema>>, puts: LineRecord[], deletes: string[]): Promise<void> {
  const transaction = (await opened).transaction('lines', 'readwrite')
  for (const record of puts) void transaction.store.put(record)
  for (const id of deletes) void transaction.store.delete(id)
  await transaction.done
}
