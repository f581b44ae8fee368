import { useQuery } from '@tanstack/react-query'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { queue } from '../../base/api/queue.ts'

/** How long an automated order still takes, and how many are before it; null if that is not known. */
export function useQueuePlace(session: Session, { id, percent, metadata }: FileRecord) {
  const isHeard = percent < 100 && metadata.options.transcript_type === 'automated' && metadata.delay_reason === null
  const enabled = useQuery(account.overview(session)).data?.features.queue === true && isHeard
  const { data } = useQuery({ ...queue.ofFile(session, id), enabled })
  return enabled ? (data ?? null) : null
}
