import {
  type CorrectionChange,
  type CorrectionVersion,
  correctionRevision,
  correctionVersions,
  type KeptCorrections,
  keptCorrections,
} from '../../contract/account-corrections.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import { accountUrl } from './addresses.ts'
import { ApiError, readJson, request, type Session } from './client.ts'

const pathOf = (id: string) => `files/${id}/corrections`

/** The corrections that the service has; null where they are still of the known revision. @throws ApiError */
export async function fetchCorrections(session: Session, id: string, known: number): Promise<KeptCorrections | null> {
  const headers = { 'If-None-Match': `"${known}"` }
  try {
    const response = await request(session, accountUrl(session.environment, pathOf(id)), { headers })
    return await readJson(response, keptCorrections)
  } catch (error) {
    if (error instanceof ApiError && error.status === 304) return null
    throw error
  }
}

/** How often the review of a transcript was changed, 0 where nobody has begun one. @throws ApiError 404 where there is none */
export async function fetchReviewRevision(session: Session, id: string): Promise<number> {
  const answer = await request(session, accountUrl(session.environment, `files/${id}/review`), { method: 'HEAD' })
  return Number(answer.headers.get('ETag')?.slice(1, -1))
}

/** Sends a change that was made on a revision. @returns the new one @throws ApiError, 412 where another change came first */
export async function sendCorrections(
  session: Session,
  id: string,
  revision: number,
  change: CorrectionChange,
): Promise<number> {
  const response = await request(session, accountUrl(session.environment, pathOf(id)), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'If-Match': `"${revision}"` },
    body: JSON.stringify(change),
  })
  return (await readJson(response, correctionRevision)).revision
}

/** States of the corrections that can be restored, the newest first. @throws ApiError */
export async function fetchCorrectionVersions(session: Session, id: string): Promise<readonly CorrectionVersion[]> {
  return (await askAccount(session, `${pathOf(id)}/versions`, correctionVersions)).versions
}

/** The corrections as they were after a revision. @throws ApiError */
export async function fetchCorrectionVersion(session: Session, id: string, revision: number): Promise<KeptCorrections> {
  return await askAccount(session, `${pathOf(id)}/versions/${revision}`, keptCorrections)
}

/** Gives a state of the corrections a name, which keeps it in the list. @throws ApiError */
export async function nameCorrectionVersion(
  session: Session,
  id: string,
  revision: number,
  name: string,
): Promise<void> {
  await sendToAccount(session, `${pathOf(id)}/versions/${revision}`, { method: 'PATCH', body: { name } })
}
