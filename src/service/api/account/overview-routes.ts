import type { FastifyInstance } from 'fastify'
import type { AccountOverview } from '../../../contract/account/account.ts'
import { applyOptions } from '../../../contract/interface/order-options.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { hasTypists } from '../../orders/create/write-order.ts'
import { savedCardOf, shownCard } from '../../orders/money/payment/saved-card.ts'
import { ratesOf } from '../../orders/money/rates-of.ts'
import { recentRefundsOf } from '../../orders/money/usage-of.ts'
import type { Platform } from '../../platform/platform.ts'

async function manualTyping(
  { config, db }: Platform,
  isSandbox: boolean,
): Promise<AccountOverview['features']['manual_typing']> {
  if (!config.manualOrders) return 'off'
  if (isSandbox) return 'pool'
  return (await hasTypists(db)) ? 'staff' : 'none'
}

async function featuresOf(platform: Platform, isSandbox: boolean): Promise<AccountOverview['features']> {
  return {
    manual_typing: await manualTyping(platform, isSandbox),
    pages: true,
    corrections: true,
    vocabulary: true,
    search: true,
    captions: true,
    log: true,
    labels: true,
    queue: true,
    projects: true,
    keeping: true,
    events: true,
    playback: true,
    resumable_uploads: true,
    links: true,
    keys: true,
    webhooks: true,
    delete_when_ready: true,
    settings: true,
    usage: true,
    payment: true,
    sandbox_tools: isSandbox,
  }
}

/** The signed-in account, and what the dashboard may offer it. */
async function overviewOf(platform: Platform, { account, keyId }: Caller): Promise<AccountOverview> {
  const key = await platform.db
    .selectFrom('api_keys')
    .select('last_four')
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow()
  const card = await savedCardOf(platform, account)
  const isSandbox = account.environment === 'sandbox'
  return {
    id: account.id,
    name: account.name,
    environment: account.environment,
    key_last_four: key.last_four,
    currency: account.currency,
    discount_percent: account.discount_percent,
    rates: ratesOf(platform, account.currency),
    support_email: platform.config.supportEmail,
    seller: platform.config.seller,
    payment_method: card && shownCard(card),
    recent_refunds: await recentRefundsOf(platform.db, account.id, platform.clock()),
    // Without the rule for `automated`: the form must show the effective options of a manual order.
    default_options: { ...applyOptions({}, {}), ...JSON.parse(account.default_options_json) },
    custom_formatting_enabled: account.custom_formatting_enabled === 1,
    program_text: account.program_text,
    recognition: await platform.nodes.recognition(),
    features: await featuresOf(platform, isSandbox),
  }
}

/** `GET ''`, the base path itself. */
export async function overviewRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.get('', async ({ caller }) => await overviewOf(platform, caller))
}
