import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type CaptionHouseName, captionReport } from '../../../contract/account/captions.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Checks a file's captions against a house's rules. @param syncs increments when the service receives corrections */
export function captionReportQuery(session: Session, id: string, house: CaptionHouseName, syncs: number) {
  return queryOptions({
    queryKey: [...account.all(session), 'caption-report', id, house, syncs] as const,
    queryFn: ({ signal }) =>
      askAccount(session, `files/${encodeURIComponent(id)}/caption-report?house=${house}`, captionReport, { signal }),
    placeholderData: keepPreviousData,
  })
}
