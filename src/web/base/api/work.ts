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
  type ReworkReason,
  unheard,
} from '../../../contract/work/parts.ts'
import { type StaffOverview, staffOverview, type WorkStep, workBasePath } from '../../../contract/work/staff.ts'
import { ApiError, readJson, request, type Session } from './client.ts'
import { type CorrectionHome, correctionsAt } from './corrections.ts'

/* The door to the work interface. A session of staff has the staff's id in place of an account's. */

type Call = { body?: unknown; claim?: number; signal?: AbortSignal }

/** A GET, or if there is a body a POST. @throws ApiError */
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

/** Who has a key of staff. @throws ApiError 401 if nobody has it */
export async function fetchStaff(key: string): Promise<StaffOverview> {
  return await readJson(await send({ environment: 'live', account: '', key }, ''), staffOverview)
}

/** Takes a part, or the next one. @throws ApiError 403, 404, 409 in words */
export async function takePart(session: Session, wanted: NewClaim): Promise<Claim> {
  return await readJson(await send(session, 'claims', { body: wanted }), claim)
}

/** A part that one holds: what every request of it names. */
export type HeldPart = { session: Session; part: string; claim: number }

const ofPart = ({ part }: HeldPart, path = '') => `parts/${encodeURIComponent(part)}${path}`

/** What the desk works with. @throws ApiError 409 if the hold has ended, 410 if the order was deleted */
async function fetchDesk(held: HeldPart): Promise<DeskPart> {
  return await readJson(await send(held.session, ofPart(held), held), deskPart)
}

/** Renews the hold. @param heard stretches that were played, in seconds of the recording @throws ApiError as `fetchDesk` */
export async function renewHold(held: HeldPart, heard: readonly (readonly [number, number])[]): Promise<void> {
  await send(held.session, ofPart(held, '/hold'), { ...held, body: { heard } })
}

/** Where the part's sound is; null if there is none. @throws ApiError as `fetchDesk` */
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

/** What of the part's sound nobody has heard in this step. */
export async function fetchUnheard(held: HeldPart): Promise<Unheard> {
  return await readJson(await send(held.session, ofPart(held, '/unheard'), held), unheard)
}

type Submission = { revision: number; ticked: readonly string[]; unheard_reason?: string }

/** The step is done. @throws ApiError 409, 412 in words */
export async function submitPart(held: HeldPart, body: Submission): Promise<void> {
  await send(held.session, ofPart(held, '/submit'), { ...held, body })
}

/** Gives the part back. @throws ApiError */
export async function returnPart(held: HeldPart, body: { reason: ReturnReason; note?: string }): Promise<void> {
  await send(held.session, ofPart(held, '/return'), { ...held, body })
}

/** Has the part typed once more. @throws ApiError */
export async function reopenPart(
  held: HeldPart,
  part: string,
  body: { reasons: ReworkReason[]; note: string },
): Promise<void> {
  await send(held.session, ofPart({ ...held, part }, '/reopen'), { ...held, body })
}

/** Where the corrections of the part are. */
export function correctionsOfPart(held: HeldPart): CorrectionHome {
  const url = workBasePath + ofPart(held, '/corrections')
  return correctionsAt(held.session, url, { [claimHeader]: String(held.claim) })
}

const queueLimit = 50
/** So often an open queue is read again. Milliseconds. */
const queueMs = 15_000

export const work = {
  all: ({ account }: Session) => ['work', account] as const,
  staff: (session: Session) =>
    queryOptions({
      queryKey: [...work.all(session), 'staff'],
      queryFn: () => fetchStaff(session.key),
    }),
  /** What one works with in a part: read once for each hold. */
  desk: (held: HeldPart) =>
    queryOptions({
      queryKey: [...work.all(held.session), 'desk', held.part, held.claim],
      queryFn: () => fetchDesk(held),
      staleTime: Infinity,
      gcTime: 0,
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
