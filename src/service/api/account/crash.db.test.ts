import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { createAccount } from '../../accounts/auth/accounts.ts'
import { createKey } from '../../accounts/auth/keys.ts'
import { defaultConfig } from '../../platform/config.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Platform } from '../../platform/platform.ts'
import { buildApp } from '../../start/app.ts'
import { openPlatform } from '../../start/service.ts'
import { authorization } from '../../testing/ask-api.ts'
import { openTestSchema } from '../../testing/postgres-schemas.ts'
import { testStart } from '../../testing/test-service.ts'

/*
 * Simulates a crash with a database that rejects every handler statement from the nth on; an open transaction then
 * rolls back, as it would in a crash.
 */

class Death extends Error {}

let statementsLeft = Number.POSITIVE_INFINITY
const mortality: KyselyPlugin = {
  transformQuery({ node }) {
    statementsLeft -= 1
    if (statementsLeft < 0) throw new Death('The process died.')
    return node
  },
  transformResult: async ({ result }) => result,
}

let dataDir: string
let platform: Platform
let app: FastifyInstance

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-crash-'))
  const config = { ...defaultConfig, dataDir, postgres: await openTestSchema(), offline: true }
  platform = await openPlatform(config, () => testStart, pino({ level: 'silent' }))
  app = await buildApp({ ...platform, db: platform.db.withPlugin(mortality) })
})
afterAll(async () => {
  await app.close()
  await platform.guard.close()
  await platform.closeStore()
  await rm(dataDir, { recursive: true })
})

async function openAccount() {
  const { accountId, key } = await createAccount(platform.db, { environment: 'sandbox', name: 'T' }, testStart)
  const other = { name: 'Other', expiresAt: null }
  const { keyId } = await createKey(platform.db, { id: accountId, environment: 'sandbox' }, other, testStart)
  return { accountId, key, otherKeyId: keyId }
}

/** State changed by the account's routes, and the number of its log entries and events. */
async function read(id: string): Promise<{ rows: string; logged: number; events: number }> {
  const { db } = platform
  const [account, keys, cards, logged, events] = await Promise.all([
    db.selectFrom('accounts').selectAll().where('id', '=', id).execute(),
    db.selectFrom('api_keys').select(['id', 'name', 'revoked_at']).where('account_id', '=', id).orderBy('id').execute(),
    db.selectFrom('payment_methods').selectAll().where('account_id', '=', id).execute(),
    db.selectFrom('account_log').select('times').where('account_id', '=', id).execute(),
    db.selectFrom('events').select('seq').where('account_id', '=', id).execute(),
  ])
  return { rows: JSON.stringify([account, keys, cards]), logged: logged.length, events: events.length }
}

it.each([
  ['a key is made', 'POST', 'keys', { name: 'Made' }],
  ['a key is renamed', 'PATCH', 'keys/:id', { name: 'Renamed' }],
  ['a key is revoked', 'DELETE', 'keys/:id', undefined],
  ['the default options are set', 'PUT', 'defaults', { transcript_type: 'automated' }],
  ['the text for programs is chosen', 'PUT', 'program-text', { program_text: 'corrected' }],
  ['the caption rules of new files are set', 'PUT', 'caption-rules', captionStyles.bbc],
  ['the card is removed', 'DELETE', 'payment', undefined],
  ['a card is chosen', 'PUT', 'payment', { test_card: 'declines' }],
  ['the settings are replaced', 'PUT', 'settings', { theme: 'dark' }],
] as const)(
  '%s with its log entry and its event, or not at all, wherever the process dies',
  async (_, method, path, body) => {
    for (let statements = 0; ; statements += 1) {
      const { accountId, key, otherKeyId } = await openAccount()
      const before = await read(accountId)
      statementsLeft = statements
      const answer = await app.inject({
        method,
        url: `/sandbox/account/${path.replace(':id', otherKeyId)}`,
        headers: { authorization: authorization(key) },
        ...(body !== undefined && { payload: body }),
      })
      statementsLeft = Number.POSITIVE_INFINITY
      const after = await read(accountId)
      const told = after.rows === before.rows ? 0 : 1
      expect([after.logged - before.logged, after.events - before.events], `dead after ${statements}`).toEqual([
        told,
        told,
      ])
      if (answer.statusCode < 300) {
        expect(told).toBe(1)
        expect(statements, 'points at which it died').toBeGreaterThan(3)
        return
      }
      expect(answer.statusCode).toBe(500)
    }
  },
)

it('only a transaction of the account can append, enforced by the compiler', () => {
  const append = (db: Db, trx: Trx) => [
    // @ts-expect-error a database is no transaction
    appendEvent(db, 'account', {}, 0),
    // @ts-expect-error a transaction that does not hold the account's lock
    appendLog(trx, { action: 'settings' }, 0),
    // @ts-expect-error nor does one that names the account
    appendLog(Object.assign(trx, { accountId: 'a' }), { action: 'settings' }, 0),
  ]
  expect(append).toBeDefined()
})
