import { useQuery } from '@tanstack/react-query'
import { ArrowUpFromLine, ChartNoAxesColumn, File, type LucideIcon, Settings, Webhook } from 'lucide-react'
import { account } from '../base/api/account.ts'
import { useSession } from '../signed-in/session/session.ts'
import { type NavPage, navPagesOf } from './nav-pages.ts'

const icons: Record<NavPage['path'], LucideIcon> = {
  files: File,
  order: ArrowUpFromLine,
  usage: ChartNoAxesColumn,
  webhooks: Webhook,
  settings: Settings,
}

export type NavItem = NavPage & { icon: LucideIcon }

/** The navigation items of the current session. */
export function useNavItems(): readonly NavItem[] {
  const { data } = useQuery(account.overview(useSession()))
  return navPagesOf(data).map((page) => ({ ...page, icon: icons[page.path] }))
}
