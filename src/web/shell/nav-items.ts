import { useQuery } from '@tanstack/react-query'
import { ArrowUpFromLine, ChartNoAxesColumn, File, Settings, Webhook } from 'lucide-react'
import type { AccountOverview } from '../../contract/account/account.ts'
import { account, hasRight } from '../base/api/account.ts'
import { useSession } from '../signed-in/session/session.ts'

/** The pages of an environment, in sidebar order; some require a feature of the service. */
const navItems = [
  { path: 'files', label: 'Files', short: 'Files', icon: File },
  { path: 'order', label: 'New order', short: 'Order', icon: ArrowUpFromLine, right: 'order' },
  { path: 'usage', label: 'Usage', short: 'Usage', icon: ChartNoAxesColumn, feature: 'usage' },
  {
    path: 'webhooks',
    label: 'Webhooks',
    short: 'Webhooks',
    icon: Webhook,
    feature: 'webhooks',
    also: 'signing secret endpoint url',
  },
  { path: 'settings', label: 'Settings', short: 'Settings', icon: Settings },
] as const

export type NavItem = (typeof navItems)[number]

/** The pages that a service offers to this key; all of them until that is known. */
function offeredBy(overview: AccountOverview | null | undefined): readonly NavItem[] {
  return navItems.filter((item) => {
    if ('right' in item) return hasRight(overview, item.right)
    if (!('feature' in item) || overview === undefined) return true
    return overview?.features[item.feature] ?? false
  })
}

/** The navigation items of the current session. */
export function useNavItems(): readonly NavItem[] {
  const { data } = useQuery(account.overview(useSession()))
  return offeredBy(data)
}
