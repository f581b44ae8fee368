import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { account } from './account.ts'
import { accountUrl } from './addresses.ts'
import { readJson, request, type Session } from './client.ts'

type Call = { method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; body?: unknown; key?: string; signal?: AbortSignal }
type Schema<Value> = { parse(value: unknown): Value }

function send(session: Session, path: string, { method = 'GET', body, key, signal }: Call): Promise<Response> {
  return request(session, accountUrl(session.environment, path), {
    method,
    signal: signal ?? null,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** A request to the account interface, its response validated by the contract. @throws ApiError */
export async function askAccount<Value>(
  session: Session,
  path: string,
  schema: Schema<Value>,
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

/** Query of one GET of the account interface. @param key what distinguishes it from the account's other queries */
export function accountQuery<Value>(
  session: Session,
  key: readonly unknown[],
  path: string,
  schema: Schema<Value>,
  more: { placeholderData?: typeof keepPreviousData; retry?: boolean } = {},
) {
  return queryOptions({
    queryKey: [...account.all(session), ...key],
    queryFn: ({ signal }) => askAccount(session, path, schema, { signal }),
    ...more,
  })
}

/** When pages are asked for again while they are shown, in milliseconds. */
export type RefetchInterval<Page> = (query: {
  state: { data?: { pages: readonly Page[] } | undefined }
}) => number | false

/** Query of a list that the account interface returns page by page. While another one loads, the last one stays. */
export function accountPages<Page extends { next_cursor: string | null }>(
  session: Session,
  key: readonly unknown[],
  path: (cursor: string | null) => string,
  schema: Schema<Page>,
  more: { enabled?: boolean; staleTime?: number; refetchInterval?: RefetchInterval<Page> } = {},
) {
  return infiniteQueryOptions({
    queryKey: [...account.all(session), ...key],
    queryFn: ({ signal, pageParam }) => askAccount(session, path(pageParam), schema, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    ...more,
  })
}
