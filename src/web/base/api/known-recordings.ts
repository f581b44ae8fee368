import { queryOptions } from '@tanstack/react-query'
import { knownRecordings, maxKnownHashes } from '../../../contract/interface/content-hash.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/**
 * For each recording the account's newest file with the same content, or null.
 * @param ids of the recordings
 * @param hashes returns their content hashes, in that order
 */
export function knownFiles(session: Session, ids: readonly string[], hashes: () => Promise<string[]>) {
  return queryOptions({
    queryKey: [...account.all(session), 'known-recordings', ids.join()],
    queryFn: async () => {
      const asked = await hashes()
      const found = new Map<string, string>()
      for (let from = 0; from < asked.length; from += maxKnownHashes) {
        const body = { content_hashes: asked.slice(from, from + maxKnownHashes) }
        const { known } = await askAccount(session, 'files/known', knownRecordings, { method: 'POST', body })
        for (const { content_hash, id } of known) found.set(content_hash, id)
      }
      return asked.map((hash) => found.get(hash) ?? null)
    },
  })
}
