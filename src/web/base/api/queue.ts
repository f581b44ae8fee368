import { queryOptions } from '@tanstack/react-query'
import { queueAnswer } from '../../../contract/account/queue.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Polling interval of an open page. Milliseconds. */
const pollMs = 20_000

function place(session: Session, path: string) {
  return queryOptions({
    queryKey: [...account.all(session), 'queue', path] as const,
    queryFn: async ({ signal }) => (await askAccount(session, path, queueAnswer, { signal })).place,
    staleTime: pollMs,
    refetchInterval: pollMs,
    // Only a hint: the page works without it.
    retry: false,
  })
}

/** How long a new order would take, and how many are ahead of it. Null: there is no recognizer. */
export const queue = {
  /** @param durationMs total of the order */
  ofNew: (session: Session, durationMs: number) => place(session, `queue?seconds=${Math.ceil(durationMs / 1_000)}`),
  /** null also if the file is not waiting */
  ofFile: (session: Session, id: string) => place(session, `files/${encodeURIComponent(id)}/queue`),
}
