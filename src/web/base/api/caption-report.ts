import { keepPreviousData } from '@tanstack/react-query'
import { type CaptionHouseName, captionReport } from '../../../contract/account/captions.ts'
import { accountQuery } from './account-call.ts'
import type { Session } from './client.ts'

/** Checks a file's captions against a house's rules. @param syncs increments when the service receives corrections */
export function captionReportQuery(session: Session, id: string, house: CaptionHouseName, syncs: number) {
  const path = `files/${encodeURIComponent(id)}/caption-report?house=${house}`
  const more = { placeholderData: keepPreviousData }
  return accountQuery(session, ['caption-report', id, house, syncs], path, captionReport, more)
}
