import { accountBasePath, environmentOfKey } from '../../contract/interface/environment.ts'
import { authorization } from './ask-api.ts'

/** For tests and benches: a client of a running service's account API, in the environment of its key. */
export type AccountClient = {
  /** the raw response */
  ask(method: string, path: string, body?: unknown): Promise<Response>
  /** the body of a response that must be a success */
  read<Body>(method: string, path: string, body?: unknown): Promise<Body>
}

/** @param at the service's address */
export function accountClient(at: URL | string, key: string): AccountClient {
  const base = accountBasePath(environmentOfKey(key) ?? 'live')
  const client: AccountClient = {
    ask: (method, path, body) =>
      fetch(new URL(base + path, at), {
        method,
        headers: {
          authorization: authorization(key),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async read<Body>(method: string, path: string, body?: unknown) {
      const answer = await client.ask(method, path, body)
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      return (answer.status === 204 ? undefined : await answer.json()) as Body
    },
  }
  return client
}
