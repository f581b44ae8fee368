import { useQuery } from '@tanstack/react-query'
import { ArrowUpFromLine, ChartNoAxesColumn, File, Settings, Webhook } from 'lucide-react'
import type { AccountOverview } from '../../contract/account.ts'
import { account } from '../api/account.ts'
import { useSession } from '../session/session.ts'

/** The pages of an environment, in the order they stand in the sidebar; some only where the service offers them. */
const navItems = [
  { path: 'files', label: 'Files', short: 'Files', icon: File },
  { path: 'order', label: 'New order', short: 'Order', icon: ArrowUpFromLine },
  { path: 'usage', label: 'Usage', short: 'Usage', icon: ChartNoAxesColumn, feature: 'usage' },
  { path: 'webhooks', label: 'Webhooks', short: 'Webhooks', icon: Webhook, feature: 'webhooks' },
  { path: 'settings', label: 'Settings', short: 'Settings', icon: Settings },
] as const

export type NavItem = (typeof navItems)[number]

/** The pages that a service has; all as long as it has not told what it offers. */
export function navItemsOf(overview: AccountOverview | null | undefined): readonly NavItem[] {
  return navItems.filter((item) => {
    if (!('feature' in item) || overview === undefined) return true
    return overview?.features[item.feature] ?? false
  })
}

/** The pages of the service that one is signed in to. */
export function useNavItems(): readonly NavItem[] {
  return navItemsOf(useQuery(account.overview(useSession())).data)
}
