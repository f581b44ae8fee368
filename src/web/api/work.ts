import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Claim, claim, claimHeader, type NewClaim, queuePage } from '../../contract/work-parts.ts'
import { type StaffOverview, staffOverview, type WorkStep, workBasePath } from '../../contract/work-staff.ts'
import { readJson, request, type Session } from './client.ts'

/* The door to the work interface. A session of staff has the staff's id in place of an account's. */

type Call = { body?: unknown; claim?: number; signal?: AbortSignal }

/** A GET, or where there is a body a POST. @throws ApiError */
async function send(session: Session, path: string, { body, claim: number, signal }: Call = {}): Promise<Response> {
  const headers = new Headers()
  if (number !== undefined) headers.set(claimHeader, String(number))
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return await request(session, workBasePath + path, { ...sent, headers, signal: signal ?? null })
}

/** Who has a key of staff. @throws ApiError 401 where nobody has it */
export async function fetchStaff(key: string): Promise<StaffOverview> {
  return await readJson(await send({ environment: 'live', account: '', key }, ''), staffOverview)
}

/** Takes a part, or the next one. @throws ApiError 403, 404, 409 in words */
export async function takePart(session: Session, wanted: NewClaim): Promise<Claim> {
  return await readJson(await send(session, 'claims', { body: wanted }), claim)
}

const queueLimit = 50
/** So often an open queue is read anew. Milliseconds. */
const queueMs = 15_000

export const work = {
  all: ({ account }: Session) => ['work', account] as const,
  staff: (session: Session) =>
    queryOptions({
      queryKey: [...work.all(session), 'staff'],
      queryFn: () => fetchStaff(session.key),
    }),
  /** What may be taken now, of one step or all. */
  queue: (session: Session, step: WorkStep | null) =>
    infiniteQueryOptions({
      queryKey: [...work.all(session), 'queue', step],
      queryFn: async ({ pageParam, signal }) => {
        const query = new URLSearchParams({ limit: String(queueLimit) })
        if (step !== null) query.set('step', step)
        if (pageParam !== null) query.set('cursor', pageParam)
        return await readJson(await send(session, `queue?${query}`, { signal }), queuePage)
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next_cursor }) => next_cursor,
      refetchInterval: queueMs,
    }),
}
