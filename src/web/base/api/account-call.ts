import { accountUrl } from './addresses.ts'
import { readJson, request, type Session } from './client.ts'

type Call = { method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; body?: unknown; signal?: AbortSignal }

function send(session: Session, path: string, { method = 'GET', body, signal }: Call): Promise<Response> {
  return request(session, accountUrl(session.environment, path), {
    method,
    signal: signal ?? null,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
}

/** A request to the account interface, its response validated by the contract. @throws ApiError */
export async function askAccount<Value>(
  session: Session,
  path: string,
  schema: { parse(value: unknown): Value },
  call: Call = {},
): Promise<Value> {
  return await readJson(await send(session, path, call), schema)
}

/** A request to the account interface whose response has no body. @throws ApiError */
export async function sendToAccount(session: Session, path: string, call: Call): Promise<void> {
  await send(session, path, call)
}

/** The response's bytes, as for a CSV. @throws ApiError */
export async function blobOfAccount(session: Session, path: string): Promise<Blob> {
  return await (await send(session, path, {})).blob()
}
