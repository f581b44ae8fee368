import {
  type ApiKeyEntry,
  apiKey,
  apiKeyChange,
  apiKeyList,
  createdApiKey,
  newApiKey,
  noLimits,
} from '../../../contract/account/keys.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { changeLimits, parseLimits } from '../../accounts/auth/key-limits.ts'
import { describeTotal, readMonthSpending } from '../../accounts/auth/key-spending.ts'
import { changeKey, makeKey, revokeOwnKey, workingKeys } from '../../accounts/auth/keys.ts'
import type { ApiKey } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { route } from '../http/account-route.ts'
import { answer, nothing } from '../http/operation.ts'
import { choiceQuery } from '../http/read-request.ts'

async function toKeyEntries(
  { db, clock }: Platform,
  rows: readonly ApiKey[],
  { keyId: currentKeyId }: Caller,
): Promise<ApiKeyEntry[]> {
  const ids = rows.map(({ id }) => id)
  const spending = await readMonthSpending(db, ids, clock())
  const each = rows.map(async (row) => ({
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    created: iso(row.created_at),
    last_used: iso(row.last_used_at),
    expires: iso(row.expires_at),
    current: row.id === currentKeyId,
    ...parseLimits(row),
    month_spent_cents: spending.get(row.id) ?? 0,
    ...(await describeTotal(db, row.id, parseLimits(row))),
  }))
  return await Promise.all(each)
}

async function toKeyEntry(platform: Platform, row: ApiKey, caller: Caller): Promise<ApiKeyEntry> {
  const [entry] = await toKeyEntries(platform, [row], caller)
  return entry as ApiKeyEntry
}

const current = choiceQuery(['yes'], '`yes` to revoke the key in use.')
const notGrantable = {
  403: 'The key in use cannot give rights that it lacks itself.',
  404: 'There is no such key, or one of the projects is none of this account.',
}

/** `keys`: list, create, change, revoke. */
export const keyRoutes = [
  route('get /keys', 'List keys', { 200: apiKeyList }, async ({ platform, caller }) => {
    const rows = await workingKeys(platform.db, caller.account.id, platform.clock())
    return { keys: await toKeyEntries(platform, rows, caller) }
  }),
  route(
    'post /keys',
    'Create a key',
    {
      description:
        'Without `rights` it has all: read, order, correct, delete, manage. `month_limit_cents` is what its orders may ' +
        'cost in a calendar month (UTC), `total_limit_cents` in all, less refunds; `projects` are the only ones that it reaches. A key that manages cannot be limited so.',
      body: newApiKey,
      201: answer(createdApiKey, 'Created. The key is shown only once.'),
      ...notGrantable,
      409: 'There are 100 keys.',
    },
    async ({ platform, caller, body: { name, expires, ...limits } }) => {
      const expiresAt = expires == null ? null : Date.parse(expires)
      if (expiresAt !== null && expiresAt <= platform.clock()) {
        throw new ServiceError(400, '"expires" must be in the future.')
      }
      const { key, row } = await makeKey(platform, caller, { name, expiresAt, limits: changeLimits(noLimits, limits) })
      return { key, entry: await toKeyEntry(platform, row, caller) }
    },
  ),
  route(
    'patch /keys/{id}',
    'Change the name, the rights or the limits of a key',
    { body: apiKeyChange, 200: apiKey, ...notGrantable, 409: 'No key with the right `manage` would be left.' },
    async ({ platform, caller, params, body }) =>
      await toKeyEntry(platform, await changeKey(platform, caller, params.id, body), caller),
  ),
  route(
    'delete /keys/{id}',
    'Revoke a key',
    { query: { current }, 204: nothing, 409: 'It is the key in use.' },
    async ({ platform, caller, params, query }) => {
      if (params.id === caller.keyId && query.current !== 'yes') {
        throw new ServiceError(409, 'This is the key in use. Add ?current=yes to revoke it anyway.')
      }
      await revokeOwnKey(platform, caller.account.id, params.id)
    },
  ),
]
