import { apiBasePath, environmentOfKey } from '../../contract/interface/environment.ts'

/** The Authorization header of a key: the key as user name and an empty password (spec 5). */
export function authorization(key: string): string {
  return `Basic ${Buffer.from(`${key}:`).toString('base64')}`
}

/**
 * For tests and benches: one request to a running service's REST API, in the environment of the key.
 * @param at the service's address
 * @param path below the environment's base path, such as `files` or `file/ID.txt`
 */
export function askApi(at: URL | string, key: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('authorization', authorization(key))
  return fetch(new URL(apiBasePath(environmentOfKey(key) ?? 'live') + path, at), { ...init, headers })
}
