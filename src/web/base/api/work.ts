import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  type Claim,
  claim,
  claimHeader,
  type DeskPart,
  deskPart,
  type NewClaim,
  type PartPlayback,
  partPlayback,
  queuePage,
  type ReturnReason,
  type ReworkPlace,
  type ReworkReason,
  unheard,
} from '../../../contract/work/parts.ts'
import { type StaffOverview, staffOverview, type WorkStep, workBasePath } from '../../../contract/work/staff.ts'
import { ApiError, readJson, request, type Session } from './client.ts'
import { type CorrectionHome, correctionsAt } from './corrections.ts'

/* Client of the work interface. A staff session has the staff member's id in place of an account's. */

type Call = { body?: unknown; claim?: number; signal?: AbortSignal }

/** Sends a GET, or a POST if there is a body. @throws ApiError */
export async function send(
  session: Session,
  path: string,
  { body, claim: number, signal }: Call = {},
): Promise<Response> {
  const headers = new Headers()
  if (number !== undefined) headers.set(claimHeader, String(number))
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return await request(session, workBasePath + path, { ...sent, headers, signal: signal ?? null })
}

/** The staff member who owns a key. @throws ApiError 401 if nobody does */
export async function fetchStaff(key: string): Promise<StaffOverview> {
  return await readJson(await send({ environment: 'live', account: '', key }, ''), staffOverview)
}

/** Claims a part, or the next one. @throws ApiError 403, 404, 409 with a readable message */
export async function takePart(session: Session, wanted: NewClaim): Promise<Claim> {
  return await readJson(await send(session, 'claims', { body: wanted }), claim)
}

/** A claimed part: identifies it in every request. */
export type HeldPart = { session: Session; part: string; claim: number }

const ofPart = ({ part }: HeldPart, path = '') => `parts/${encodeURIComponent(part)}${path}`

/** The data of the desk. @throws ApiError 409 if the claim has ended, 410 if the order was deleted */
async function fetchDesk(held: HeldPart): Promise<DeskPart> {
  return await readJson(await send(held.session, ofPart(held), held), deskPart)
}

/** Renews the claim. @param heard ranges played, in seconds of the recording @throws ApiError as `fetchDesk` */
export async function renewHold(held: HeldPart, heard: readonly (readonly [number, number])[]): Promise<void> {
  await send(held.session, ofPart(held, '/hold'), { ...held, body: { heard } })
}

/** Playback of the part's recording; null if there is none. @throws ApiError as `fetchDesk` */
export async function fetchPartPlayback(held: HeldPart): Promise<PartPlayback | null> {
  return await orNull(async () =>
    readJson(await send(held.session, ofPart(held, '/playback'), { ...held, body: {} }), partPlayback),
  )
}

/** The waveform's bytes; null if there is none. */
export async function fetchPartPeaks(held: HeldPart): Promise<ArrayBuffer | null> {
  return await orNull(async () => (await send(held.session, ofPart(held, '/peaks'), held)).arrayBuffer())
}

async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

export type Unheard = ReturnType<typeof unheard.parse>

/** The ranges of the part that nobody has played in this step. */
export async function fetchUnheardShare(held: HeldPart): Promise<Unheard> {
  return await readJson(await send(held.session, ofPart(held, '/unheard'), held), unheard)
}

type Submission = { revision: number; ticked: readonly string[]; reason?: string }

/** Completes the step. @throws ApiError 409, 412 with a readable message */
export async function submitPart(held: HeldPart, body: Submission): Promise<void> {
  await send(held.session, ofPart(held, '/submit'), { ...held, body })
}

/** Returns the part to the queue. @throws ApiError */
export async function returnPart(held: HeldPart, body: { reason: ReturnReason; note?: string }): Promise<void> {
  await send(held.session, ofPart(held, '/return'), { ...held, body })
}

/** Reopens the part to be typed again. @throws ApiError */
export async function reopenPart(
  held: HeldPart,
  part: string,
  body: { reasons: ReworkReason[]; note: string; places: ReworkPlace[] },
): Promise<void> {
  await send(held.session, ofPart({ ...held, part }, '/reopen'), { ...held, body })
}

/** The corrections of the part. */
export function correctionsOfPart(held: HeldPart): CorrectionHome {
  const url = workBasePath + ofPart(held, '/corrections')
  return correctionsAt(held.session, url, { [claimHeader]: String(held.claim) })
}

const queueLimit = 50
/** Polling interval of an open queue. Milliseconds. */
const queueMs = 15_000

export const work = {
  all: ({ account }: Session) => ['work', account] as const,
  staff: (session: Session) =>
    queryOptions({
      queryKey: [...work.all(session), 'staff'],
      queryFn: () => fetchStaff(session.key),
    }),
  /** The data to work on a part: loaded once per claim. */
  desk: (held: HeldPart) =>
    queryOptions({
      queryKey: [...work.all(held.session), 'desk', held.part, held.claim],
      queryFn: () => fetchDesk(held),
      staleTime: Infinity,
      gcTime: 0,
    }),
  /** Parts available now, of one step or all. */
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
