import { queryOptions } from '@tanstack/react-query'
import { managedFileParts, managedFiles, managedText, payMonth, staffList } from '../../../contract/work/managers.ts'
import type { ReworkReason } from '../../../contract/work/parts.ts'
import { readJson, type Session } from './client.ts'
import { send, work } from './work.ts'

/* Functions for managers only. */

/** Polling interval of a manager's page. Milliseconds. */
const refetchInterval = 15_000

export const managing = {
  all: (session: Session) => [...work.all(session), 'managing'] as const,
  files: (session: Session) =>
    queryOptions({
      queryKey: [...managing.all(session), 'files'],
      queryFn: async () => readJson(await send(session, 'files'), managedFiles),
      refetchInterval,
    }),
  parts: (session: Session, file: string) =>
    queryOptions({
      queryKey: [...managing.all(session), 'parts', file],
      queryFn: async () => readJson(await send(session, `files/${encodeURIComponent(file)}`), managedFileParts),
      refetchInterval,
    }),
  text: (session: Session, part: string) =>
    queryOptions({
      queryKey: [...managing.all(session), 'text', part],
      queryFn: async () => readJson(await send(session, `parts/${encodeURIComponent(part)}/text`), managedText),
    }),
  pay: (session: Session, month: string) =>
    queryOptions({
      queryKey: [...managing.all(session), 'pay', month],
      queryFn: async () => readJson(await send(session, `pay?month=${month}`), payMonth),
      refetchInterval,
    }),
  staff: (session: Session) =>
    queryOptions({
      queryKey: [...managing.all(session), 'people'],
      queryFn: async () => readJson(await send(session, 'staff'), staffList),
      refetchInterval,
    }),
}

/** Reserves the part for one staff member; null: anybody. Revokes any current claim. @throws ApiError */
export async function assignPart(session: Session, part: string, staff: string | null): Promise<void> {
  await send(session, `parts/${encodeURIComponent(part)}/assign`, { body: { staff } })
}

/** Accepts an odd step, or refuses it: it is not paid, and done again. @throws ApiError */
export async function decideStep(session: Session, part: string, claim: number, accepted: boolean): Promise<void> {
  await send(session, `parts/${encodeURIComponent(part)}/claims/${claim}/decide`, { body: { accepted } })
}

/** Reopens a part to be typed again. @throws ApiError */
export async function reopenAnyPart(
  session: Session,
  part: string,
  body: { reasons: ReworkReason[]; note: string },
): Promise<void> {
  await send(session, `parts/${encodeURIComponent(part)}/reopen`, { body })
}

/** Delays an order. @param until ISO 8601; null: estimated from the remaining work @throws ApiError */
export async function delayFile(session: Session, file: string, reason: string, until: string | null): Promise<void> {
  await send(session, `files/${encodeURIComponent(file)}/delay`, { body: { reason, until } })
}

/** Ends all work on an order and refunds its price. @throws ApiError */
export async function refundFile(session: Session, file: string, reason: string): Promise<void> {
  await send(session, `files/${encodeURIComponent(file)}/refund`, { body: { reason } })
}
