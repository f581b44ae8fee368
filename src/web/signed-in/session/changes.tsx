import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { account, isClosed } from '../../base/api/account.ts'
import { useSession } from './session.ts'

/** Controls that change the account: inactive while it is closed, as the service would refuse each. */
export function Changes({ children }: { children: ReactNode }) {
  const { data } = useQuery(account.overview(useSession()))
  return (
    <fieldset disabled={isClosed(data)} className="contents">
      {children}
    </fieldset>
  )
}
