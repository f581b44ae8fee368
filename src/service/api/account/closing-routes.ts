import { closedAccount, newClosing } from '../../../contract/account/closing.ts'
import { closeAccount, reopenAccount } from '../../operations/closing/close-account.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { route } from '../http/account-route.ts'
import { nothing } from '../http/operation.ts'

/** `closing`: the end of an account, and its way back. The overview says whether it is closed. */
export const closingRoutes = [
  route(
    'post /closing',
    'Close the account',
    {
      description:
        'From now on it changes nothing: every request but reading, exporting and reopening is 403. Orders below 60 % are canceled and refunded by their progress; those from 60 % on are finished. After 14 days everything is erased; charges and refunds stay, without names, as long as books must be kept. `statement` is an address that needs no key and says later what was erased.',
      whileClosed: true,
      body: newClosing,
      200: closedAccount,
      409: 'The name is not that of the account.',
    },
    async ({ platform, caller: { account }, body }) => {
      if (body.name.trim() !== account.name.trim()) {
        throw new ServiceError(409, `The name of the account is “${account.name}”. Nothing was changed.`)
      }
      return await closeAccount(platform, account.id)
    },
  ),
  route(
    'delete /closing',
    'Open a closed account again',
    { whileClosed: true, 204: nothing, 409: 'It is being erased.' },
    ({ platform, caller }) => reopenAccount(platform, caller.account.id),
  ),
]
