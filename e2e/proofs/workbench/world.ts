import type { ManagedPart } from '../../../src/contract/work/managers.ts'
import type { DeskPart } from '../../../src/contract/work/parts.ts'
import type { StaffRole } from '../../../src/contract/work/staff.ts'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { startTestService, type TestAccount, type TestService } from '../../../src/service/testing/test-service.ts'
import { hire, typedOrder } from '../../../src/service/workbench/testing/work-room.ts'
import { Seeded } from '../torture/seeded.ts'
import { Order, type Person, Piece, perMinute } from './model.ts'

const roles: readonly StaffRole[] = ['typist', 'typist', 'reviewer', 'reviewer', 'manager', 'manager']
/** What no answer to typists and reviewers may hold, and none to managers but names. */
const customerName = 'Confidential Client Ltd'
const fileName = 'Secret merger.wav'

/** A service with its staff and one customer, and the model of what they have done. */
export class World {
  readonly kit: TestService
  readonly random: Seeded
  readonly people: Person[] = []
  readonly orders: Order[] = []
  readonly diary: string[] = []
  readonly #tones = new Map<number, Promise<Uint8Array>>()
  account: TestAccount = { id: '', key: '', environment: 'live' }
  #words = 0

  private constructor(kit: TestService, seed: number) {
    this.kit = kit
    this.random = new Seeded(seed)
  }

  static async open(postgres: PostgresConfig | null, seed: number): Promise<World> {
    let ms = 0
    // Rate limits are another matter: this clock leaves each request a second after the one before.
    const leaping = () => (ms += 1_000)
    const workPay = { currency: 'EUR', perMinute }
    const kit = await startTestService({ postgres, workPay, metricsPort: 0 }, undefined, leaping)
    const world = new World(kit, seed)
    const { platform } = kit
    const made = await createAccount(platform.db, { environment: 'live', name: customerName }, platform.clock())
    world.account = { id: made.accountId, key: made.key, environment: 'live' }
    for (const role of roles) await world.hire(role)
    return world
  }

  get now(): number {
    return this.kit.platform.clock()
  }

  get client(): AccountClient {
    return accountClient(this.kit.address, this.account.key)
  }

  /** A word that nobody has typed yet. */
  newWord(): string {
    this.#words += 1
    return `Typed${this.#words}`
  }

  get staff(): Person[] {
    return this.people.filter(({ isRevoked }) => !isRevoked)
  }

  get manager(): Person {
    return this.staff.find(({ role }) => role === 'manager') as Person
  }

  get pieces(): Piece[] {
    return this.orders.flatMap(({ all }) => all)
  }

  /** Hires somebody, each of whose answers is searched for what is the customer's. */
  async hire(role: StaffRole): Promise<Person> {
    const name = `${role} ${this.people.length + 1}`
    const worker = await hire(this.kit, role, name)
    const { ask } = worker
    worker.ask = async (...asked) => {
      const answer = await ask(...asked)
      const text = await answer.clone().text()
      const { id, key } = this.account
      const hidden =
        role === 'manager'
          ? [id, key]
          : [id, key, customerName, 'Secret merger', ...this.orders.map((order) => order.id)]
      const leak = hidden.find((secret) => text.includes(secret))
      if (leak !== undefined) throw new Error(`${asked.slice(0, 2).join(' ')} shows ${leak} to a ${role}.`)
      return answer
    }
    const person: Person = { worker, name, role, isRevoked: false }
    this.people.push(person)
    return person
  }

  /** Orders a recording, waits for its parts, and reads their words as the first holder would. */
  async order(seconds: number): Promise<Order> {
    const tone = this.#tones.get(seconds) ?? this.kit.tone(seconds)
    this.#tones.set(seconds, tone)
    const named: TestService = Object.assign(Object.create(this.kit), {
      tone: () => tone,
      order: (key: string, content: Uint8Array, query: string) =>
        this.kit.order(key, content, query, { name: fileName }),
    })
    const id = await typedOrder(named, this.account, seconds)
    const { total } = await this.kit.metadata(this.account.key, id)
    const order = new Order(id, Math.round(100 * total))
    const { parts } = await this.manager.worker.read<{ parts: ManagedPart[] }>('GET', `files/${id}`)
    const words: DeskPart['words'] = []
    for (let at = 0; at + 2 <= seconds; at += 2) {
      words.push({ word: `Word${at / 2}`, start: at, end: at + 1, conf: 0.9, speaker: 0 })
    }
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1
      const own = words.filter(({ start }) => start >= part.start && (start < part.end || isLast))
      order.pieces.push(
        new Piece(
          order,
          part,
          own.map(({ word }) => word),
        ),
      )
    }
    this.orders.push(order)
    return order
  }
}
