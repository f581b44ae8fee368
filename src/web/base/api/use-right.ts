import { useQuery } from '@tanstack/react-query'
import type { KeyRight } from '../../../contract/account/key-limits.ts'
import { account, hasRight } from './account.ts'
import type { Session } from './client.ts'

/** Whether the key of this page has a right: true until it is known. Apart, as the sign-in page needs no hooks of queries. */
export function useRight(session: Session, right: KeyRight): boolean {
  return hasRight(useQuery(account.overview(session)).data, right)
}
