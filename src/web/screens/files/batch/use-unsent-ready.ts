import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { addBusinessDays, manualBusinessDays } from '../../../../contract/common/business-days.ts'
import { account } from '../../../base/api/account.ts'
import type { Session } from '../../../base/api/client.ts'
import { queue } from '../../../base/api/queue.ts'
import { isUnderWay, type Upload } from '../../../signed-in/uploads/tray/upload.ts'
import { unsentSeconds } from '../../../signed-in/uploads/use-uploads.ts'

/**
 * Estimates when what is not sent yet will be ready, in ms since 1970: after its upload, by the queue, or by the days
 * that typists take. Null: nothing is unsent, or it is not known.
 */
export function useUnsentReady(session: Session, uploads: readonly Upload[]): number | null {
  const { data: overview } = useQuery(account.overview(session))
  const unsent = uploads.filter(isUnderWay)
  const automated = unsent.filter(({ agreement }) => agreement?.options.transcript_type === 'automated')
  const durationMs = automated.reduce((sum, { inspection }) => sum + (inspection?.durationMs ?? 0), 0)
  const enabled = overview?.features.queue === true && durationMs > 0
  const { data: place } = useQuery({ ...queue.ofNew(session, durationMs), enabled, placeholderData: keepPreviousData })
  const uploadSeconds = unsentSeconds(unsent)
  if (unsent.length === 0 || uploadSeconds === null) return null
  const sentAt = Date.now() + uploadSeconds * 1_000
  if (automated.length < unsent.length) {
    const typing = overview?.features.manual_typing
    return typing === 'pool' || typing === 'staff' ? addBusinessDays(sentAt, manualBusinessDays) : null
  }
  return enabled && place ? sentAt + place.about_seconds * 1_000 : null
}
