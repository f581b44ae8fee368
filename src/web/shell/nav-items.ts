import { useQuery } from '@tanstack/react-query'
import { ArrowUpFromLine, ChartNoAxesColumn, File, type LucideIcon, Settings, Webhook } from 'lucide-react'
import type { AccountOverview } from '../../contract/account.ts'
import { account } from '../api/account.ts'
import { useSession } from '../session/session.ts'
import { type NavPage, navPages } from './nav-pages.ts'

const icons: Record<NavPage['path'], LucideIcon> = {
  files: File,
  order: ArrowUpFromLine,
  usage: ChartNoAxesColumn,
  webhooks: Webhook,
  settings: Settings,
}

export type NavItem = NavPage & { icon: LucideIcon }

const navItems: readonly NavItem[] = navPages.map((page) => ({ ...page, icon: icons[page.path] }))

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
