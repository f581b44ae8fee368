/** The pages of an environment, in the order they stand in the sidebar; some only where the service offers them. */
export const navPages = [
  { path: 'files', label: 'Files', short: 'Files' },
  { path: 'order', label: 'New order', short: 'Order' },
  { path: 'usage', label: 'Usage', short: 'Usage', feature: 'usage' },
  { path: 'webhooks', label: 'Webhooks', short: 'Webhooks', feature: 'webhooks' },
  { path: 'settings', label: 'Settings', short: 'Settings' },
] as const

export type NavPage = (typeof navPages)[number]
