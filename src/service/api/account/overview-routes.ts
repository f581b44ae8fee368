import { type AccountOverview, accountOverview } from '../../../contract/account/account.ts'
import { captionRules } from '../../../contract/account/captions.ts'
import type { KeyRight } from '../../../contract/account/key-limits.ts'
import { accountDefaults, accountSettings, newDefaults, programText } from '../../../contract/account/settings.ts'
import { mergePatch } from '../../../contract/common/merge-patch.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { applyOptions } from '../../../contract/interface/order-options.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { describeTotal, readMonthSpent } from '../../accounts/auth/key-spending.ts'
import { readLastFour } from '../../accounts/auth/keys.ts'
import { changeSettings, setDefaults, setNewCaptionRules, setProgramText } from '../../accounts/settings.ts'
import { readClosing } from '../../operations/closing/close-account.ts'
import { hasTypists } from '../../orders/create/write-order.ts'
import { readBalance } from '../../orders/money/balance.ts'
import { readFreeMinutes } from '../../orders/money/free-minutes.ts'
import { getDatedRates } from '../../orders/money/get-rates.ts'
import { readBilling, sellerLines } from '../../orders/money/invoices/billing.ts'
import { isTestMoney } from '../../orders/money/payment/open-live-payment.ts'
import { readSavedCard, shownCard } from '../../orders/money/payment/saved-card.ts'
import { readRecentRefunds } from '../../orders/money/read-usage.ts'
import type { Account } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { route } from '../http/account-route.ts'
import { answer, badBody } from '../http/operation.ts'
import { readBody } from '../http/read-request.ts'

async function manualTyping(
  { config, db }: Platform,
  isSandbox: boolean,
): Promise<AccountOverview['features']['manual_typing']> {
  if (!config.manualOrders) return 'off'
  if (isSandbox) return 'pool'
  return (await hasTypists(db)) ? 'staff' : 'none'
}

/** The VAT in the account's prices, where it is set. */
async function includedVat({ db, config: { vatPercent } }: Platform, account: Account) {
  if (vatPercent === 0) return {}
  return { vat_percent: (await readBilling(db, account.id))?.reverse_charge ? 0 : vatPercent }
}

/** Whether a key reaches the whole account. */
const isWhole = (limits: Caller['limits']) => limits === null || limits.projects === null

/**
 * What is offered depends on the service and on what the key may do: pages that it cannot use are not shown. Nobody changes
 * files of a closed account; pages that can be read stay.
 */
async function listFeatures(
  platform: Platform,
  { environment, closed_at }: Account,
  limits: Caller['limits'],
): Promise<AccountOverview['features']> {
  const may = (right: KeyRight) => limits === null || limits.rights.includes(right)
  const [manages, corrects] = [may('manage'), may('correct')]
  const [isSandbox, isOpen] = [environment === 'sandbox', closed_at === null]
  const whole = isWhole(limits)
  return {
    manual_typing: await manualTyping(platform, isSandbox),
    pages: true,
    corrections: true,
    vocabulary: whole && corrects,
    search: true,
    captions: true,
    log: manages,
    labels: corrects && isOpen,
    queue: true,
    projects: true,
    retention: whole && manages,
    events: true,
    playback: true,
    resumable_uploads: true,
    links: true,
    keys: manages,
    webhooks: manages,
    invoices: manages && platform.config.invoicePrefix !== null,
    delete_when_ready: true,
    deletion: may('delete') && isOpen,
    settings: manages,
    usage: whole,
    payment: manages,
    closing: whole && manages,
    sandbox_tools: isSandbox && limits === null && isOpen,
  }
}

/** The signed-in account, and what the dashboard may offer it. */
async function readOverview(platform: Platform, { account, keyId, limits }: Caller): Promise<AccountOverview> {
  // A key within projects needs what orders are paid from only if it may order.
  const paysOrders = isWhole(limits) || limits?.rights.includes('order') === true
  const card = paysOrders ? await readSavedCard(platform, account) : null
  const rates = getDatedRates(platform, account.currency)
  return {
    id: account.id,
    name: account.name,
    environment: account.environment,
    key_last_four: await readLastFour(platform.db, keyId),
    ...(limits !== null && {
      key_limits: {
        ...limits,
        month_spent_cents: await readMonthSpent(platform.db, keyId, platform.clock()),
        ...(await describeTotal(platform.db, keyId, limits)),
      },
    }),
    currency: account.currency,
    discount_percent: account.discount_percent,
    rates: rates.now.rates,
    rates_from: rates.now.from,
    next_rates: rates.next,
    free_minutes: await readFreeMinutes(platform, account.id),
    support_email: platform.config.supportEmail,
    seller: sellerLines(platform.config),
    payment_method: card && shownCard(card),
    ...(paysOrders && { balance: await readBalance(platform, account) }),
    ...(isTestMoney(platform, account) && { is_test_money: true }),
    ...(await includedVat(platform, account)),
    // It names a file, which may be beyond the projects of the key.
    recent_refunds: isWhole(limits) ? await readRecentRefunds(platform.db, account.id, platform.clock()) : null,
    // Without the rule for `automated`: the form must show the effective options of a manual order.
    default_options: { ...applyOptions({}, {}), ...JSON.parse(account.default_options_json) },
    custom_formatting_enabled: account.custom_formatting_enabled === 1,
    ...(account.closed_at !== null && { closing: (await readClosing(platform.db, account.id)) ?? undefined }),
    ...(account.caption_rules_json !== null && { caption_rules: JSON.parse(account.caption_rules_json) }),
    program_text: account.program_text,
    recognition: await platform.nodes.recognition(),
    features: await listFeatures(platform, account, limits),
  }
}

const saved = {
  200: answer(accountSettings, 'The current settings.'),
  413: 'The settings would exceed 64 KiB.',
}

/** RFC 7396's registered media type for merge patches; `application/json` is accepted as well. */
export const mergePatchType = 'application/merge-patch+json'

/**
 * The base path itself; `settings` of the dashboard: replaced by API clients, patched by the dashboard; `defaults` of
 * the order options (spec 2.3, rule 2); `caption-rules` of new files; `program-text`: which version of a transcript API
 * clients get.
 */
export const overviewRoutes = [
  route(
    'get /',
    'Who signed in, and what the service offers',
    { withinProjects: true, 200: accountOverview },
    (given) => readOverview(given.platform, given.caller),
  ),
  route('get /settings', 'Settings of the dashboard', { 200: accountSettings }, ({ caller }) =>
    JSON.parse(caller.account.settings_json),
  ),
  route('put /settings', 'Replace the settings', { body: accountSettings, ...saved }, ({ platform, caller, body }) =>
    changeSettings(platform, caller.account.id, () => body),
  ),
  route(
    'patch /settings',
    'Update settings',
    {
      description:
        'The body is a JSON merge patch (RFC 7396): members of objects are merged at every depth, null removes a ' +
        'member, everything else replaces what was there. Two updates of different members do not overwrite each other.',
      body: { required: true, content: { [mergePatchType]: accountSettings, 'application/json': accountSettings } },
      ...saved,
      400: badBody,
    },
    ({ platform, caller, request }) => {
      const patch = readBody(accountSettings, request)
      return changeSettings(platform, caller.account.id, (settings) => mergePatch(settings, patch))
    },
  ),
  route(
    'put /defaults',
    'Set the default options',
    { body: newDefaults, 200: accountDefaults },
    async ({ platform, caller, body }) => ({
      default_options: await setDefaults(platform, caller.account, body as Partial<OrderOptions>),
    }),
  ),
  route(
    'put /caption-rules',
    'Set the caption rules of new files',
    { body: captionRules, 204: 'They are set, without their timing, which belongs to one recording.' },
    ({ platform, caller, body }) => setNewCaptionRules(platform, caller.account.id, body),
  ),
  route(
    'put /program-text',
    'Choose which text `/v1/` returns',
    { body: programText, 200: programText },
    async ({ platform, caller, body }) => {
      await setProgramText(platform, caller.account.id, body.program_text)
      return body
    },
  ),
]
