import { keepPreviousData } from '@tanstack/react-query'
import { type CaptionRules, captionReport } from '../../../contract/account/captions.ts'
import { account } from './account.ts'
import { accountQuery, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'
import { queryClient } from './query-client.ts'

/** Checks a file's captions against their rules. @param state changes when the service receives corrections or rules */
export function captionReportQuery(session: Session, id: string, state: string) {
  const more = { placeholderData: keepPreviousData }
  return accountQuery(
    session,
    ['caption-report', id, state],
    `files/${encodeURIComponent(id)}/caption-report`,
    captionReport,
    more,
  )
}

/** Sets the rules of a file's captions. @throws ApiError */
export async function putCaptionRules(session: Session, id: string, rules: CaptionRules): Promise<void> {
  await sendToAccount(session, `files/${encodeURIComponent(id)}/caption-rules`, { method: 'PUT', body: rules })
}

/** Sets the rules that captions of files ordered from now on begin with. @throws ApiError */
export async function putNewCaptionRules(session: Session, rules: CaptionRules): Promise<void> {
  await sendToAccount(session, 'caption-rules', { method: 'PUT', body: rules })
  await queryClient.invalidateQueries({ queryKey: account.overview(session).queryKey })
}
