import { queryOptions } from '@tanstack/react-query'
import { queueAnswer } from '../../../contract/account/queue.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** An open page asks again so often. Milliseconds. */
const anewMs = 20_000

function place(session: Session, path: string) {
  return queryOptions({
    queryKey: [...account.all(session), 'queue', path] as const,
    queryFn: async ({ signal }) => (await askAccount(session, path, queueAnswer, { signal })).place,
    staleTime: anewMs,
    refetchInterval: anewMs,
    // It is a hint: the page does without.
    retry: false,
  })
}

/** How long an order takes that is made now, and how many are before it. Null: nobody recognises anything. */
export const queue = {
  /** @param durationMs of all that is ordered */
  ofNew: (session: Session, durationMs: number) => place(session, `queue?seconds=${Math.ceil(durationMs / 1_000)}`),
  /** null also where the file does not wait */
  ofFile: (session: Session, id: string) => place(session, `files/${encodeURIComponent(id)}/queue`),
}
