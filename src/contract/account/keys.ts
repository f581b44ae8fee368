import * as z from 'zod/mini'

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
})
export type ApiKeyEntry = z.infer<typeof apiKey>

/** Response of `GET keys`: active keys, newest first, without revoked and expired ones. */
export const apiKeyList = z.object({ keys: z.array(apiKey) })

/** Body of `POST keys`. `expires` is ISO 8601 and in the future; absent or null: never. */
export const newApiKey = z.strictObject({ name: keyName, expires: z.optional(z.nullable(z.iso.datetime())) })

/** Response of `POST keys` (201): the only time that the key is shown (decision 14). */
export const createdApiKey = z.object({ key: z.string(), entry: apiKey })
export type CreatedApiKey = z.infer<typeof createdApiKey>

/** Body of `PATCH keys/<id>`; the response is the `apiKey`. */
export const apiKeyRename = z.strictObject({ name: keyName })

/** Required by `DELETE keys/<id>` for the key in use, else 409, so that nobody locks themselves out by accident. */
export const revokeCurrentQuery = '?current=yes'
