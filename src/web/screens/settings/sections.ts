import type { AccountOverview } from '../../../contract/account/account.ts'

/** Null: the service has no account interface; undefined: not known yet. */
type Overview = AccountOverview | null | undefined

/** One matter of the settings: its page, its part of it, and how people call it. */
type SettingsSection = {
  /** below `/settings/` */
  page: string
  /** id of its part of the page; absent: the page itself, which the contents list */
  id?: string
  title: string
  /** what people type when they look for it, besides its title */
  also: string
  isOffered: (overview: Overview) => boolean | null | undefined
}

/** Every section in the order of the contents. The former single page had them at `/settings#id`. */
export const settingsSections: readonly SettingsSection[] = [
  { page: 'account', title: 'Account', also: 'name number id support help contact', isOffered: (it) => it != null },
  {
    page: 'account',
    id: 'retention',
    title: 'Automatic deletion',
    also: 'retention rules delete expire privacy gdpr days',
    isOffered: (it) => it?.features.retention,
  },
  {
    page: 'account',
    id: 'export',
    title: 'Export',
    also: 'download all archive zip backup portability takeout',
    isOffered: (it) => it?.features.closing,
  },
  {
    page: 'account',
    id: 'close',
    title: 'Close the account',
    also: 'end cancel quit delete erase leave',
    isOffered: (it) => it?.features.closing,
  },
  {
    page: 'keys',
    title: 'Keys',
    also: 'api key token secret password access revoke',
    isOffered: (it) => it?.features.keys,
  },
  {
    page: 'api',
    title: 'API and webhooks',
    also: 'rest developer program integration endpoint signing secret url',
    isOffered: (it) => it != null,
  },
  {
    page: 'api',
    id: 'programs',
    title: 'Text in the API',
    also: 'original approved corrected version program',
    isOffered: (it) => it?.program_text !== undefined,
  },
  {
    page: 'api',
    id: 'sandbox',
    title: 'Sandbox tools',
    also: 'test sample file delay failing webhook',
    isOffered: (it) => it?.features.sandbox_tools,
  },
  { page: 'ordering', title: 'Ordering', also: 'order', isOffered: (it) => it != null },
  {
    page: 'ordering',
    id: 'defaults',
    title: 'Default options',
    also: 'verbatim spelling speaker names time coding template manual automated',
    isOffered: (it) => it != null,
  },
  {
    page: 'ordering',
    id: 'captions',
    title: 'Captions',
    also: 'subtitles srt rules style guide netflix bbc dcmp reading speed',
    isOffered: (it) => it?.features.captions,
  },
  {
    page: 'money',
    title: 'Money',
    also: 'billing currency price',
    isOffered: (it) => it?.features.payment || (it?.features.usage && it.features.settings),
  },
  {
    page: 'money',
    id: 'payment',
    title: 'Payment',
    also: 'card credit debit visa billing pay method',
    isOffered: (it) => it?.features.payment,
  },
  {
    page: 'money',
    id: 'balance',
    title: 'Balance',
    also: 'budget spending limit top up prepaid credit pay in refund payout',
    isOffered: (it) => it?.features.payment && it.balance !== undefined,
  },
  {
    page: 'money',
    id: 'receipts',
    title: 'Receipts',
    also: 'invoice vat tax number address company billing',
    isOffered: (it) => it?.features.usage && it.features.settings && !it.features.invoices,
  },
  {
    page: 'money',
    id: 'invoices',
    title: 'Invoices',
    also: 'receipt vat tax number address company billing reverse charge credit note pdf',
    isOffered: (it) => it?.features.invoices,
  },
  {
    page: 'vocabulary',
    title: 'Vocabulary',
    also: 'text glossary dictionary words names terms spelling',
    isOffered: (it) => it?.features.vocabulary,
  },
  {
    page: 'log',
    title: 'Account log',
    also: 'audit history activity security who',
    isOffered: (it) => it?.features.log,
  },
  { page: 'display', title: 'Display and notifications', also: 'this device preferences', isOffered: () => true },
  {
    page: 'display',
    id: 'appearance',
    title: 'Appearance',
    also: 'dark mode light theme color density clock date language csv separator',
    isOffered: () => true,
  },
  {
    page: 'display',
    id: 'notifications',
    title: 'Notifications',
    also: 'alert browser push email tell ready late',
    isOffered: () => true,
  },
]

/** The sections that an account has. */
export function offeredSections(overview: Overview): readonly SettingsSection[] {
  return settingsSections.filter(({ isOffered }) => isOffered(overview))
}
