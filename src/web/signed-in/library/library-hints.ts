import type { Session } from '../../base/api/client.ts'

/*
 * Whether an account's files are cached on this device: a hint in plain text, to speed up the next visit. Nothing of
 * the files themselves; a wrong hint only costs time.
 */
const hintKey = ({ environment, account }: Session) => `parley.kept.${environment}.${account}`

export function hasCachedFiles(session: Session): boolean {
  return localStorage.getItem(hintKey(session)) !== null
}

export function noteCachedFiles(session: Session): void {
  localStorage.setItem(hintKey(session), 'yes')
}
