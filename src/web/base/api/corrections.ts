import {
  type CorrectionChange,
  type CorrectionVersion,
  correctionRevision,
  correctionVersions,
  type KeptCorrections,
  keptCorrections,
} from '../../../contract/account/corrections.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import { accountUrl } from './addresses.ts'
import { ApiError, readJson, request, type Session } from './client.ts'

const correctionsPath = (id: string) => `files/${id}/corrections`

/** Loads and stores the corrections of one text. */
export type CorrectionHome = {
  /** null if they are still at the known revision. @throws ApiError */
  fetch: (known: number) => Promise<KeptCorrections | null>
  /** Sends a change based on a revision. @returns the new one @throws ApiError, 412 if another change came first */
  send: (revision: number, change: CorrectionChange) => Promise<number>
}

/** The corrections at a URL. @param headers of every request */
export function correctionsAt(session: Session, url: string, headers: Record<string, string> = {}): CorrectionHome {
  return {
    async fetch(known) {
      try {
        const response = await request(session, url, { headers: { ...headers, 'If-None-Match': `"${known}"` } })
        return await readJson(response, keptCorrections)
      } catch (error) {
        if (error instanceof ApiError && error.status === 304) return null
        throw error
      }
    },
    async send(revision, change) {
      const response = await request(session, url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json', 'If-Match': `"${revision}"` },
        body: JSON.stringify(change),
      })
      return (await readJson(response, correctionRevision)).revision
    },
  }
}

/** The corrections that the account stores for a file. */
export function openCorrections(session: Session, id: string): CorrectionHome {
  return correctionsAt(session, accountUrl(session.environment, correctionsPath(id)))
}

/** The revision of a transcript's review, 0 if none was begun. @throws ApiError 404 if the transcript does not exist */
export async function fetchReviewRevision(session: Session, id: string): Promise<number> {
  const answer = await request(session, accountUrl(session.environment, `files/${id}/review`), { method: 'HEAD' })
  return Number(answer.headers.get('ETag')?.slice(1, -1))
}

/** Restorable versions of the corrections, newest first. @throws ApiError */
export async function fetchCorrectionVersions(session: Session, id: string): Promise<readonly CorrectionVersion[]> {
  return (await askAccount(session, `${correctionsPath(id)}/versions`, correctionVersions)).versions
}

/** The corrections as of a revision. @throws ApiError */
export async function fetchCorrectionVersion(session: Session, id: string, revision: number): Promise<KeptCorrections> {
  return await askAccount(session, `${correctionsPath(id)}/versions/${revision}`, keptCorrections)
}

/** Names a version of the corrections, which keeps it in the list. @throws ApiError */
export async function nameCorrectionVersion(
  session: Session,
  id: string,
  revision: number,
  name: string,
): Promise<void> {
  await sendToAccount(session, `${correctionsPath(id)}/versions/${revision}`, { method: 'PATCH', body: { name } })
}
