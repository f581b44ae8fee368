import * as z from 'zod/mini'

const keyName = z.string().check(z.trim(), z.minLength(1), z.maxLength(80))

/** One API key as it can be shown: never the key itself. Times are ISO 8601, UTC. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  last_four: z.string(),
  created: z.string(),
  last_used: z.nullable(z.string()),
  expires: z.nullable(z.string()),
  /** the key that this request was made with */
  current: z.boolean(),
})
export type ApiKeyEntry = z.infer<typeof apiKey>

/** Answer of `GET keys`: keys that work, the newest first; revoked and expired ones are gone. */
export const apiKeyList = z.object({ keys: z.array(apiKey) })

/** Body of `POST keys`. `expires` is ISO 8601 and lies ahead; absent or null: never. */
export const newApiKey = z.strictObject({ name: keyName, expires: z.optional(z.nullable(z.iso.datetime())) })

/** Answer of `POST keys` (201): the only time that the key is shown (decision 14). */
export const createdApiKey = z.object({ key: z.string(), entry: apiKey })
export type CreatedApiKey = z.infer<typeof createdApiKey>

/** Body of `PATCH keys/<id>`; the answer is the `apiKey`. */
export const apiKeyRename = z.strictObject({ name: keyName })

/**
 * Added to `DELETE keys/<id>` for the key in use; without it that is a 409, so that nobody locks himself out by
 * accident.
 */
export const revokeCurrentQuery = '?current=yes'
