import { ArrowUpFromLine, ChartNoAxesColumn, File, Settings, Webhook } from 'lucide-react'

/** The pages of an environment, in the order they stand in the sidebar. */
export const navItems = [
  { path: 'files', label: 'Files', short: 'Files', icon: File },
  { path: 'order', label: 'New order', short: 'Order', icon: ArrowUpFromLine },
  { path: 'usage', label: 'Usage', short: 'Usage', icon: ChartNoAxesColumn },
  { path: 'webhooks', label: 'Webhooks', short: 'Webhooks', icon: Webhook },
  { path: 'settings', label: 'Settings', short: 'Settings', icon: Settings },
] as const
