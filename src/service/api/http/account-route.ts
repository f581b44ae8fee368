import type { Caller } from '../../accounts/auth/authenticate.ts'
import type { EventHub } from '../../accounts/events/event-hub.ts'
import { ownFile } from '../../orders/file/own-file.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Search } from '../../text/search/search.ts'
import { noteFile } from './gone-file.ts'
import { routeFor } from './route.ts'

/** What the routes of the account interface are given. */
export type AccountGiven = { platform: Platform; caller: Caller; search: Search; hub: EventHub }

/** A route of the account interface. */
export const route = routeFor((given: AccountGiven) => given)

/** One that needs no key. */
export const openRoute = routeFor(({ platform }: Pick<AccountGiven, 'platform'>) => ({ platform }), {
  authenticated: false,
})

/** One below `/files/{id}`, whose handler is given that file of the account (else 404). */
export const fileRoute = routeFor(
  async (given: AccountGiven, request) => {
    const { id } = request.params as { id: string }
    const file = await ownFile(given.platform, given.caller, id)
    noteFile(request, given.platform, id)
    return { ...given, file }
  },
  { withinProjects: true },
)
