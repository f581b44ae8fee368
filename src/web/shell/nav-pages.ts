import type { AccountOverview } from '../../contract/account/account.ts'

/** The pages of an environment, in sidebar order; some require a feature of the service. */
const navPages = [
  { path: 'files', label: 'Files', short: 'Files' },
  { path: 'order', label: 'New order', short: 'Order' },
  { path: 'usage', label: 'Usage', short: 'Usage', feature: 'usage' },
  { path: 'webhooks', label: 'Webhooks', short: 'Webhooks', feature: 'webhooks' },
  { path: 'settings', label: 'Settings', short: 'Settings' },
] as const

export type NavPage = (typeof navPages)[number]

/** The pages that a service offers; all of them until its features are known. */
export function navPagesOf(overview: AccountOverview | null | undefined): readonly NavPage[] {
  return navPages.filter((page) => {
    if (!('feature' in page) || overview === undefined) return true
    return overview?.features[page.feature] ?? false
  })
}
