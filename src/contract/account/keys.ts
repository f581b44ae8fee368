import * as z from 'zod/mini'
import { type KeyLimits, keyLimits, keyRights } from './key-limits.ts'

const monthLimit = z.nullable(z.int().check(z.minimum(0), z.maximum(100_000_000)))
const projectIds = z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(100)))

export const noLimits: KeyLimits = { rights: [...keyRights], month_limit_cents: null, projects: null }

const keyName = z.string().check(z.trim(), z.minLength(1), z.maxLength(80))

/** Public fields of an API key: never the key itself. Times are ISO 8601, UTC. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  last_four: z.string(),
  created: z.string(),
  last_used: z.nullable(z.string()),
  expires: z.nullable(z.string()),
  /** the key that authenticated this request */
  current: z.boolean(),
  ...keyLimits.shape,
  /** cents that its orders have cost in this calendar month (UTC), less those that failed */
  month_spent_cents: z.int(),
  /** cents that its orders have cost in all, less refunds; absent where the key has no such limit */
  total_spent_cents: z.optional(z.int()),
})
export type ApiKeyEntry = z.infer<typeof apiKey>

/** Response of `GET keys`: active keys, newest first, without revoked and expired ones. */
export const apiKeyList = z.object({ keys: z.array(apiKey) })

const changeableLimits = {
  rights: z.optional(z.array(z.enum(keyRights)).check(z.minLength(1), z.maxLength(keyRights.length))),
  month_limit_cents: z.optional(monthLimit),
  /** what its orders may cost in all, less refunds; null: no limit */
  total_limit_cents: z.optional(monthLimit),
  projects: z.optional(projectIds),
}

/** Body of `POST keys`. `expires` is ISO 8601 and in the future; absent or null: never. Absent limits: none. */
export const newApiKey = z.strictObject({
  /** such as the program that uses it */
  name: keyName,
  /** when it stops working, ISO 8601; null: never */
  expires: z.optional(z.nullable(z.iso.datetime())),
  ...changeableLimits,
})
export type NewApiKey = z.infer<typeof newApiKey>

/** Response of `POST keys` (201): the only time that the key is shown (decision 14). */
export const createdApiKey = z.object({
  /** the key itself, shown only here */
  key: z.string(),
  /** the key as the list has it */
  entry: apiKey,
})
export type CreatedApiKey = z.infer<typeof createdApiKey>

/** Body of `PATCH keys/<id>`, of which absent fields stay; the response is the `apiKey`. */
export const apiKeyChange = z.strictObject({ name: z.optional(keyName), ...changeableLimits })
export type ApiKeyChange = z.infer<typeof apiKeyChange>

/** Required by `DELETE keys/<id>` for the key in use, else 409, so that nobody locks themselves out by accident. */
export const revokeCurrentQuery = '?current=yes'
