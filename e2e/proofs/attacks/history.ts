import { randomUUID } from 'node:crypto'
import type { LedgerLine, LedgerPage } from '../../../src/contract/account/usage.ts'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi, authorization } from '../../../src/service/testing/ask-api.ts'
import { fileForm, type TestService } from '../../../src/service/testing/test-service.ts'
import { addStaff, revokeStaff } from '../../../src/service/workbench/staff.ts'
import { Seeded } from '../torture/seeded.ts'

/** A key of the account or of staff, and whether it was ever revoked. */
type Held = { id: string; key: string; isRevoked: boolean }
/** An order under an idempotency key, and the id that it was answered. */
type Wish = { key: string; id: string }
type Account = { first: string; keys: Held[]; wishes: Wish[]; hasCard: boolean; entries: LedgerLine[] }

/**
 * What happened in an installation, remembered outside of it: what was ever revoked, deleted, removed and charged. A
 * service may be restored to an earlier backup in between.
 */
export class History {
  readonly random: Seeded
  readonly accounts: Account[] = []
  readonly staff: Held[] = []
  readonly deleted = new Set<string>()
  /** acts, for the report of a failure */
  readonly diary: string[] = []
  service: TestService
  readonly #tone: Uint8Array

  constructor(service: TestService, seed: number, tone: Uint8Array) {
    this.service = service
    this.random = new Seeded(seed)
    this.#tone = tone
  }

  client({ first }: Account): AccountClient {
    return accountClient(this.service.address, first)
  }

  async files({ first }: Account): Promise<string[]> {
    const list = (await (await this.service.fetch(first, 'files')).json()) as { id: string }[]
    return list.map(({ id }) => id).toSorted()
  }

  /** Reads what must stay as it is now: the books of every account. */
  async remember(): Promise<void> {
    for (const account of this.accounts) account.entries = await this.readLedger(account)
  }

  async readLedger(account: Account): Promise<LedgerLine[]> {
    return (await this.client(account).read<LedgerPage>('GET', 'ledger?limit=500')).entries
  }

  async openAccount(): Promise<void> {
    const { key } = await this.service.account()
    this.accounts.push({ first: key, keys: [], wishes: [], hasCard: true, entries: [] })
  }

  /** Orders under a new key or repeats an earlier order, which must be the same and cost nothing. */
  async order(account: Account, wish: string): Promise<Response> {
    return await askApi(this.service.address, account.first, 'files?transcript_type=automated', {
      method: 'POST',
      headers: { 'idempotency-key': wish },
      body: fileForm(this.#tone),
    })
  }

  /** One random act. @throws Error if the service answers as it must not */
  async act(): Promise<void> {
    this.service.advance(60_000)
    if (this.accounts.length === 0 || this.random.next() < 0.05) return void (await this.openAccount())
    const account = this.random.any(this.accounts)
    const [what, act] = this.random.any(Object.entries(acts))
    this.diary.push(`${what} of ${this.accounts.indexOf(account)}`)
    await act(this, account)
  }
}

async function orderNew(history: History, account: Account): Promise<void> {
  const key = randomUUID()
  const answer = await history.order(account, key)
  if (answer.status === 402 && !account.hasCard) return
  if (answer.status !== 201) throw new Error(`an order was answered ${answer.status}: ${await answer.text()}`)
  account.wishes.push({ key, id: ((await answer.json()) as { id: string }).id })
}

async function deleteOne(history: History, account: Account): Promise<void> {
  const files = await history.files(account)
  if (files.length === 0) return
  const id = history.random.any(files)
  const { status } = await history.service.fetch(account.first, `file/${id}`, { method: 'DELETE' })
  if (status === 200) history.deleted.add(id)
}

const acts: Record<string, (history: History, account: Account) => Promise<unknown>> = {
  'an order': orderNew,
  'a sample': async (history, account) => {
    const progress_percent = history.random.any([0, 30, 59, 80, 100])
    const answer = await history.client(account).ask('POST', 'tools/files', { seconds: 600, progress_percent })
    if (answer.status !== 201 && account.hasCard) throw new Error(`a sample was answered ${answer.status}`)
  },
  'a deletion': deleteOne,
  'another deletion': deleteOne,
  'a repeated order': async (history, account) => {
    if (account.wishes.length > 0 && account.hasCard) await repeat(history, account, history.random.any(account.wishes))
  },
  'a new key': async (history, account) => {
    const made = await history
      .client(account)
      .read<{ key: string; entry: { id: string } }>('POST', 'keys', { name: 'New' })
    account.keys.push({ id: made.entry.id, key: made.key, isRevoked: false })
  },
  'a revoked key': async (history, account) => {
    const key = account.keys.find(({ isRevoked }) => !isRevoked)
    if (key === undefined) return
    await history.client(account).read('DELETE', `keys/${key.id}`)
    key.isRevoked = true
  },
  'the card removed or saved': async (history, account) => {
    const client = history.client(account)
    if (account.hasCard) await client.ask('DELETE', 'payment')
    else await client.read('PUT', 'payment', { test_card: 'succeeds' })
    account.hasCard = !account.hasCard
  },
  'staff hired or revoked': async (history) => {
    const { db, clock } = history.service.platform
    const open = history.staff.find(({ isRevoked }) => !isRevoked)
    if (open === undefined || history.random.next() < 0.5) {
      const made = await addStaff(db, { name: 'Mo', role: 'manager' }, clock())
      history.staff.push({ id: made.id, key: made.key, isRevoked: false })
      return
    }
    await revokeStaff(db, open.id, clock())
    open.isRevoked = true
  },
  'a label': async (history, account) => {
    const [id] = await history.files(account)
    if (id !== undefined) await history.client(account).read('PATCH', 'labels', { ids: [id], note: randomUUID() })
  },
}

/** Repeats an order. @throws Error if it is another one, or costs something */
export async function repeat(history: History, account: Account, wish: Wish): Promise<void> {
  const before = (await history.readLedger(account)).length
  const answer = await history.order(account, wish.key)
  const { id } = (await answer.json()) as { id: string }
  const after = (await history.readLedger(account)).length
  if (id !== wish.id || after !== before)
    throw new Error(`${wish.id} repeated is ${answer.status} ${id}, with ${after - before} more entries`)
}

/** @returns the status that the desk answers to a staff key */
export async function askWork({ service }: History, key: string): Promise<number> {
  return (await fetch(`${service.address}/work/api/queue`, { headers: { authorization: authorization(key) } })).status
}
