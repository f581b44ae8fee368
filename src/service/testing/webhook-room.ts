import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { setWebhook } from '../accounts/webhooks/endpoint.ts'
import { httpDispatch } from '../accounts/webhooks/http-dispatch.ts'
import type { SenderPlatform } from '../accounts/webhooks/sender.ts'
import { WebhookSender } from '../accounts/webhooks/sender.ts'
import { Changes } from '../platform/db/changes.ts'
import type { Db } from '../platform/db/open.ts'
import { enqueueDelivery } from '../platform/db/outbox.ts'
import type { Delivery } from '../platform/db/schema.ts'
import { writeAccount } from '../platform/db/write-account.ts'
import type { Guard } from '../platform/net/outbound-guard.ts'
import { openGuard } from '../platform/net/outbound-guard.ts'
import { openTestDbs } from './test-dbs.ts'

type Received = { headers: IncomingMessage['headers']; body: string }

/** For tests: a customer's server on a real port, which answers 200 unless `answer` is set. */
export class Receiver {
  readonly received: Received[] = []
  answer: (received: Received, response: ServerResponse) => void = (_received, response) =>
    void response.writeHead(200).end('ok')
  readonly #server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const received = { headers: request.headers, body }
      this.received.push(received)
      this.answer(received, response)
    })
  })

  /** @returns its port */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** For tests: a sender on its own database, with a frozen clock and account `a`, whose webhook is set. */
export class WebhookRoom implements SenderPlatform {
  now = Date.UTC(2026, 10, 21, 12)
  receiver = new Receiver()
  secret = ''
  readonly changes = new Changes()
  readonly clock = () => this.now
  readonly node = 'embedded'
  readonly log = pino({ level: 'silent' })
  readonly db: Db
  readonly guard: Guard
  sender: WebhookSender
  readonly #removeDb: () => Promise<void>
  readonly #port: number

  private constructor(opened: Awaited<ReturnType<typeof openTestDbs>>, receiver: Receiver, port: number) {
    this.db = opened.dbs[0]
    this.receiver = receiver
    this.guard = openGuard([`127.0.0.1:${port}`])
    this.#removeDb = opened.remove
    this.#port = port
    this.sender = this.newSender()
  }

  static async open(): Promise<WebhookRoom> {
    const receiver = new Receiver()
    const room = new WebhookRoom(await openTestDbs(), receiver, await receiver.listen())
    await room.addAccount('a')
    room.secret = (await setWebhook(room.db, 'a', room.url(), room.now)).secret ?? ''
    room.sender.start()
    return room
  }

  /** Without jitter in its retries. */
  newSender(): WebhookSender {
    return new WebhookSender(this, httpDispatch(this.guard), () => 0.5)
  }

  async close(): Promise<void> {
    await this.sender.stop()
    await this.guard.close()
    await this.receiver.close()
    await this.#removeDb()
  }

  url(): string {
    return `http://127.0.0.1:${this.#port}/hook?token=t`
  }

  async addAccount(id: string): Promise<void> {
    await this.db
      .insertInto('accounts')
      .values({
        id,
        environment: 'sandbox',
        name: id,
        currency: 'USD',
        discount_percent: 0,
        custom_formatting_enabled: 0,
        default_options_json: '{}',
        settings_json: '{}',
        created_at: this.now,
      })
      .execute()
  }

  /** Reports a file's progress, as `orders/` does. */
  async progress(accountId: string, fileId: string, progressPercent: number): Promise<void> {
    const file = { id: fileId, account_id: accountId, name: 'Board meeting', progress_percent: progressPercent }
    await writeAccount(this.db, file.account_id, (trx) => enqueueDelivery(trx, file, this.now))
    this.changes.notify({ kind: 'delivery', accountId })
  }

  async deliveries(accountId = 'a'): Promise<Delivery[]> {
    return await this.db.selectFrom('deliveries').selectAll().where('account_id', '=', accountId).execute()
  }

  /** Resolves once the condition holds; rechecks it after each change. */
  async until(condition: () => Promise<boolean> | boolean): Promise<void> {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        const stop = this.changes.subscribe(() => {
          stop()
          resolve()
        })
      })
      if (await condition()) return
      await changed
    }
  }
}
