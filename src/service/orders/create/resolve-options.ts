import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { applyOptions, listIgnored, OptionError } from '../../../contract/interface/order-options.ts'
import type { Account } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { refuseManualOrders } from './create.ts'

/**
 * The options of an order: given ones, then the account's defaults, then the spec's (spec 2.3).
 * @returns the options, and the names of the given ones that have no effect with them
 * @throws OptionError if `custom_formatting` is not enabled for the account (spec 2.3, rule 5); ServiceError 422 if
 *   manual orders are disabled
 */
export function resolveOptions({ config }: Platform, account: Account, given: Partial<OrderOptions>) {
  const options = applyOptions(given, JSON.parse(account.default_options_json))
  if (options.custom_formatting === 'yes' && account.custom_formatting_enabled === 0) {
    const message = 'custom_formatting is not enabled for this account. Please contact support before using it.'
    throw new OptionError('custom_formatting', message)
  }
  refuseManualOrders(config, options)
  return { options, ignored: listIgnored(given, options) }
}
